import { Concat, type Mismatch } from '../src/edit/concat.ts';
import { LastByteMode } from '../src/edit/demo-recorder.ts';
import { markersOf } from '../src/edit/markers.ts';
import type { RecordingEntry } from '../src/recording/record.ts';
import { renderStarts, renderWritten } from '../src/view/edit/reports.ts';
import { exit, usageError } from './lib/errors.ts';
import { openDemo, readSureRecords } from './lib/input/demo.ts';
import { readSchemaFile } from './lib/input/settings.ts';
import type { Io } from './lib/io.ts';
import { demoOutput } from './lib/options.ts';
import {
  type DemoOptions,
  DemoOutput,
  printReport,
  refuseTerminal,
  reportLosses,
  reportTheme,
  writtenDemo,
} from './lib/output/demo.ts';

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
export async function run(files: readonly string[], options: DemoOptions, io: Io): Promise<number> {
  const output = refuseTerminal(options.output, io);
  const schema = await readSchemaFile(options.schema, io);
  const mode = new LastByteMode();
  const demo = new DemoOutput(output, mode, io);
  const concat = new Concat(demo.emit);
  let status: number = exit.fine;
  for (const file of files) {
    const opened = await openDemo(file, io);
    concat.begin();
    const add = (entry: RecordingEntry): undefined => {
      const mismatch = entry.record === 'header' ? concat.mismatch(entry) : undefined;
      if (mismatch) throw usageError(`${opened.name}: ${reasons[mismatch]}`);
      concat.add(entry);
    };
    const { losses } = await readSureRecords(opened, schema, mode, { add, drain: () => demo.drain() });
    status = Math.max(status, await reportLosses(opened.name, losses, io));
  }
  const { markers } = markersOf(concat.markers);
  await demo.finish({ markers });
  const theme = await reportTheme(options, io);
  const lines = [...renderWritten([writtenDemo(demo)], theme), ...renderStarts(files, concat.starts, theme)];
  await printReport(lines, output, io);
  return status;
}
