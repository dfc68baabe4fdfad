import { describe, expect, it } from 'vitest';
import { maxFailures, maxNotes, maxRuns, maxRunsOfStream, maxTests } from '../../../src/analysis/explain/limits.ts';
import { file } from '../../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../support/capture-builder.ts';
import { chunk06, ints, packet06, snapSingle } from '../../support/packet-builder.ts';
import { run } from '../../support/run.ts';

const pickups = ints(0, 2, 0, 4, 0, 100, 200, 0, 0, 4, 1, 300, 400, 0, 0);
/** The first pickup twice: the server counts both. */
const twice = ints(0, 2, 0, 4, 0, 5, 5, 0, 0, 4, 0, 6, 6, 0, 0);

const right = (tick: number) => snapSingle(7, tick, tick + 1, 1000, pickups);
const wrong = (tick: number, base: number) => snapSingle(7, tick, tick - base, 1000 + 310 + 12, twice);

/** A capture with the same messages for each of some clients. */
function captureOf(messages: readonly (readonly number[])[], clients = 1): Uint8Array {
  const records = messages.map((message, i) => {
    return Array.from({ length: clients }, (_, client) => {
      const bytes = ipv4(udp([...packet06([chunk06([...message])])], 8303, 50_000 + client));
      return pcapRecord(bytes, { seconds: someTime + Math.floor(i / 25), fraction: (i % 25) * 40_000 });
    });
  });
  return file(pcapHeader({ linkType: 101 }), ...records.flat());
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Right full snapshots, each followed by a delta with a wrong checksum. */
const capture = (failures: number, clients = 1) =>
  captureOf(
    numbers(failures).flatMap((i) => [right(100 + 4 * i), wrong(102 + 4 * i, 100 + 4 * i)]),
    clients,
  );

describe('limits of explain', () => {
  it('failures beyond the runs that are kept are counted, and said', async () => {
    const { stdout, status } = await run('explain a.pcap', { 'a.pcap': capture(maxRunsOfStream + 50) });
    expect(status).toBe(1);
    expect(stdout).toContain('250 failures, the bytes show the cause of 200');
    expect(stdout).toContain('… 50 more failures, not tested: the first ones of each connection are');
    const all = await run('explain a.pcap', { 'a.pcap': capture(maxRunsOfStream) });
    expect(all.stdout).not.toContain('not tested');
  });

  it('so are those of more connections than are kept together', async () => {
    const clients = maxRuns / maxRunsOfStream + 1;
    const { stdout, status } = await run('explain a.pcap', { 'a.pcap': capture(maxRunsOfStream, clients) });
    expect(status).toBe(1);
    expect(maxTests).toBeLessThanOrEqual(maxRuns);
    expect(stdout).toContain('1,200 failures');
    expect(stdout).toContain('… 200 more failures, not tested');
  });

  it('of a run with more failures than are kept, the evidence is that of the first', async () => {
    const run1 = captureOf([right(100), ...numbers(maxNotes + 300).map((i) => wrong(102 + 2 * i, 100))]);
    const { stdout } = await run('explain a.pcap', { 'a.pcap': run1 });
    expect(stdout).toContain('1,300 failures, the bytes show the cause of all');
    expect(stdout).toContain('announced − rebuilt = +310 in the first 1,000; fits 12 of 12 that were tested');
  });

  it('`checksum` says how many are only counted', async () => {
    const { stdout, status } = await run('checksum a.pcap', { 'a.pcap': capture(maxFailures + 300) });
    expect([status, stdout]).toEqual([1, expect.stringContaining('\n… 300 more are only counted\n')]);
  });
});
