import { LastByteMode } from '../src/edit/demo-recorder.ts';
import { HeaderRepair, Repairer } from '../src/edit/repair.ts';
import type { RecordingEntry } from '../src/recording/record.ts';
import { renderRepair } from '../src/view/edit/reports.ts';
import { exit, inputError } from './lib/errors.ts';
import { openDemo, readDemo } from './lib/input/demo.ts';
import { readSchemaFile } from './lib/input/settings.ts';
import type { Io } from './lib/io.ts';
import { demoOutput } from './lib/options.ts';
import {
  type DemoOptions,
  DemoOutput,
  outputName,
  printReport,
  refuseTerminal,
  reportTheme,
} from './lib/output/demo.ts';

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
export async function run([path]: readonly string[], options: DemoOptions, io: Io): Promise<number> {
  const output = refuseTerminal(options.output, io);
  const schema = await readSchemaFile(options.schema, io);
  const opened = await openDemo(path, io);
  const mode = new LastByteMode();
  const demo = new DemoOutput(output, mode, io);
  const header = new HeaderRepair();
  const repairer = new Repairer((entry) => {
    demo.emit(entry.record === 'header' ? { ...entry, header: header.header(entry) } : entry);
  });
  const add = (entry: RecordingEntry): undefined => {
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
  await printReport(renderRepair(report, await reportTheme(options, io)), output, io);
  const isWhole = losses.length === 0 && lostMessages === 0 && !header.isMapDamaged;
  return isWhole ? exit.fine : exit.finding;
}
