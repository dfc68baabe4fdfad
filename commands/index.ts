import { Command, CommanderError } from 'commander';
import { printable } from '../src/output/text/escape.ts';
import { attempt } from '../src/wire/bytes/diagnostic.ts';
import { exit, inputError, isCommandError, missing } from './lib/options/errors.ts';
import { type Definition, define, optionDescription, refuseCombinations, withStdout } from './lib/options/options.ts';
import { isColored } from './lib/output/colours.ts';
import type { Io, Sink } from './lib/platform/io.ts';
import { changed, fittedSink, quietIo, withAscii, withFittedErrors } from './lib/platform/note.ts';

interface CommandModule {
  readonly definition: Definition;
  run(args: readonly (string | undefined)[], given: never, io: Io): Promise<number>;
  /** Processes one of several files (`MakeJob`), in commands that read several at once. */
  readonly makeJob?: unknown;
}

/** The commands that most people need; `help --all` lists the others, too. */
const most = new Set(['decode', 'dump', 'info', 'report', 'checksum', 'stats', 'export', 'slice']);

/** The commands in the groups and in the order of `help --all`: a summary, and what loads them when they are called. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly [string, () => Promise<CommandModule>]>>>> = {
  Inspect: {
    decode: ['show the bytes of a snapshot or packet, and their meaning', () => import('./decode/index.ts')],
    dump: ['print all records of a recording: a timeline, or all values', () => import('./dump.ts')],
    info: ['describe demos, captures and ghosts: players, counts, health', () => import('./info.ts')],
    schema: ['list the items and messages of a protocol, and their fields', () => import('./schema.ts')],
    report: ['write a self-contained web page: map, items, bytes, plots', () => import('./report.ts')],
    trace: ['show why a value is what it is: what set it, where its bits are', () => import('./trace.ts')],
  },
  Check: {
    checksum: ['compute checksums; compare them with the announced ones', () => import('./checksum/index.ts')],
    explain: ['find the cause of a wrong checksum or an unreadable delta', () => import('./explain.ts')],
    diff: ['compare two snapshots field by field, or write their delta', () => import('./diff.ts')],
    apply: ['compute the snapshot that results from a base and deltas', () => import('./apply.ts')],
  },
  Analyse: {
    stats: ['show where the bytes go: by item type, field, player or time', () => import('./stats.ts')],
    export: ['write tables: Parquet, CSV, NDJSON or SQLite', () => import('./export/index.ts')],
    annotate: ['write a capture for Wireshark with the meaning of its packets', () => import('./annotate.ts')],
  },
  Write: {
    slice: ['cut demos out of a demo: by time, around kills, chat, finishes', () => import('./slice.ts')],
    edit: ['change a demo: names, messages, map, markers, format version', () => import('./edit.ts')],
    repair: ['make damaged demos and demos with wrong item sizes playable', () => import('./repair.ts')],
    concat: ['join demos of one map', () => import('./concat.ts')],
    extract: ["write a demo's map, a snapshot, packet, run or client's demo", () => import('./extract.ts')],
    record: ['record a live match through a relay, as demos or a capture', () => import('./record/index.ts')],
  },
  Other: { completion: ['print the completion script for a shell', () => import('./completion.ts')] },
};

export const commands = Object.entries(groups).flatMap(([group, entries]) =>
  Object.entries(entries).map(([name, [summary, load]]) => ({ group, name, summary, load })),
);

const about = `Inspects Teeworlds and DDNet network data. tw-snap FILE shows what is in a file.

Exit status: 0 success, 1 a finding (with --strict also a warning), 2 wrong usage, 3 input that could not be read completely.`;

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
  try {
    if (isVersionInDetail(argv)) {
      await platform.stdout.write(versionInDetail());
      return exit.fine;
    }
    if (argv[0] === 'completion' && argv[1] === '--words') return await complete(argv.slice(2), platform);
    let status: number = exit.fine;
    const program = newProgram()
      .exitOverride()
      .configureOutput({
        writeOut: (text) => output.push(stdout.write(isColored('auto', platform) ? withColouredHeadings(text) : text)),
        writeErr: (text) => output.push(platform.stderr.write(text)),
        outputError: (text, write) => write(`tw-snap: ${usageMessage(text)}\n`),
        getOutHelpWidth: () => helpWidth(platform.stdout),
        getErrHelpWidth: () => helpWidth(platform.stderr),
      })
      .showHelpAfterError("tw-snap: run 'tw-snap help' for usage");
    const isAll = argv[0] === 'help' && argv[1] === '--all';
    const { args, io } = await withImpliedCommand(isAll ? ['--help'] : withHelpOption(argv), platform);
    const word = args.find((arg) => !arg.startsWith('-'));
    const called = commands.find(({ name }) => name === word);
    if (called) {
      const command = addCommand(called, program);
      const { definition, run } = await called.load();
      define(command, definition).action(async () => {
        const given = withStdout(definition, command.opts(), io.isStdout);
        refuseCombinations(definition, given, command.args);
        status = await run(command.args, given as never, withAscii(given.quiet ? quietIo(io) : io, given));
      });
    } else {
      for (const entry of commands) addCommand(entry, program, { hidden: !isAll && !most.has(entry.name) });
      if (!isAll) program.addHelpText('after', `\n${commands.length - most.size} more commands: tw-snap help --all`);
    }
    if (args.length === 0) program.outputHelp();
    // Only the name of an unknown command is left: `frob --help` has no help.
    else await program.parseAsync(word === undefined || isCommand(word) ? args : [word], { from: 'user' });
    return status;
  } catch (error) {
    return await report(error, platform);
  } finally {
    await Promise.all(output);
  }
}

/**
 * Adds the command to `tw-snap FILE…` and to `… | tw-snap`: `decode` for a single payload, `info` for recordings and
 * folders, `explain` for the log of a client. Any other command line is unchanged.
 */
