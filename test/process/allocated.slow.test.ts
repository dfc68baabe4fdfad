import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { samplePath, start, withProgram } from '../support/program.ts';

const place = withProgram();
const script = resolve(import.meta.dirname, '../../scripts/bench/allocated.mjs');

/** The snapshots of the two recordings. */
const snapshots = { 'vanilla-dm1.demo': 1369, 'ddnet-ipv6.pcap': 446 } as const;

/**
 * The bytes that may be allocated for each snapshot, of the demo and of the capture, whose packets and messages are in
 * it: a quarter to a half above what was measured on 2026-11-29, since V8 optimises later on a loaded machine, which once
 * took a third more. Time depends on the machine much more. A function or an object more for each item is 50 bytes and
 * more for each of some 30 items.
 */
const bars: readonly (readonly [command: string, ofDemo: number, ofCapture: number])[] = [
  ['checksum', 700, 9000],
  ['info', 1300, 11_500],
  ['stats', 2600, 19_000],
  ['dump -t ndjson', 4600, 23_000],
  ['export -o tables', 38_000, 72_000],
];

async function allocatedBy(command: string, sample: keyof typeof snapshots): Promise<number> {
  const args = command.split(' ').map((word) => (word === 'tables' ? join(place.folder, sample) : word));
  const { stderr } = await start(process.execPath, [script, ...args, samplePath(sample)]).ended;
  const [, bytes] = /^allocated (\d+)$/m.exec(stderr) ?? [];
  return Number(bytes) / snapshots[sample];
}

describe('bytes allocated for each snapshot', () => {
  it.each(bars)('%s: at most %i of a demo and %i of a capture', async (command, ofDemo, ofCapture) => {
    const demo = await allocatedBy(command, 'vanilla-dm1.demo');
    const capture = await allocatedBy(command, 'ddnet-ipv6.pcap');
    // Less than half of a bar would mean that it bars nothing, or that nothing was read.
    expect(demo).toBeGreaterThan(ofDemo / 2);
    expect(demo).toBeLessThan(ofDemo);
    expect(capture).toBeGreaterThan(ofCapture / 2);
    expect(capture).toBeLessThan(ofCapture);
  });
});
