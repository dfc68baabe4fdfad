import { Command, CommanderError } from 'commander';
import { printable } from '../src/output/text/escape.ts';
import { exit, isCommandError, usageError } from './lib/options/errors.ts';
import { type Definition, define, optionDescription, refuseCombinations, withStdout } from './lib/options/options.ts';
import { isColored } from './lib/output/colours.ts';
import type { Io, Sink } from './lib/platform/io.ts';
import { fittedSink, quietIo, withAscii, withFittedErrors } from './lib/platform/note.ts';

interface CommandModule {
  readonly definition: Definition;
  run(args: readonly (string | undefined)[], given: never, io: Io): Promise<number>;
  /** Processes one of several files (`MakeJob`), in commands that read several at once. */
  readonly makeJob?: unknown;
}

/**
 * The commands in the groups and in the order of the help: a summary, and what loads them when they are called. Each
 * summary is short: the first screen has it in one line of 60 columns.
 */
const groups: Readonly<Record<string, Readonly<Record<string, readonly [string, () => Promise<CommandModule>]>>>> = {
  'Snapshots and deltas': {
    decode: ['show what every byte of a payload means', () => import('./decode/index.ts')],
    dump: ['print all records: a timeline, or all values', () => import('./dump.ts')],
    diff: ['compare two snapshots, or write their delta', () => import('./diff.ts')],
    apply: ['compute the snapshot that deltas result in', () => import('./apply.ts')],
    checksum: ['compute checksums, compare the announced ones', () => import('./checksum/index.ts')],
  },
  Recordings: {
    info: ['describe recordings: players, counts, health', () => import('./info.ts')],
    explain: ['find the cause of a wrong checksum', () => import('./explain.ts')],
    trace: ['show why a value is what it is, and its bits', () => import('./trace.ts')],
    stats: ['show where the bytes go, by type or player', () => import('./stats.ts')],
    export: ['write tables: Parquet, CSV, NDJSON or SQLite', () => import('./export/index.ts')],
    report: ['write a web page: map, items, bytes, plots', () => import('./report.ts')],
    annotate: ['write a capture for Wireshark, with meanings', () => import('./annotate.ts')],
  },
  'Cut, change, record': {
    slice: ['cut by time, client, around kills or chat', () => import('./slice/index.ts')],
    edit: ['change a demo: names, messages, map, markers', () => import('./edit/index.ts')],
    repair: ['make damaged demos playable', () => import('./repair.ts')],
    concat: ['join demos of one map, or captures', () => import('./concat/index.ts')],
    extract: ["write a demo's map, a snapshot or a packet", () => import('./extract.ts')],
    record: ['record a live match through a relay', () => import('./record/index.ts')],
  },
  Other: {
    schema: ['list items and messages; find a name', () => import('./schema.ts')],
    completion: ['print the completion script for a shell', () => import('./completion.ts')],
  },
};

export const commands = Object.entries(groups).flatMap(([group, entries]) =>
  Object.entries(entries).map(([name, [summary, load]]) => ({ group, name, summary, load })),
);

/**
 * Runs the command line `argv` (without node and script) and returns the exit status. This is the only place that
 * handles errors.
 */
export async function main(argv: readonly string[], system: Io): Promise<number> {
  // What of standard output is for people is known later.
  const platform = withAscii(withFittedErrors(system), { to: null, ascii: argv.includes('--ascii') });
  const output: Promise<void>[] = [];
  // The texts before and after the help are separate writes, which one sink keeps in their order.
  const stdout = fittedSink(platform.stdout);
  const printHelp = (text: string) =>
    output.push(stdout.write(isColored('auto', platform) ? withColouredHeadings(text) : text));
  try {
    if (isVersionInDetail(argv)) {
      await platform.stdout.write((await import('./topics.ts')).versionInDetail());
      return exit.fine;
    }
    if (argv[0] === 'completion' && argv[1] === '--words') return await complete(argv.slice(2), platform);
    let status: number = exit.fine;
    const program = newProgram()
      .exitOverride()
      .configureOutput({
        writeOut: printHelp,
        writeErr: (text) => output.push(platform.stderr.write(text)),
        outputError: (text, write) => write(`tw-snap: ${usageMessage(text)}\n`),
        getOutHelpWidth: () => helpWidth(platform.stdout),
        getErrHelpWidth: () => helpWidth(platform.stderr),
      })
      .showHelpAfterError("tw-snap: run 'tw-snap help' for usage");
    const { args, io } = await withImpliedCommand(withHelpOption(argv.map(asMoment)), platform);
    const word = args.find((arg) => !arg.startsWith('-'));
    if (word === 'help' || args.length === 0 || (word === undefined && args.some(isHelp))) {
      const { helpText } = await import('./topics.ts');
      printHelp(helpText(word && args[1], commands, stdout.columns));
      return exit.fine;
    }
    const called = commands.find(({ name }) => name === word);
    if (called) {
      const command = addCommand(called, program);
      const { definition, run } = await called.load();
      const addOptions = args.includes('-h') ? (await import('./lib/options/short-help.ts')).shortHelp : define;
      addOptions(command, definition).action(async () => {
        const given = withStdout(definition, command.opts(), io.isStdout);
        refuseCombinations(definition, given, command.args);
        status = await run(command.args, given as never, withAscii(given.quiet ? quietIo(io) : io, given));
      });
    } else {
      if (word !== undefined) await refuseOther(word);
      for (const entry of commands) addCommand(entry, program);
    }
    // Only the name of an unknown command is left: `frob --help` has no help.
    await program.parseAsync(called || word === undefined ? args : [word], { from: 'user' });
    return status;
  } catch (error) {
    return await report(error, platform);
  } finally {
    await Promise.all(output);
  }
}

