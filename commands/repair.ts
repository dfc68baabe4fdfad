import { DemoRepair } from '../src/editing/header-repair.ts';
import { renderRepair } from '../src/output/reports/edit.ts';
import { CheckedDemoReplay } from '../src/recording/demo/checked-demo.ts';
import type { RecordingEntry } from '../src/recording/replay/record.ts';
import { RecordingSummary } from '../src/recording/summary/recording-summary.ts';
import { exit } from './lib/options/errors.ts';
import { demoOutput, type Given } from './lib/options/options.ts';
import type { Io } from './lib/platform/io.ts';
import { DemoWork, printReport, refuseNothing } from './lib/run/demo-output.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] <file> -o <out>',
  arguments: { '<file>': "a demo that is damaged, truncated or has wrong item sizes; '-' for standard input" },
  options: demoOutput(),
  help: `
What is written is read again, and played as each version of the games plays it.

Exit status: 0 if nothing is lost or still wrong and the games play it, otherwise 1.

Examples:
  tw-snap repair broken.demo -o whole.demo
  tw-snap repair replay.demo -o playable.demo`,
};

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const work = await DemoWork.of(given, io);
  const opened = (await work.open(path)).whole;
  const demo = work.begin();
  const replay = new CheckedDemoReplay();
  const written = new RecordingSummary(replay);
  const sum = (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) written.add(entry);
  };
  demo.onWritten = (bytes) => sum(replay.feed(bytes));
  const repair = new DemoRepair(demo.emit);
  await work.read(opened, (entry) => {
    work.detectEnding(entry);
    repair.add(entry);
  });
  repair.finish();
  const { header, repairer } = repair;
  const { recorder } = demo;
  refuseNothing(opened, demo);
  recorder.finish();
  await demo.finish(header.final(recorder.firstTick, recorder.lastTick, recorder.seconds));
  sum(replay.finish());
  await printReport(renderRepair(opened.name, { name: demo.name, recorder, written }, repair, work.theme), work);
  const { keptMismatches } = repairer;
  const { losses } = repairer.losses;
  const isWhole = losses.count + losses.messages + keptMismatches === 0 && !header.isMapWrong;
  return isWhole && written.health.state === 'healthy' ? exit.fine : exit.finding;
}
