import type { Command } from 'commander';
import { annotate } from '../src/annotate/annotate.ts';
import type { Payload } from '../src/model/payload.ts';
import type { Recognised } from '../src/model/recognise.ts';
import type { ItemType } from '../src/protocol/item.ts';
import { escapeText } from '../src/view/escape.ts';
import { reading } from '../src/view/header.ts';
import { renderHexdump } from '../src/view/hexdump.ts';
import { payloadJson, renderJson } from '../src/view/json.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { exit } from './errors.ts';
import { addedItems, betterReading, type Input, payloadOf, readBase, readInput } from './input.ts';
import type { Io } from './io.ts';
import { type InputOptions, type OutputOptions, withInput, withOutput } from './options.ts';
import { look, print } from './output.ts';

type Options = InputOptions & OutputOptions & { base?: string };

export function define(command: Command): Command {
  return withInput(withOutput(command, ['hexdump', 'table', 'json']))
    .argument('[file]', "a file, or '-' or nothing for standard input")
    .option('--base <file>', "the snapshot that a delta is a difference to, or 'empty': shows old → new")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap decode samples/first.huff
  printf '00 03 00 06 00 00 …' | tw-snap decode -t json`;

/** `tw-snap decode [FILE]` */
export async function run([path]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const base = options.base === undefined ? undefined : await readBase(options.base, options, added, io);
  const input = await readInput(path, options, io);
  const recognised = payloadOf(input, options, added, base);
  await sayReading(input, recognised, options, io);
  const { payload } = recognised;
  await print(await render(payload, input.name, options, io), options, io);
  return conclude(payload, input, options, added, io);
}

async function render(payload: Payload, name: string, options: Options, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(payloadJson(payload));
  const how = { name, ...look(options, io) };
  const spans = annotate(payload);
  if (options.to === 'hexdump') return renderHexdump(payload, spans, how);
  const { renderTable } = await import('../src/view/table.ts');
  return renderTable(payload, how);
}

/** Says what was guessed, and what would have been as good a guess. */
async function sayReading(input: Input, { payload, equals }: Recognised, options: Options, io: Io): Promise<void> {
  const guessed = [options.from, options.kind, options.protocol].includes('auto');
  if (!guessed && input.hex === undefined) return;
  const hex = input.hex === undefined ? '' : ` from hex text (${input.hex})`;
  const others = equals.slice(0, 3).map(reading).join(', ');
  const also = others === '' ? '' : `; as good: ${others}`;
  await io.stderr.write(`tw-snap: ${escapeText(input.name)}: read as ${reading(payload)}${hex}${also}\n`);
}

/** Repeats an error where standard output may not be seen, and tells the exit status. */
async function conclude(
  payload: Payload,
  input: Input,
  options: Options,
  added: readonly ItemType[],
  io: Io,
): Promise<number> {
  const { error, warnings } = payload.findings;
  if (error && !(io.stdout.isTerminal && options.output === undefined)) {
    await io.stderr.write(`tw-snap: ${escapeText(input.name)}: ${fullSentence(error)}\n`);
  }
  const better = betterReading(payload, input, added);
  if (better) await io.stderr.write(`tw-snap: it reads without error as ${reading(better)}\n`);
  if (error) return exit.unreadable;
  return options.strict && warnings.length > 0 ? exit.finding : exit.fine;
}
