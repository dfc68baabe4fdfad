import type { Command } from 'commander';
import { JoinedRanges } from '../../src/edit/concat.ts';
import { LastByteMode } from '../../src/edit/demo-recorder.ts';
import { markersOf } from '../../src/edit/markers.ts';
import { Slicer } from '../../src/edit/slice.ts';
import type { Schema } from '../../src/protocol/schema.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { renderRestated, renderWritten, type WrittenDemo } from '../../src/view/edit/slices.ts';
import { DemoOutput, refuseTerminal } from '../lib/demo/demo-output.ts';
import { type DemoOptions, withDemoOutput } from '../lib/demo/options.ts';
import { openDemo, readSureRecords } from '../lib/demo/read-demo.ts';
import { printReport, reportLosses, reportTheme, writtenDemo } from '../lib/demo/report.ts';
import { inputError, usageError } from '../lib/errors.ts';
import { readSchemaFile } from '../lib/input/context.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { seconds, ticks } from '../lib/options.ts';
import { type Cut, choiceOf, cutsAround, type RangeOptions } from './ranges.ts';

type Options = DemoOptions & RangeOptions & { carry: boolean };

export function define(command: Command): Command {
  return withDemoOutput(command, "the demo to write, with %d for several: cut-%d.demo; '-' for standard output")
    .argument('<file>', "a demo; '-' for standard input")
    .option('--ticks <range>', 'these ticks, A..B', ticks)
    .option('--from <time>', 'begin at this time after the first tick: 90, 1:30', seconds)
    .option('--to <time>', 'end at this time', seconds)
    .option('--around <what>', 'around each kill, death, finish, marker or chat:/RE/; reads the file twice')
    .option('--before <time>', 'seconds before each event (default: 5)', seconds)
    .option('--after <time>', 'seconds after each event (default: 3)', seconds)
    .option('--join', 'write one demo with all ranges, instead of one demo for each')
    .option('--no-carry', 'do not repeat earlier messages that set tuning, votes, motd and other state')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap slice match.demo --ticks 9072..9472 -o cut.demo
  tw-snap slice match.demo --from 0:10 --to 0:20 -o cut.demo
  tw-snap slice match.demo --around kill --before 5s --after 3s -o frag-%d.demo
  tw-snap slice match.demo --around 'chat:/gg|nice/i' --join -o talk.demo`;

/** `tw-snap slice FILE --ticks A..B | --from TIME --to TIME | --around WHAT -o OUT` */
export async function run([path]: readonly string[], options: Options, io: Io): Promise<number> {
  const output = refuseTerminal(options.output, io);
  const choice = choiceOf(options);
  const schema = await readSchemaFile(options.schema, io);
  let opened = await openDemo(path, io);
  if (typeof choice === 'object' && 'ticks' in choice) {
    return write(opened, [{ ranges: [choice.ticks], about: [] }], [output], choice.fromFirstTick, options, schema, io);
  }
  if (!io.exists(opened.path)) throw usageError(`${opened.name}: --around reads the file twice; it has to be a file`);
  const cuts = await cutsAround(opened, choice, options, schema);
  if (cuts.length === 0) throw inputError(`${opened.name}: there is no ${options.around}`);
  const names = namesOf(output, cuts, options);
  opened = await openDemo(path, io);
  return write(opened, cuts, names, false, options, schema, io);
}

function namesOf(output: string, cuts: readonly Cut[], { join }: Options): string[] {
  if (join) return [output];
  if (cuts.length > 1 && !output.includes('%d')) {
    throw usageError(`this makes ${cuts.length} demos: name them with %d (-o cut-%d.demo), or make one with --join`);
  }
  return cuts.map((_, i) => output.replaceAll('%d', String(i + 1)));
}

async function write(
  opened: Opened,
  cuts: readonly Cut[],
  names: readonly string[],
  fromFirstTick: boolean,
  options: Options,
  schema: Schema,
  io: Io,
): Promise<number> {
  const mode = new LastByteMode();
  const outputs = names.map((name) => new DemoOutput(name, mode, io));
  const joined = options.join ? new JoinedRanges(cuts[0]!.ranges, outputs[0]!.emit) : undefined;
  const targets = cuts.map(({ ranges }, i) => ({ ranges, emit: joined?.add ?? outputs[i]!.emit }));
  const slicer = new Slicer(targets, { carry: options.carry, fromFirstTick });
  let isDamaged = false;
  const add = (entry: RecordingEntry) => {
    isDamaged ||= entry.record === 'diagnostic' && entry.diagnostic.severity === 'error';
    slicer.add(entry);
    return slicer.isDone;
  };
  const drain = async () => {
    for (const output of outputs) await output.drain();
  };
  const { losses } = await readSureRecords(opened, schema, mode, { add, drain });
  slicer.finish();
  if (outputs.every(({ recorder }) => recorder.lastTick < 0)) {
    const text = `${opened.name}: there is no snapshot in that range`;
    throw isDamaged || losses.length > 0 ? inputError(`${text} that can be read`) : usageError(text);
  }
  // A range after the end has no output, since an output is created with its first tick.
  const written: WrittenDemo[] = [];
  for (const [i, output] of outputs.entries()) {
    if (output.recorder.lastTick < 0) continue;
    await output.finish(joined ? { markers: markersOf(joined.markers).markers } : {});
    written.push(writtenDemo(output, cuts[i]!.about));
  }
  const theme = await reportTheme(options, io);
  const lines = [...renderWritten(written, theme), ...renderRestated(slicer.restated)];
  await printReport(lines, options.output!, io);
  return reportLosses(
    opened.name,
    losses.filter((loss) => slicer.concerns(loss)),
    io,
  );
}
