import { HeaderRepair, Repairer } from '../src/edit/repair.ts';
import { renderRepair } from '../src/view/edit/reports.ts';
import { DemoWork, printReport, refuseNothing } from './lib/demo.ts';
import { exit } from './lib/errors.ts';
import type { Io } from './lib/io.ts';
import { demoOutput, type Given } from './lib/options.ts';

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
  const opened = await work.open(path);
  const demo = work.begin();
  const header = new HeaderRepair();
  const repairer = new Repairer((entry) => {
    demo.emit(entry.record === 'header' ? { ...entry, header: header.header(entry) } : entry);
  });
  await work.read(opened, (entry) => {
    work.detectEnding(entry);
    if (entry.record === 'map') header.addMap(entry.piece);
    repairer.add(entry);
  });
  repairer.finish();
  const { recorder } = demo;
  refuseNothing(opened, demo);
  recorder.finish();
  await demo.finish(header.final(recorder.firstTick, recorder.lastTick, recorder.seconds));
  await printReport(renderRepair(opened.name, demo, repairer, header, work.theme), work);
  const { losses } = repairer.losses;
  const isWhole = losses.count + losses.messages + repairer.keptMismatches === 0 && !header.isMapDamaged;
  return isWhole ? exit.fine : exit.finding;
}
