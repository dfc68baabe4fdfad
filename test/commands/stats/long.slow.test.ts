import { expect, it } from 'vitest';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

it('by second lists 136,400 seconds, and no more than 100 hours', async () => {
  // Steps of 31 ticks, the largest, a byte each: 136,400 seconds, and 744,000.
  for (const [steps, seconds] of [
    [220_000, 136_400],
    [1_200_000, 360_000],
  ] as const) {
    const { header, first, untilTick } = beginOf(read('ddnet-race-player.demo'));
    const long = new Uint8Array(Buffer.concat([header, first, new Uint8Array(steps).fill(0xbf)]));
    const files = { 'long.demo': long };
    expect((await run('stats long.demo --by second', files)).status).toBe(0);
    const { status, stdout } = await run('stats long.demo --by second -t csv', files);
    expect(status).toBe(0);
    const [heads, ...rows] = linesOf(stdout).map((line) => line.split(','));
    expect(Math.abs(rows.length - seconds)).toBeLessThanOrEqual(1);
    // From the first tick on, all bits are in the rows.
    const parts = heads!.flatMap((head, i) => (head.endsWith('_bits') ? [i] : []));
    const sum = rows.reduce((all, row) => parts.reduce((some, i) => some + Number(row[i]), all), 0);
    expect(sum).toBe(8 * (long.length - header.length - untilTick));
  }
});

interface Begin {
  readonly header: Uint8Array;
  /** Chunks up to the first full snapshot. */
  readonly first: Uint8Array;
  /** Bytes of it before the first tick: messages. */
  readonly untilTick: number;
}

function beginOf(demo: Uint8Array): Begin {
  let start = 0;
  let tick = -1;
  for (const frame of new DemoReader().feed(demo)) {
    if (frame.kind === 'header') start = frame.end;
    if (frame.kind === 'tick' && tick < 0) tick = frame.offset;
    if (frame.kind !== 'snapshot') continue;
    const end = frame.dataOffset + frame.end - frame.start;
    return { header: demo.subarray(0, start), first: demo.subarray(start, end), untilTick: tick - start };
  }
  throw new Error('no full snapshot');
}
