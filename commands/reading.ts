import type { Payload } from '../src/model/payload.ts';
import type { Recognised } from '../src/model/recognise.ts';
import type { ItemType } from '../src/protocol/item.ts';
import { escapeText } from '../src/view/escape.ts';
import { reading } from '../src/view/header.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { exit } from './errors.ts';
import { betterReading, type Input } from './input.ts';
import type { Io } from './io.ts';
import type { InputOptions, OutputOptions } from './options.ts';

/** Says what was guessed, and what would have been as good a guess. */
export async function sayReading(
  input: Input,
  { payload, equals }: Recognised,
  options: InputOptions,
  io: Io,
): Promise<void> {
  const guessed = [options.from, options.kind, options.protocol].includes('auto');
  if (!guessed && input.hex === undefined) return;
  const hex = input.hex === undefined ? '' : ` from hex text (${input.hex})`;
  const others = equals.slice(0, 3).map(reading).join(', ');
  const also = others === '' ? '' : `; as good: ${others}`;
  await io.stderr.write(`tw-snap: ${escapeText(input.name)}: read as ${reading(payload)}${hex}${also}\n`);
}

/** Repeats an error where standard output may not be seen, and tells the exit status. */
export async function conclude(
  payload: Payload,
  input: Input,
  options: InputOptions & OutputOptions,
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