/**
 * Adds the command to `tw-snap FILE…` and to `… | tw-snap`: see {@link impliedCommand}. Any other command line is
 * unchanged.
 */
async function withImpliedCommand(given: readonly string[], io: Io) {
  const named = given.find((arg) => arg === '-' || !arg.startsWith('-'));
  const asksForHelp = given.some((arg) => /^(-h|--help|-V|--version)$/.test(arg));
  const isPiped = named === undefined && !asksForHelp && io.stdinIsPiped;
  const file = isPiped ? '-' : named;
  const unchanged = { args: given, io };
  if (file === undefined || isCommand(file)) return unchanged;
  // Loaded here only, to keep start-up fast.
  const { impliedCommand } = await import('./implied.ts');
  const { command, io: changed } = (await impliedCommand(file, isPiped, io)) ?? {};
  return command ? { args: [command, ...given, ...(isPiped ? ['-'] : [])], io: changed ?? io } : unchanged;
}

/** In a narrow terminal the lines of the help are not laid out in columns, only broken between words. */
const helpWidth = ({ columns = 100 }: Sink) => (columns < 60 ? 1000 : columns);

/** The help of a command, whose own text after the options has headings, too. */
const withColouredHeadings = (help: string) =>
  help.replace(/^(?:Usage:|[-A-Z][\w ,-]+:$)/gm, '\u001b[1;36m$&\u001b[22;39m');

/** @throws CommandError for a word of other programs, as `grep` */
async function refuseOther(word: string): Promise<void> {
  const { meantBy } = await import('./topics.ts');
  const meant = meantBy(word);
  if (meant !== undefined) throw usageError(`unknown command '${word}'; did you mean ${meant}?`);
}

/** `-@9938`, as `checksum --list` prints it, is a moment of standard input, and no option. */
const asMoment = (word: string) => (/^-[@#]/.test(word) ? word.slice(1) : word);

/** Turns `help COMMAND` into `COMMAND --help`. */
function withHelpOption(argv: readonly string[]): readonly string[] {
  const [first, name] = argv;
  if (first === 'version' && name === undefined) return ['--version'];
  return first === 'help' && commands.some((command) => command.name === name) ? [name!, '--help'] : argv;
}

const isHelp = (arg: string) => /^(-h|--help)$/.test(arg);

const isCommand = (word: string) => word === 'help' || commands.some(({ name }) => name === word);

const isVersionInDetail = (argv: readonly string[]) =>
  argv.length === 2 &&
  argv.some((word) => /^(version|-V|--version)$/.test(word)) &&
  argv.some((word) => word === '-v' || word === '--verbose');

const newProgram = () =>
  new Command('tw-snap')
    .version(VERSION, '-V, --version', 'print the version, with -v also what it was built from')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command, or of what commands share')
    .configureHelp({ optionDescription });

const addCommand = ({ group, name, summary }: (typeof commands)[0], program: Command) =>
  program
    .commandsGroup(`${group}:`)
    .command(name)
    .summary(summary)
    .description(summary)
    .showHelpAfterError(`tw-snap: run 'tw-snap help ${name}' for usage`);

/** The command line with the options of one command, for completion, or of all, for the man pages. */
export async function wholeProgram(only?: string): Promise<Command> {
  const program = newProgram();
  for (const entry of commands) {
    const command = addCommand(entry, program);
    if (only === undefined || entry.name === only) define(command, (await entry.load()).definition);
  }
  return program;
}

async function complete(words: readonly string[], { stdout }: Io): Promise<number> {
  const { candidatesFor } = await import('./completion.ts');
  const called = words.slice(0, -1).find((word) => !word.startsWith('-'));
  await stdout.write(candidatesFor(words, await wholeProgram(called ?? '')));
  return exit.fine;
}

async function report(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.fine : exit.usage;
  if (isCommandError(error)) {
    await io.stderr.write(`tw-snap: ${error.message}\n`);
    return error.status;
  }
  const isDebugging = io.env.DEBUG === 'tw-snap';
  const stack = isDebugging && error instanceof Error ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  await io.stderr.write(`tw-snap: internal error: ${stack ?? message}\n`);
  if (!isDebugging) await io.stderr.write('tw-snap: this is a bug; DEBUG=tw-snap shows its position\n');
  return exit.unreadable;
}

/** Commander's message in one line. Words of the command line are escaped. */
const usageMessage = (text: string) =>
  printable(text.trimEnd().replace(/^error: /, '')).replace('\\n(Did you mean', ' (Did you mean');
