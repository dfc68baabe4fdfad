import { type Command, InvalidArgumentError, Option } from 'commander';
import { type MomentRange, parseMomentRange } from '../../../src/input/source/position.ts';
import { knownFormats } from '../../../src/recording/formats.ts';
import { type HealthState, healthStates } from '../../../src/recording/health/health.ts';
import { reason, usageError } from './errors.ts';

/** The groups of the help in their order: the options that only one command has come first. */
const headings = {
  own: 'Options:',
  input: 'Input:',
  selection: 'Selection:',
  output: 'Output:',
  other: 'Other:',
} as const;

/** The kinds of input of which options may be about one only. */
type InputKind = 'demo' | 'capture' | 'payload' | 'moment';

/** The kinds of input on which an option has an effect; on others it is refused with the text. */
export interface InputLimit {
  readonly kinds: readonly InputKind[];
  /** Whether it has no effect on one moment or packet of a recording. */
  readonly isWhole?: boolean;
  /** Whether it has no effect on the base of a delta. */
  readonly isOfInput?: boolean;
  readonly text: string;
}

type Values = Readonly<Record<string, unknown>>;

/** An option: how it is written, what it does, and where it has an effect. */
interface OptionRow<Value> {
  /** `-t, --to <format>` */
  readonly flags: string;
  readonly about: string;
  readonly group?: keyof typeof headings;
  readonly choices?: readonly string[];
  readonly default?: Value;
  parse?(text: string, before: Value): Value;
  /** Whether it names a file that is written, for which `-` is standard output. */
  readonly isOutputFile?: boolean;
  /** The kinds of input on which it has an effect, or on which one of its values has. */
  readonly inputs?: InputLimit & { readonly value?: Value };
  /** The names of the only options that go with it. */
  readonly goesWith?: readonly string[];
  /** The reason why it cannot be combined with other options, or has no effect beside them. */
  refusal?(given: Values): string | undefined;
}

type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

export type Given<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends OptionRow<infer Value> ? Value : never;
};

type More<Value> = Omit<OptionRow<Value>, 'flags' | 'about' | 'choices' | 'parse'>;

const plain =
  <Value>() =>
  (flags: string, about: string, more: More<Value | undefined> = {}): OptionRow<Value | undefined> => ({
    flags,
    about,
    ...more,
  });
export const flag = plain<boolean>();
export const text = plain<string>();

export const parsed = <Value>(
  flags: string,
  about: string,
  parse: (text: string, before: Value | undefined) => Value,
  more: More<Value | undefined> = {},
): OptionRow<Value | undefined> => ({ flags, about, parse, ...more });

export const oneOf = <const Value extends string>(
  flags: string,
  about: string,
  choices: readonly [Value, ...Value[]],
  more: More<Value> = {},
): OptionRow<Value> => ({ flags, about, choices, default: choices[0], ...more });

export const oneOfOptional = <const Value extends string>(
  flags: string,
  about: string,
  choices: readonly Value[],
): OptionRow<Value | undefined> => ({ flags, about, choices });

/** The arguments of a command with their meanings, its options, and the text after them in its help. */
export interface Definition {
  readonly arguments: Readonly<Record<string, string>>;
  /** How it is called, if not with options and then all arguments. */
  readonly usage?: string;
  /** The values that an argument may have. */
  readonly choices?: readonly string[];
  readonly options: OptionRows;
  readonly help: string;
}

const quiet = flag('-q, --quiet', 'nothing on standard error but errors: no notes, findings, progress', {
  group: 'other',
});

