import { describe, expect, it } from 'vitest';
import { maxRunsOfStream } from '../../../src/analysis/explain/limits.ts';
import { file } from '../../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../support/capture-builder.ts';
import { chunk06, ints, packet06, snapSingle } from '../../support/packet-builder.ts';
import { run } from '../../support/run.ts';

const pickups = ints(0, 2, 0, 4, 0, 100, 200, 0, 0, 4, 1, 300, 400, 0, 0);
/** The first pickup twice: the server counts both. */
const twice = ints(0, 2, 0, 4, 0, 5, 5, 0, 0, 4, 0, 6, 6, 0, 0);

/** Right full snapshots, each followed by a delta with a wrong checksum. */
function capture(failures: number): Uint8Array {
  const messages = Array.from({ length: failures }, (_, i) => [
    snapSingle(7, 100 + 4 * i, 101 + 4 * i, 1000, pickups),
    snapSingle(7, 102 + 4 * i, 2, 1000 + 310 + 12, twice),
  ]).flat();
  const records = messages.map((message, i) => {
    const bytes = ipv4(udp([...packet06([chunk06([...message])])], 8303, 50_000));
    return pcapRecord(bytes, { seconds: someTime + Math.floor(i / 25), fraction: (i % 25) * 40_000 });
  });
  return file(pcapHeader({ linkType: 101 }), ...records);
}

describe('limits of explain', () => {
  it('failures beyond the runs that are kept are counted, and said', async () => {
    const { stdout, status } = await run('explain a.pcap', { 'a.pcap': capture(maxRunsOfStream + 50) });
    expect(status).toBe(1);
    expect(stdout).toContain('250 failures, the bytes show the cause of 200');
    expect(stdout).toContain('… 50 more failures, not tested: the first ones of each connection are');
    const all = await run('explain a.pcap', { 'a.pcap': capture(maxRunsOfStream) });
    expect(all.stdout).not.toContain('not tested');
  });
});
