import { JoinedRanges } from '../../src/editing/concat.ts';
import type { Losses } from '../../src/editing/losses.ts';
import { Slicer } from '../../src/editing/slice.ts';
import { renderSent } from '../../src/output/reports/edit.ts';
import type { Opened } from '../lib/input/opened.ts';
import { noSnapshot } from '../lib/input/records.ts';
import { inputError, usageError } from '../lib/options/errors.ts';
import { type DemoWork, demoOf } from '../lib/run/demo-output.ts';
import { type Cut, cutOf, findCuts } from './cuts.ts';
import type { Options, Wanted } from './definition.ts';

export async function sliceDemo(
  named: Opened,
  { range, query }: Wanted,
  given: Options,
  work: DemoWork,
): Promise<number> {
  const opened = await demoOf(named).recording({ ...work, ...everything, ticks: given.ticks });
  if (range) return write(opened, [cutOf(opened.ticks!, range)], given, work);
  if (!opened.isFile)
    throw usageError(`${opened.name}: --${query ? 'where' : 'around'} reads the file twice; it has to be a file`);
  const read = (add: Parameters<DemoWork['read']>[1]) => work.read(opened, add);
  const cuts = await findCuts({ name: opened.name, read }, given, query);
  return write(await opened.again(), cuts, given, work);
}

/** A demo has one stream, and its version is detected. */
const everything = { client: undefined, version: undefined, follow: false };

async function write(
  opened: Opened,
  cuts: readonly Cut[],
  { join, carry = true, around, where }: Options,
  work: DemoWork,
): Promise<number> {
  const nameOf = (i: number) =>
    (around === undefined && where === undefined) || join ? work.output : work.output.replaceAll('%d', String(i + 1));
  for (const [i, { about }] of cuts.entries()) work.begin(nameOf(i), about);
  const { outputs } = work;
  const joined = join ? new JoinedRanges(cuts[0]!.ranges, outputs[0]!.emit) : undefined;
  const targets = cuts.map(({ about: _, ...cut }, i) => ({ ...cut, emit: joined?.add ?? outputs[i]!.emit }));
  const slicer = new Slicer(targets, { carry });
  let isDamaged = false;
  let first = Infinity;
  let last = -1;
  const isWritten = () => outputs.some(({ recorder }) => recorder.lastTick >= 0);
  const found = await work.readSure(
    opened,
    (entry) => {
      isDamaged ||= entry.record === 'diagnostic' && entry.diagnostic.severity === 'error';
      slicer.add(entry);
      if (entry.record === 'snapshot') {
        first = Math.min(first, entry.tick);
        last = Math.max(last, entry.tick);
      }
      // A range before the first tick is an error that says which ticks there are.
      return slicer.isDone && isWritten();
    },
    (ticks) => slicer.concerns(ticks),
  );
  slicer.finish();
  const { leftOut } = slicer;
  const losses: Losses = {
    ranges: [...found.ranges, ...leftOut].sort((a, b) => a.from - b.from),
    count: found.count + leftOut.length,
    snapshots: leftOut.reduce((sum, { snapshots }) => sum + snapshots, found.snapshots),
    messages: found.messages,
  };
  // A range after the end has no output, since an output is created with its first tick.
  const written = outputs.filter(({ recorder }) => recorder.lastTick >= 0);
  if (written.length === 0) {
    if (isDamaged || losses.count > 0 || last < 0)
      throw inputError(`${opened.name}: there is no snapshot in that range that can be read`);
    throw noSnapshot(opened.name, first, last);
  }
  for (const output of written) await output.finish({}, joined?.markers);
  await work.reportWritten(renderSent(joined?.sent ?? 0), written);
  return work.reportLosses(opened.name, losses);
}