/** Adds the arguments and options of a definition to a command, grouped for its help. */
export function define(command: Command, { arguments: args, usage, choices, options, help }: Definition): Command {
  command.usage(usage ?? ['[options]', ...Object.keys(args)].join(' '));
  for (const [name, about] of Object.entries(args)) {
    const argument = command.createArgument(name, about);
    command.addArgument(choices ? argument.choices(choices) : argument);
  }
  const rows = Object.values({ ...options, quiet });
  for (const [group, heading] of Object.entries(headings)) {
    command.optionsGroup(heading);
    for (const row of rows.filter(({ group: own = 'own' }) => own === group)) command.addOption(optionOf(row, rows));
  }
  return command.helpOption('-h, --help', 'print this help, with -h the options most used').addHelpText('after', help);
}

/** @param rows all options of the command */
function optionOf(row: OptionRow<unknown>, rows: readonly OptionRow<unknown>[]): Option {
  const { flags, about, choices, default: preset, parse } = row;
  const option = new Option(flags, about);
  if (choices) option.choices(choices).argParser((value) => chosen(value, row, rows));
  if (preset !== undefined) option.default(preset);
  if (parse) option.argParser(parse);
  return option;
}

function chosen(
  value: string,
  { choices = [], group }: OptionRow<unknown>,
  rows: readonly OptionRow<unknown>[],
): string {
  if (choices.includes(value)) return value;
  // `ndjson` is `json` with more letters: some commands have only one of the two.
  const near = choices.find((choice) => isLonger(choice, value) || isLonger(value, choice));
  // `delta` is a kind, `huffman` an encoding.
  const other = rows.find((row) => row.group === group && row.choices?.includes(value));
  const meant = near ?? (other && `${other.flags.slice(0, 2)} ${value}`);
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${question}`);
}

const isLonger = (long: string, short: string) => short.length > 2 && long.endsWith(short);

export function optionDescription({ description, argChoices, defaultValue }: Option): string {
  if (argChoices) return `${description}: ${argChoices.join(', ')}`;
  return typeof defaultValue === 'number' ? `${description} (default: ${defaultValue})` : description;
}

/**
 * @throws CommandError for an option that has no effect beside the others, or for an argument beside one that needs
 * none
 */
export function refuseCombinations({ options }: Definition, given: Values, args: readonly unknown[]): void {
  if ([...args, given.base].filter((path) => path === '-').length > 1)
    throw usageError('standard input can be read only once');
  const all = Object.entries(options).filter(([name, { default: preset }]) => (given[name] ?? preset) !== preset);
  for (const [name, { refusal, flags, goesWith }] of all) {
    if (given[name] === '') throw usageError(`${flags}: the value is empty`);
    const other = goesWith && all.find(([option]) => option !== name && !goesWith.includes(option))?.[1].flags;
    if (goesWith && (other || args.length > 0))
      throw usageError(`${flags} does not go with ${other?.replace(/ <.*/, '') ?? 'an input'}`);
    const reason = refusal?.(given);
    if (reason) throw usageError(reason);
  }
}

/** The options as they were given, but any path to standard output, such as `/dev/stdout`, is `-`. */
export function withStdout({ options }: Definition, given: Values, isStdout: (path: string) => boolean): Values {
  const { output } = given;
  return options.output?.isOutputFile && typeof output === 'string' && isStdout(output)
    ? { ...given, output: '-' }
    : given;
}

/** The limits of the given options that are about some kinds of input only. */
export function inputLimitsOf(given: Values): readonly InputLimit[] {
  return Object.entries(common).flatMap(([name, { inputs, default: preset }]: [string, OptionRow<unknown>]) => {
    const value = given[name];
    const isGiven =
      inputs && value !== undefined && (inputs.value === undefined ? value !== preset : value === inputs.value);
    return isGiven ? [inputs] : [];
  });
}

/** A parser of whole numbers in a range. */
export const wholeNumber =
  (from: number, to: number, expected: string) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isInteger(value) || value < from || value > to) throw new InvalidArgumentError(`Expected ${expected}.`);
    return value;
  };

const listOf = (text: string): string[] => required(text.match(/[^,]+/g) ?? undefined, 'names or numbers');

/** A value that a parser has returned; undefined is an error. */
export function required<Value>(value: Value | undefined, expected: string): Value {
  if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
  return value;
}

const numbers = (text: string): number[] =>
  listOf(text).map((name) => required(/^\d+$/.test(name) ? Number(name) : undefined, 'numbers'));

function momentRange(text: string): MomentRange {
  try {
    return parseMomentRange(text);
  } catch (error) {
    throw usageError(`--ticks: ${reason(error)}`);
  }
}

const checksum = wholeNumber(-(2 ** 31), 2 ** 32 - 1, 'a 32-bit number');

/** An option with names that are separated by commas. */
export const nameList = (flags: string, about: string, more?: More<string[] | undefined>) =>
  parsed(flags, about, listOf, more);

export const repeated = (flags: string, about: string, more?: More<string[] | undefined>) =>
  parsed<string[]>(flags, about, (text, before = []) => [...before, text], more);

/** An option with a checksum: signed, unsigned or hexadecimal. */
export const expectedChecksum = (about: string) => parsed('--expect <crc>', about, (text) => checksum(text) | 0);

/** The files that are read in folders. */
export const recordingNames = '*.demo, *.gho, *.pcap, *.pcapng, *.cap, also .gz, .zst or .zip';

/** What the names of files begin with that are not complete, and not read in folders: `.tw-snap.PID-HEX.NAME`. */
export const unfinishedName = '.tw-snap.';

/** Tests for a name, in which case does not count, or for a pattern between slashes. */
export function nameTest(text: string): (name: string) => boolean {
  const [, source, flags] = /^\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  const wanted = text.toLowerCase();
  if (source === undefined) return (name) => name.toLowerCase() === wanted;
  const pattern = new RegExp(source, flags);
  return (name) => pattern.test(name);
}

function checkedName(text: string): string {
  try {
    nameTest(text);
  } catch {
    throw new InvalidArgumentError('Expected a name or a regular expression as /RE/.');
  }
  return text;
}

const inGroup = <Rows extends OptionRows>(group: keyof typeof headings, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, group }])) as Rows;

/** Options that mean the same in all commands that have them. */
export const common = {
  ...inGroup('input', {
    from: oneOf('-f, --from <encoding>', 'how the input is encoded', [
      'auto',
      ...knownFormats.map(({ name }) => name),
      ...['packet', 'message', 'huffman', 'packed', 'ints', 'json', 'hex', 'bytes'],
    ]),
    kind: oneOf('-k, --kind <kind>', 'what the input contains', ['auto', 'delta', 'snapshot', 'packet', 'message'], {
      inputs: { kinds: ['payload', 'moment'], text: '-k is for single payloads and FILE@MOMENT' },
    }),
    protocol: oneOf('-p, --protocol <version>', 'protocol version (DDNet: 0.6)', ['auto', '0.5', '0.6', '0.7'], {
      inputs: {
        value: '0.5',
        kinds: ['payload', 'demo'],
        text: '-p 0.5 is for payloads and demos; captures of 0.5 are not read',
      },
    }),
    schema: text('--schema <file>', "a mod's items and messages as JSON (default: TW_SNAP_SCHEMA)"),
    nth: parsed(
      '--nth <number>',
      'text with several packets: only this one, from 1',
      wholeNumber(1, Infinity, 'a number from 1'),
      {
        inputs: { kinds: ['payload'], text: '--nth is for text with several packets' },
      },
    ),
    base: text('--base <file>', "the base of a delta, 'empty', or 'unknown' (default: 'empty' for whole items)", {
      inputs: {
        kinds: ['payload', 'moment'],
        isOfInput: true,
        text: '--base is for single deltas; a recording has its own',
      },
    }),
    include: repeated('--include <glob>', `files to read in folders (default: ${recordingNames}); may be repeated`),
    follow: flag('--follow', 'keep reading what is added to the file or pipe, until Ctrl-C'),
  }),
  ...inGroup('selection', {
    client: parsed('--client <which>', 'captures: a connection by address, port, player or number', checkedName, {
      inputs: { kinds: ['capture'], text: '--client is for captures' },
    }),
    ticks: parsed('--ticks <range>', 'only A..B, each a tick, a time as 0:30, first or last-10s', momentRange, {
      inputs: { kinds: ['demo', 'capture'], isWhole: true, text: '--ticks is for whole recordings' },
    }),
  }),
  ...inGroup('other', {
    strict: flag('--strict', 'treat warnings as findings: exit 1'),
    showSecrets: flag('--show-secrets', 'show passwords and lines of rcon, which are (hidden) otherwise'),
    jobs: parsed(
      '--jobs <count>',
      'files to read at once (default: the number of cores)',
      wholeNumber(1, 256, '1 to 256'),
    ),
  }),
};

const { from, kind, protocol, schema, nth, base, client, include, follow } = common;
export const { ticks } = common;

const formats = ['auto', ...knownFormats.map(({ name }) => name)];
/** How recordings are read. */
export const recordingInput = {
  from: { ...from, flags: '-f, --from <format>', about: 'the format of the recording', choices: formats },
  protocol,
  schema,
  client,
};
/** How recordings are read of which there may be several, or a growing one. */
export const recordingsInput = { ...recordingInput, include, follow, ticks };
/** How inputs are read of which each is a snapshot. */
export const snapshotInput = { ...recordingInput, from, nth, base };
/** How inputs are read of which each is a recording or a single payload. */
export const anyInput = { ...snapshotInput, kind };
/** The same of several, or of a growing one. */
export const anyInputs = { ...anyInput, include, follow, ticks };

export const itemSelection = (what: string) =>
  inGroup('selection', {
    type: nameList('--type <names>', `only ${what}: names or numbers, separated by commas`),
    id: parsed('--id <numbers>', 'only items with these ids, separated by commas', numbers),
  });

export const player = parsed(
  '--player <who>',
  'only what is about this player: name, /RE/ or client number',
  checkedName,
  { group: 'selection' },
);

/** The recordings that are selected by their content. */
export const fileSelection = inGroup('selection', {
  map: text('--map <name>', 'only recordings of this map'),
  player: parsed('--player <name>', 'only recordings with a player whose name is this or matches /RE/', checkedName),
  health: oneOfOptional(
    '--health <state>',
    'only recordings in this state',
    Object.keys(healthStates) as HealthState[],
  ),
  finish: flag('--finish', 'only recordings in which a player finishes a race'),
});

const color = oneOf('--color <when>', 'whether to colour', ['auto', 'always', 'never'], { group: 'output' });
const width = parsed(
  '--width <columns>',
  'columns of the output (default: those of the terminal, 100 in a pipe)',
  wholeNumber(20, 1000, '20 to 1000'),
  { group: 'output' },
);

const places = ['auto', 'github', 'none'] as const;
export const annotations = oneOf('--annotations <where>', 'annotations for a CI server (auto: on GitHub)', places, {
  group: 'output',
});

export const output = (about: string) => text('-o, --output <file>', about, { group: 'output', isOutputFile: true });

export const to = <const Format extends string>(formats: readonly [Format, ...Format[]], about = 'what to print') =>
  oneOf('-t, --to <format>', about, formats, { group: 'output' });

export const printing = <const Format extends string>(formats: readonly [Format, ...Format[]]) => ({
  to: to(formats),
  output: output('write to a file instead of standard output'),
  color,
  width,
  ascii: flag('--ascii', "write '->' and '-' instead of signs beyond ASCII, as with LANG=C", { group: 'output' }),
  verbose: flag('-v, --verbose', 'show more: all fields, units, rows and failures', { group: 'output' }),
});

/** The options of the commands that write demos. */
export const demoOutput = (about = "the demo to write; '-' for standard output") => ({
  schema,
  output: output(about),
  color,
});
