import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Kind } from '../../src/decode/payload.ts';
import type { Version } from '../../src/protocol/registry.ts';
import { parseTickRange, type TickRange } from '../../src/protocol/ticks.ts';
import { knownFormats } from '../../src/recording/formats.ts';

/** Options that mean the same in every command. */
export interface InputOptions {
  from: string;
  kind: Kind | 'auto';
  protocol: Version | 'auto';
  hex?: boolean;
  nth?: number | undefined;
  schema?: string;
  client?: string;
  strict?: boolean;
}

export interface FollowOptions {
  follow?: boolean | undefined;
}

export interface OutputOptions {
  to: string;
  output?: string;
  color: string;
  width?: number;
  verbose?: boolean;
}

/** Adds the options about the encoding of an input, for commands that read recordings. */
export function withFrom(command: Command): Command {
  return withProtocol(command)
    .addOption(
      new Option('-f, --from <encoding>', 'how the input is encoded')
        .choices([
          'auto',
          ...knownFormats.map(({ name }) => name),
          'packet',
          'message',
          'huffman',
          'packed',
          'ints',
          'json',
        ])
        .default('auto'),
    )
    .option('--client <addr:port>', 'captures: only this client');
}

export const withStrict = (command: Command): Command =>
  command.option('--strict', 'treat warnings as findings: exit 1');

/** Adds the options about reading an input. */
export function withInput(command: Command): Command {
  return withSnapshotInput(command).addOption(
    new Option('-k, --kind <kind>', 'what the input contains').choices(['auto', 'delta', 'snapshot']).default('auto'),
  );
}

/** Adds the options for commands that require a snapshot or a delta. */
export function withSnapshotInput(command: Command): Command {
  return withFrom(command)
    .option('--hex', 'read the input as hex or another form of pasted text (default: detected)')
    .option('--no-hex', 'never read the input as pasted text')
    .option(
      '--nth <number>',
      'text with several packets: only this one, from 1',
      wholeNumber(1, Infinity, 'a number from 1'),
    );
}

export function withProtocol(command: Command): Command {
  return withSchema(
    command.addOption(
      new Option('-p, --protocol <version>', 'protocol version; DDNet uses 0.6')
        .choices(['auto', '0.5', '0.6', '0.7'])
        .default('auto'),
    ),
  );
}

export const withSchema = (command: Command): Command =>
  command.option('--schema <file>', "a mod's items and messages, as JSON");

/** Adds the options about the format and destination of the output. */
export function withOutput(command: Command, formats: readonly string[]): Command {
  return withLook(
    withTo(command, formats).option('-o, --output <file>', 'write to a file instead of standard output'),
  ).option('-v, --verbose', 'show more: units of all numbers, fields that are 0');
}

export const withTo = (command: Command, formats: readonly string[]): Command =>
  command.addOption(new Option('-t, --to <format>', 'what to print').choices(formats).default(formats[0]));

/** Adds the options about colours and width. */
export const withLook = (command: Command): Command =>
  withColor(command).option(
    '--width <columns>',
    'columns of the output (default: those of the terminal, 100 in a pipe)',
    wholeNumber(20, 1000, '20 to 1000'),
  );

export const withColor = (command: Command): Command =>
  command.addOption(
    new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'),
  );

/** Adds the option for commands that print records as they arrive. */
export const withFollow = (command: Command): Command =>
  command.option('--follow', 'keep reading what is added to the file or pipe, until Ctrl-C');

/** Adds the option for commands that process many files. */
export function withJobs(command: Command): Command {
  return command.option(
    '--jobs <count>',
    'files to read at once (default: the number of cores)',
    wholeNumber(1, 256, '1 to 256'),
  );
}

/** The parser of an option whose value is a whole number in a range. */
export const wholeNumber =
  (from: number, to: number, expected: string) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to) throw new InvalidArgumentError(`Expected ${expected}.`);
    return value;
  };

/** Parses a checksum: signed, unsigned or hexadecimal. */
export const crc = (text: string): number => wholeNumber(-(2 ** 31), 2 ** 32 - 1, 'a 32-bit number')(text) | 0;

/** Collects the values of an option that may be repeated. */
export const repeated = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** Parses `A..B`, `A..`, `..B` or one tick. */
export function ticks(text: string): TickRange {
  const range = parseTickRange(text);
  if (!range) throw new InvalidArgumentError('Expected ticks as A..B, A at most B.');
  return range;
}

/** Parses seconds: `83`, `83.5s`, `1:23.5` or `1:02:03`. */
export function seconds(text: string): number {
  const match = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)s?$/.exec(text);
  if (!match) throw new InvalidArgumentError('Expected seconds, as 90, 5s or 1:30.');
  const [, hours = '0', minutes = '0', rest] = match;
  return 3600 * Number(hours) + 60 * Number(minutes) + Number(rest);
}
