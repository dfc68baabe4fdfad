import { describe, expect, it } from 'vitest';
import { maxCandidates } from '../../src/input/source/found.ts';
import { file } from '../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../support/capture-builder.ts';
import { chunk06, ints, packet06, snapSingle } from '../support/packet-builder.ts';
import { run as runLine } from '../support/run.ts';

// More connections than are followed at once: the first ones are forgotten, but their results still count.

const connections = 5000;
const oneItem = ints(0, 1, 0, 4, 0, 1, 0, 0, 0);
/** The header says that an item follows. */
const noItem = ints(0, 1, 0);

/** Each connection has one snapshot. The first one's is `first`. */
function capture(first: readonly number[], crc = 1): Uint8Array {
  const records = Array.from({ length: connections }, (_, i) => {
    const delta = i === 0 ? first : oneItem;
    const packet = packet06([chunk06(snapSingle(7, 100, 101, i === 0 ? crc : 1, delta))]);
    const client = [10, 0, i >> 8, i & 255];
    const bytes = ipv4(udp([...packet], 8303, 50_000), { source: [10, 1, 0, 1], destination: client });
    return pcapRecord(bytes, { seconds: someTime, fraction: i });
  });
  return file(pcapHeader({ linkType: 101 }), ...records);
}

const run = (bytes: Uint8Array, line: string) => runLine(`${line} many.pcap`, { 'many.pcap': bytes });

const lines = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start)).length;

describe('a capture of 5,000 connections', () => {
  const whole = capture(oneItem);

  it('has all their snapshots in every command', async () => {
    const info = JSON.parse((await run(whole, 'info -t json')).stdout)[0];
    expect(info.snapshots).toBe(connections);
    const checksum = JSON.parse((await run(whole, 'checksum --summary -t json')).stdout)[0];
    expect(checksum).toMatchObject({ snapshots: connections, matched: connections });
    const stats = JSON.parse((await run(whole, 'stats -t json')).stdout)[0];
    expect(stats.snapshots.full).toBe(connections);
    for (const args of ['', '--ticks 100..100']) {
      expect(lines((await run(whole, `dump -t ndjson ${args}`)).stdout, '{"record":"snapshot"')).toBe(connections);
    }
    expect((await run(whole, 'explain')).stdout).toContain('nothing to explain in 5,000 snapshots');
    for (const table of ['connections', 'snapshots', 'obj_pickup']) {
      const { stdout: out } = await run(whole, `export --tables ${table} -t ndjson`);
      expect(lines(out, '{')).toBe(connections);
    }
  });

  it('finds the first snapshot of the first connections, and reports that the others were not searched', async () => {
    const { status, stderr: error } = await run(whole, 'decode -f pcap');
    expect(status).toBe(0);
    expect(connections - maxCandidates).toBe(4488);
    expect(error).toContain('4,488 more clients not searched: there are too many (choose with --client)');
  });

  it.each([
    ['damaged', capture(noItem), 3],
    ['mismatched', capture(oneItem, 2), 1],
  ])('has the exit status of a %s first snapshot in every command', async (_, bytes, expected) => {
    for (const line of ['info', 'checksum', 'checksum --summary', 'stats', 'dump -t csv', 'explain']) {
      expect([line, (await run(bytes, line)).status]).toEqual([line, expected]);
    }
  });
});
