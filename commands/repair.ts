import { HeaderRepair, Repairer } from '../src/edit/repair.ts';
import type { RecordingEntry } from '../src/recording/record.ts';
import { renderRepair } from '../src/view/edit/reports.ts';
import { exit, inputError } from './lib/errors.ts';
import { openDemo, readDemo } from './lib/input/demo.ts';
import type { Io } from './lib/io.ts';
import { demoOutput, type Given } from './lib/options.ts';
import { DemoOutput, demoWritingOf, outputName, printReport } from './lib/output/demo.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] <file> -o <out>',
  arguments: { '<file>': "a demo that is damaged, truncated or has wrong item sizes; '-' for standard input" },
  options: demoOutput(),
  help: `
Exit status: 0 if nothing was lost, 1 if something was.

Examples:
  tw-snap repair broken.demo -o whole.demo
  tw-snap repair replay.demo -o playable.demo`,
};

/** `tw-snap repair FILE -o OUT` */
export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const writing = await demoWritingOf(given, io);
  const { output, theme, schema, mode } = writing;
  const opened = await openDemo(path, io);
  const demo = new DemoOutput(writing);
  const header = new HeaderRepair();
  const repairer = new Repairer((entry) => {
    demo.emit(entry.record === 'header' ? { ...entry, header: header.header(entry) } : entry);
  });
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    if (entry.record === 'map') header.addMap(entry.piece);
    repairer.add(entry);
  };
  await readDemo(opened, schema, { add, drain: () => demo.drain() });
  repairer.finish();
  const { recorder } = demo;
  if (recorder.snapshots === 0) throw inputError(`${opened.name}: it has no snapshot that can be read`);
  recorder.finish();
  await demo.finish(header.final(recorder.firstTick, recorder.lastTick, recorder.seconds));
  const { losses, lostMessages } = repairer.losses;
  const report = {
    from: opened.name,
    to: outputName(output),
    snapshots: recorder.snapshots,
    messages: recorder.messages,
    losses,
    lostMessages,
    wrongSizes: repairer.wrongSizes,
    header: header.changes,
    isMapDamaged: header.isMapDamaged,
  };
  await printReport(renderRepair(report, theme), writing);
  const isWhole = losses.length === 0 && lostMessages === 0 && !header.isMapDamaged;
  return isWhole ? exit.fine : exit.finding;
}