async function withImpliedCommand(given: readonly string[], io: Io) {
  const unchanged = { args: given, io };
  const named = given.find((arg) => arg === '-' || !arg.startsWith('-'));
  const asksForHelp = given.some((arg) => /^(-h|--help|-V|--version)$/.test(arg));
  const isPiped = named === undefined && !asksForHelp && io.stdinIsPiped;
  const file = isPiped ? '-' : named;
  const args = isPiped ? [...given, '-'] : given;
  if (file === undefined || isCommand(file)) return unchanged;

  // Loaded here only, to keep start-up fast.
  const { openInput, splitPosition } = await import('./lib/input/inputs.ts');
  const { inPieces, readAll } = await import('../src/input/decompress/pieces.ts');
  const { maxTextBytes } = await import('../src/input/source/byte-strings.ts');
  const { path = '-', position } = splitPosition(file, io);
  if (path !== '-' && !io.exists(path)) {
    if (/[./\\]/.test(path)) throw inputError(`${path}: ${missing(path, io.exists)}`);
    return unchanged;
  }
  if (position) return { args: ['range' in position ? 'dump' : 'decode', ...args], io };
  if (io.isFolder(path)) return { args: ['info', ...args], io };

  const opened = await openInput(path, { io });
  if (isPiped && opened.isEmpty) return unchanged;
  const start = opened.format ? undefined : await readAll(opened.pieces, maxTextBytes + 1);
  const command = start ? await commandForPart(start) : 'info';
  if (path !== '-') {
    await opened.pieces[Symbol.asyncIterator]().return?.();
    return { args: [command, ...args], io };
  }

  // Standard input can be read only once, so what was read of it is passed on.
  const pieces = start ? inPieces(start) : opened.pieces;
  const open: Io['open'] = (name, start) => (name === '-' ? pieces : io.open(name, start));
  return { args: [command, ...args], io: changed(io, { open }) };
}

/** `explain` for a log, or a text with a line of one that says what went wrong; `decode` for other bytes. */
async function commandForPart(bytes: Uint8Array): Promise<'explain' | 'decode'> {
  const { textOf } = await import('../src/input/pasted/text-encoding.ts');
  const text = textOf(bytes);
  if (text === undefined) return 'decode';
  const { LogLines, readLogLine } = await import('../src/analysis/explain/log.ts');
  const { readPastedText } = await import('../src/input/pasted/pasted-text.ts');
  const { logSentences } = await import('../src/recording/games/log-sentences.ts');
  const lines = text.split('\n');
  if (lines.some((line) => readLogLine(line, 1, logSentences) !== undefined)) return 'explain';
  const logged = new LogLines();
  for (const line of lines) logged.add(line);
  return logged.owner !== undefined && !attempt(() => readPastedText(text)) ? 'explain' : 'decode';
}

/** In a narrow terminal the lines of the help are not laid out in columns, only broken between words. */
const helpWidth = ({ columns = 100 }: Sink) => (columns < 60 ? 1000 : columns);

/** The help of a command, whose own text after the options has headings, too. */
const withColouredHeadings = (help: string) => help.replace(/^(?:Usage:|[A-Z]\w+:$)/gm, '\u001b[1;36m$&\u001b[22;39m');

/**
 * Turns `help COMMAND` into `COMMAND --help`. Of an unknown command only the name remains, which then results in an
 * error.
 */
function withHelpOption(argv: readonly string[]): readonly string[] {
  const [first, name] = argv;
  if (first === 'version' && name === undefined) return ['--version'];
  if (first !== 'help' || name === undefined || name.startsWith('-')) return argv;
  return commands.some((command) => command.name === name) ? [name, '--help'] : [name];
}

const isCommand = (word: string) => word === 'help' || commands.some(({ name }) => name === word);

const isVersionInDetail = (argv: readonly string[]) =>
  argv.length === 2 &&
  argv.some((word) => /^(version|-V|--version)$/.test(word)) &&
  argv.some((word) => word === '-v' || word === '--verbose');

const versionInDetail = () => `tw-snap ${VERSION}
commit ${COMMIT || 'unknown'}
Node ${process.version}
protocol tables: 0.5, 0.6.5, 0.7.5; DDNet 20.1 of 2026-09, compared with DDNet's development build of 2026-08-22 (28baa427)
`;

const newProgram = () =>
  new Command('tw-snap')
    .description(about)
    .version(VERSION, '-V, --version', 'print the version, with -v also what it was built from')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'print the help of a command; --all lists all commands')
    .configureHelp({ optionDescription })
    .addHelpText('after', '\nStart with: tw-snap FILE, or paste hex into tw-snap decode.');

const addCommand = ({ group, name, summary }: (typeof commands)[0], program: Command, options = {}) =>
  program
    .commandsGroup(`${group}:`)
    .command(name, options)
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
