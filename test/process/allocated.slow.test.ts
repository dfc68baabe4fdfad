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
 * it: a sixth above what the most wasteful of Node 20, 22, 24 and 26 took on 2026-11-29. V8 optimises in the thread that
 * runs, so that it comes no later on a loaded machine: two runs differ by a thousandth. A function or an object more for
 * each item is 50 bytes and more for each of some 30 items.
 */
const bars: readonly (readonly [command: string, ofDemo: number, ofCapture: number])[] = [
  ['checksum', 760, 7300],
  ['info', 1150, 9600],
  ['stats', 2650, 17_200],
  ['dump -t ndjson', 4100, 19_300],
  ['export -o tables', 45_000, 86_000],
];

async function allocatedBy(command: string, sample: keyof typeof snapshots): Promise<number> {
  const args = command.split(' ').map((word) => (word === 'tables' ? join(place.folder, sample) : word));
  const flags = ['--no-concurrent-recompilation', '--sampling-heap-profiler-suppress-randomness'];
  const { stderr } = await start(process.execPath, [...flags, script, ...args, samplePath(sample)]).ended;
  const [, bytes] = /^allocated (\d+)$/m.exec(stderr) ?? [];
  return Number(bytes) / snapshots[sample];
}

describe('bytes allocated for each snapshot', () => {
  it.each(bars)('%s: at most %i of a demo and %i of a capture', async (command, ofDemo, ofCapture) => {
    const demo = await allocatedBy(command, 'vanilla-dm1.demo');
    const capture = await allocatedBy(command, 'ddnet-ipv6.pcap');
    // Less than a third of a bar would mean that it bars nothing, or that nothing was read.
    expect(demo).toBeGreaterThan(ofDemo / 3);
    expect(demo).toBeLessThan(ofDemo);
    expect(capture).toBeGreaterThan(ofCapture / 3);
    expect(capture).toBeLessThan(ofCapture);
  });
});
