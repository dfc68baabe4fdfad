import { DemoRepair } from '../src/editing/header-repair.ts';
import { renderRepair } from '../src/output/reports/edit.ts';
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
Exit status: 0 if nothing is lost or still wrong, otherwise 1.

Examples:
  tw-snap repair broken.demo -o whole.demo
  tw-snap repair replay.demo -o playable.demo`,
};

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const work = await DemoWork.of(given, io);
  const opened = (await work.open(path)).whole;
  const demo = work.begin();
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
  await printReport(renderRepair(opened.name, demo, repair, work.theme), work);
  const { losses, keptMismatches } = repairer.losses;
  const isWhole = !recorder.hasOneTick && losses.count + losses.messages + keptMismatches === 0 && !header.isMapWrong;
  return isWhole ? exit.fine : exit.finding;
}
