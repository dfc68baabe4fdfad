import { Concat, type Mismatch } from '../src/edit/concat.ts';
import { markersOf } from '../src/edit/markers.ts';
import type { RecordingEntry } from '../src/recording/record.ts';
import { renderStarts, renderWritten } from '../src/view/edit/reports.ts';
import { exit, usageError } from './lib/errors.ts';
import { openDemo, readSureRecords } from './lib/input/demo.ts';
import type { Io } from './lib/io.ts';
import { demoOutput, type Given } from './lib/options.ts';
import { DemoOutput, demoWritingOf, printReport, reportLosses, writtenDemo } from './lib/output/demo.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] <file...> -o <out>',
  arguments: { '<file...>': 'demos of the same map and protocol, in order' },
  options: demoOutput(),
  help: `
Examples:
  tw-snap concat first.demo second.demo -o both.demo
  tw-snap concat frag-*.demo -o frags.demo`,
};

const reasons: Readonly<Record<Mismatch, string>> = {
  protocol: 'it has another protocol than the first demo',
  map: 'it was recorded on another map than the first demo',
};

/** `tw-snap concat FILE... -o OUT` */
export async function run(files: readonly string[], given: Options, io: Io): Promise<number> {
  const writing = await demoWritingOf(given, io);
  const { theme } = writing;
  const demo = new DemoOutput(writing);
  const concat = new Concat(demo.emit);
  let status: number = exit.fine;
  for (const file of files) {
    const opened = await openDemo(file, io);
    concat.begin();
    const add = (entry: RecordingEntry) => {
      const mismatch = entry.record === 'header' ? concat.mismatch(entry) : undefined;
      if (mismatch) throw usageError(`${opened.name}: ${reasons[mismatch]}`);
      concat.add(entry);
    };
    const { losses } = await readSureRecords(opened, writing, { add, drain: () => demo.drain() });
    status = Math.max(status, await reportLosses(opened.name, losses, io));
  }
  await demo.finish({ markers: markersOf(concat.markers).markers });
  const lines = [...renderWritten([writtenDemo(demo)], theme), ...renderStarts(files, concat.starts, theme)];
  await printReport(lines, writing);
  return status;
}
