import type { Command } from 'commander';
import type { ItemType } from '../src/protocol/item.ts';
import { type DemoRecord, DemoReplay } from '../src/replay/demo.ts';
import { DumpCsv } from '../src/view/dump-csv.ts';
import { DumpJson } from '../src/view/dump-json.ts';
import { escapeText } from '../src/view/escape.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { StoryView } from '../src/view/story.ts';
import { recordsOf } from './at-tick.ts';
import { dumpBytes } from './dump-hexdump.ts';
import { CommandError, exit, inputError } from './errors.ts';
import { addedItems } from './input.ts';
import type { Io } from './io.ts';
import { openInput } from './open.ts';
import { type InputOptions, type OutputOptions, type Ticks, ticks, withFrom, withOutput } from './options.ts';
import { look } from './output.ts';
import { Stream } from './stream.ts';
import { type Wanted, type WantedOptions, wantedOf, withWanted } from './wanted.ts';

type Options = InputOptions & OutputOptions & WantedOptions & { changes?: boolean; ticks?: Ticks; messages: boolean };

export function define(command: Command): Command {
  return withWanted(withFrom(withOutput(command, ['text', 'ndjson', 'csv', 'hexdump'])))
    .argument('[file...]', "demos; '-' or nothing for standard input")
    .option('--changes', 'of snapshots only what changed (ndjson)')
    .option('--ticks <range>', 'only these ticks, A..B', ticks)
    .option('--no-messages', 'leave messages out')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap dump match.demo
  tw-snap dump match.demo -t csv --type obj_character --id 0 > path.csv`;

/** Turns records into text. */
interface View {
  take(record: DemoRecord): string;
  finish?(): string;
}

/** `tw-snap dump FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const wanted = wantedOf(options, added);
  const stream = new Stream(options, io);
  let status: number = exit.fine;
  for (const file of args.length > 0 ? args : ['-']) {
    try {
      status = Math.max(status, await dump(file, options, added, wanted, stream, io));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      status = Math.max(status, error.status);
      await io.stderr.write(`tw-snap: ${error.message}\n`);
    }
  }
  await stream.end();
  return status;
}

async function dump(
  file: string,
  options: Options,
  added: readonly ItemType[],
  wanted: Wanted,
  stream: Stream,
  io: Io,
): Promise<number> {
  const opened = await openInput(file, options, io);
  if (opened.container !== 'demo') {
    throw inputError(`${opened.name}: this is no demo; tw-snap decode reads single snapshots`);
  }
  if (options.to === 'hexdump') return dumpBytes(opened, options, stream, io);
  const { from, to } = options.ticks ?? { from: 0, to: Infinity };
  const replay = new DemoReplay({ added, messages: options.messages && (wanted.all || options.type !== undefined) });
  const view = await viewOf(options, wanted, io);
  let status: number = exit.fine;
  for await (const record of recordsOf(opened.pieces, replay)) {
    if (record.record === 'finding') {
      const { finding } = record;
      if (finding.severity === 'error') status = exit.unreadable;
      else if (options.strict) status = Math.max(status, exit.finding);
      if (options.to !== 'text' || !io.stdout.isTerminal) {
        await io.stderr.write(`tw-snap: ${escapeText(opened.name)}: ${fullSentence(finding)}\n`);
      }
    }
    // The story has to know what went before, and keeps to the ticks itself.
    if (options.to !== 'text' && 'tick' in record && (record.tick < from || record.tick > to)) continue;
    await stream.write(view.take(record));
  }
  await stream.write(view.finish?.() ?? '');
  return status;
}

async function viewOf(options: Options, wanted: Wanted, io: Io): Promise<View> {
  switch (options.to) {
    case 'ndjson':
      return new DumpJson(wanted, options.changes === true);
    case 'csv':
      return new DumpCsv(wanted, wanted.only);
    default:
      return new StoryView({ ...(await look(options, io)), ...(options.ticks ? { ticks: options.ticks } : {}) });
  }
}
