import { expect, it } from 'vitest';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { stackPlot } from '../../../src/page/data/stack.ts';
import { pageDataOf } from '../../support/report.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const { tracks, schema } = await pageDataOf(demo);
const recording = new Recording({ tracks, schema });

function plotted(of = recording) {
  const steps = stackPlot(of);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
const { lines } = plotted();
const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
/** The bytes of an area alone, without those below it. */
const own = (i: number) => [...lines[i]!.values].map((value, k) => value! - (lines[i + 1]?.values[k] ?? 0));
const areaOf = (title: string) => sum(own(lines.findIndex((line) => line.title === title)));

it('full snapshots and messages have the bytes that are in the file', async () => {
  const { snapshots, messages } = recording.track;
  expect(areaOf('full snapshots')).toBe(
    sum(snapshots.filter(({ kind }) => kind === 'snapshot').map(({ payload }) => payload.length)),
  );
  const total = sum(lines.map((_, i) => sum(own(i))));
  const all = sum(snapshots.map(({ payload }) => payload.length)) + sum(messages.map(({ bytes }) => bytes.length));
  expect(total).toBeLessThanOrEqual(all);
});

it('characters have the bytes that stats counts in deltas', async () => {
  const { stdout } = await run('stats file -t json', { file: demo });
  const [{ items }] = JSON.parse(stdout) as [{ items: { name: string; bits: number }[] }];
  const { bits } = items.find(({ name }) => name === 'obj_character')!;
  // What stats counts has those of full snapshots, too.
  expect(areaOf('obj_character')).toBeLessThanOrEqual(bits / 8);
  expect(areaOf('obj_character')).toBeGreaterThan(0.8 * (bits / 8));
});

it('five types have an area of their own, the largest at the bottom, and full snapshots are on top', () => {
  const titles = lines.map(({ title }) => title);
  expect(titles[0]).toBe('full snapshots');
  expect(titles[1]).toMatch(/^\d+ more types$/);
  expect(titles).toHaveLength(7);
  const sizes = titles.slice(2).map(areaOf);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
});

it('less than a second is an area as wide as the recording', () => {
  const [track] = tracks;
  const short = { ...track!, snapshots: track!.snapshots.slice(0, 5), messages: [] };
  const { x, lines } = plotted(new Recording({ tracks: [short], schema }));
  const ticks = short.snapshots.map(({ tick }) => tick);
  expect([...x]).toEqual([ticks[0], ticks.at(-1)]);
  for (const { values } of lines) expect([...values]).toEqual([values[0], values[0]]);
});
