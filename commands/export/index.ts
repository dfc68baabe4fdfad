import { InvalidArgumentError } from 'commander';
import { secondsOf } from '../../src/input/source/position.ts';
import { FindingKinds, findingText } from '../../src/output/phrases/finding-phrases.ts';
import { Batch, type TableSchema } from '../../src/output/tables/batch.ts';
import { dictionaryOf } from '../../src/output/tables/dictionary.ts';
import { fixedTables, RecordingTables, tablesBy } from '../../src/output/tables/recording-tables.ts';
import { addConnection, addSummary, addUnreadable } from '../../src/output/tables/summary-tables.ts';
import { Tables } from '../../src/output/tables/tables.ts';
import { wordTable } from '../../src/output/text/drawn-table.ts';
import { jsonText, pathText, printable } from '../../src/output/text/escape.ts';
import { count, size, thousands } from '../../src/output/text/number.ts';
import { plainTheme } from '../../src/output/text/theme.ts';
import { statusOf } from '../../src/recording/health/findings.ts';
import { RecordingSummary } from '../../src/recording/summary/recording-summary.ts';
import { crc32 } from '../../src/wire/codec/crc32.ts';
import { findTypes } from '../../src/wire/protocol/lookup.ts';
import { protocolOf, type Schema, versions } from '../../src/wire/protocol/registry.ts';
import { ticksPerSecond } from '../../src/wire/protocol/ticks.ts';
import { filesOf } from '../lib/input/folders.ts';
import { inputOf } from '../lib/input/input-of.ts';
import type { Input } from '../lib/input/inputs.ts';
import { type OpenedRecording, open, openPlain } from '../lib/input/opened.ts';
import { textIn } from '../lib/input/plain.ts';
import { summarise } from '../lib/input/summarise.ts';
import { CommandError, exit, usageError, withoutName } from '../lib/options/errors.ts';
import { type FileFilter, fileFilterOf } from '../lib/options/file-filter.ts';
import {
  anyInput,
  common,
  fileSelection,
  flag,
  type Given,
  itemSelection,
  nameList,
  oneOf,
  parsed,
  player,
  text,
  ticks,
  to,
} from '../lib/options/options.ts';
import { filterOf, isOfNoTable, unknownName } from '../lib/options/selection.ts';
import { where } from '../lib/options/where.ts';
import { OutputFile, refuseBinary } from '../lib/output/printing.ts';
import { OutputWriter } from '../lib/output/writer.ts';
import type { Io } from '../lib/platform/io.ts';
import { fittedSink, printError, printProblem } from '../lib/platform/note.ts';
import type { Task } from '../lib/platform/protocol.ts';
import { eachTask, type MakeJob, worthBytes } from '../lib/run/tasks.ts';
import { PartWriter, SingleTable, type TableOutput } from './output.ts';

/** A number of ticks, or a time: `50`, `1s`. */
function ticksApart(text: string): number {
  const seconds = /^\d+$/.test(text) ? undefined : secondsOf(text);
  const count = seconds === undefined ? Number(text) : Math.round(seconds * ticksPerSecond);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('expected a number of ticks from 1, or a time as 1s');
}

export const definition = {
  usage: '[options] <file...> -o <folder>',
  arguments: { '[file...]': "demos, captures, folders, snapshots, deltas, packets; '-' for standard input" },
  options: {
    tables: nameList('--tables <tables>', 'only these tables, separated by commas'),
    every: parsed(
      '--every <ticks>',
      'only snapshots that are at least this many ticks apart, or this time: 1s',
      ticksApart,
    ),
    changes: flag('--changes', 'only rows that differ from the preceding row of the item'),
    shard: parsed(
      '--shard <K/N>',
      'only share K of N of the files, K from 0; the same files on every machine',
      parseShard,
    ),
    ...anyInput,
    include: common.include,
    filesFrom: text('--files-from <file>', "a list of files, one per line; '-' for standard input", { group: 'input' }),
    ...itemSelection('items of these types'),
    where: { ...where, about: "only rows of items and messages that a query selects: 'obj_character x>800'" },
    ticks,
    ...fileSelection,
    player: { ...player, about: 'only recordings with this player, and rows about the player: name, /RE/ or number' },
    to: to(['parquet', 'csv', 'ndjson', 'sqlite'], 'format of the tables; sqlite is one file with all of them'),
    output: text(
      '-o, --output <folder>',
      "the folder to write, with a subfolder for each table; '-' for standard output; the file of -t sqlite",
      { group: 'output', isOutputFile: true },
    ),
    summary: oneOf('--summary <format>', 'how to print what was written to the folder', ['table', 'json'], {
      group: 'output',
      refusal: ({ output }) => (isFolderNamed(output) ? undefined : '--summary is for a folder (-o)'),
    }),
    strict: common.strict,
    jobs: common.jobs,
    showSecrets: common.showSecrets,
  },
  help: `
Tables: demos, connections, connection_events, sessions, snapshots, players,
positions, chat, kills, finishes, votes, messages, unknown_items, and one for each
item that tw-snap schema lists. A folder has dictionary.csv: what columns mean.

Examples:
  tw-snap export match.demo -o tables
  tw-snap export match.demo --tables kills -t csv
  tw-snap export demos/*.demo --shard 0/2 -o tables`,
};

type ExportOptions = Given<(typeof definition)['options']>;

/**
 * The files of one export task; with one thread there is only one task. It is plain data, which can be sent to a
 * thread.
 */
interface ExportTask extends Task {
  readonly files: readonly string[];
  /** The first part of its part names. */
  readonly name: string;
}

interface TaskResult {
  readonly status: number;
  readonly files: number;
  readonly failed: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** The paths of its parts, relative to the folder. */
  readonly parts: readonly string[];
}

interface ExportContext {
  readonly options: ExportOptions;
  readonly input: Input;
  readonly isFileSelected: FileFilter | undefined;
  readonly tables: ReadonlySet<string> | undefined;
}

/** Exports the files of a task one by one, and of a damaged file everything readable. */
async function runTask(
  { files }: Pick<ExportTask, 'files'>,
  output: TableOutput,
  context: ExportContext,
): Promise<TaskResult> {
  const { options, input, isFileSelected } = context;
  const tables = new Tables((name) => context.tables?.has(name) ?? true);
  const { every, changes } = options;
  const recording = new RecordingTables(tables, { every, changes, schema: input.schema });
  let status: number = exit.fine;
  let failed = 0;

  for (const file of files) {
    let opened: OpenedRecording | undefined;
    try {
      // Written rows cannot be removed again, and those of a long recording are too many to keep, so it is read twice.
      const openAll = async (input: Input) => (await open(file, input)).recordingOrPayload(input);
      const whole = isFileSelected && (await openAll({ ...input, ticks: undefined }));
      if (whole && !isFileSelected((await summarise(whole, input)).summary)) continue;

      opened = await openAll(input);
      recording.ticks = opened.ticks;
      // Each file has its own players.
      const filter = filterOf(options, input.schema);
      recording.filter = filter.all ? undefined : filter;
      tables.player = filter.player;
      recording.query = filter.where;
      status = Math.max(await exportFile(opened, recording, tables, output, context), status);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printError(error.message, input.io);
      status = Math.max(status, error.status);
      failed++;
      // A file that ends early has a row for its readable part; wrong usage is not a result of the file.
      if (!opened && error.status !== exit.usage && isFileSelected?.(undefined) !== false)
        addUnreadable(tables, file, withoutName(printable(file), error.message));
    }
  }

  for (const batch of tables.flushRest()) await output.write(batch);
  await output.finish();
  const rows = sortedCounts([...tables.counts]);
  return { status, files: files.length, failed, rows, bytes: output.bytes, parts: output.paths };
}

/** Rows by table, in the order of the names. */
const sortedCounts = (counts: [table: string, rows: number][]): Record<string, number> =>
  Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));

async function exportFile(
  opened: OpenedRecording,
  recording: RecordingTables,
  tables: Tables,
  output: TableOutput,
  { input, options }: ExportContext,
): Promise<number> {
  const { name } = opened;
  const sha256 = (await import('node:crypto')).createHash('sha256');
  const writeFull = async () => {
    for (const batch of tables.flushFull()) await output.write(batch);
  };
  const records = await opened.records(input, { hidesSecrets: !options.showSecrets });
  const summary = new RecordingSummary(records.replay);
  recording.begin(name);
  const { failure } = await records.read({
    add(entry) {
      tables.player?.follow(entry);
      recording.query?.follow(entry);
      const dropped = entry.record === 'drop' ? summary.summaryOf(entry.stream) : undefined;
      if (dropped) addConnection(tables, { file: name, bytes: 0, summary }, dropped);
      summary.add(entry);
      recording.add(entry);
      return tables.hasFull ? writeFull() : undefined;
    },
    async afterPiece(piece) {
      sha256.update(piece);
      await writeFull();
    },
    async afterAll({ bytes, failure }) {
      recording.finish();
      const reason = failure && withoutName(printable(name), failure.message);
      // A single snapshot or delta is no recording, of which there is more to say than its items.
      if (!opened.only)
        addSummary(tables, { file: name, sha256: sha256.digest('hex'), bytes, failure: reason, summary });
      await printFindings(name, summary, input.io);
    },
  });
  if (failure) throw failure;
  return Math.max(statusOf(summary.findings, input.strict), opened.doubt ?? exit.fine);
}

const shownFindings = 5;

async function printFindings(file: string, { findings, omittedDiagnostics }: RecordingSummary, io: Io) {
  const name = pathText(file);
  const texts = new FindingKinds(findings).all.flatMap((finding) => findingText(finding, file) ?? []);
  for (const text of texts.slice(0, shownFindings)) await printProblem(`${name}: ${text}`, io);
  const others = texts.length + omittedDiagnostics - shownFindings;
  if (others > 0) await printProblem(`${name}: ${others} more`, io);
}

/** One of `count` shares of the files. The hash of a file's path decides which share it belongs to. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

const wholeInput: Shard = { index: 0, count: 1 };

/** `0/4` to `3/4`. */
function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const index = Number(match?.[1]);
  const count = Number(match?.[2]);
  if (!match || index >= count) throw new InvalidArgumentError('Expected K/N with K from 0 to N - 1.');
  return { index, count };
}

const hash = (text: string): number => crc32(new TextEncoder().encode(text)) >>> 0;

/** The files of a shard, chosen by their paths, so that every machine gets the same result. */
const filesOfShard = (files: readonly string[], { index, count }: Shard): readonly string[] =>
  count === 1 ? files : files.filter((file) => hash(file) % count === index);

/** Names the parts of a run after the shard and its inputs, so that a repeated run replaces its parts. */
const runName = (files: readonly string[], { index, count }: Shard): string =>
  `part-${index}of${count}-${hash(files.join('\n')).toString(16).padStart(8, '0')}`;

/** Divides files into groups of similar total size; the same files always result in the same groups. */
function groupsOf(files: readonly string[], count: number, sizeOf: (file: string) => number): string[][] {
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], bytes: 0 }));
  const sized = files.map((file, i) => ({ file, i, bytes: sizeOf(file) }));
  for (const { file, bytes } of sized.sort((a, b) => b.bytes - a.bytes || a.i - b.i)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  const order = new Map(files.map((file, i) => [file, i]));
  return groups
    .map((group) => group.files.sort((a, b) => order.get(a)! - order.get(b)!))
    .filter((group) => group.length > 0);
}

/** Whether `-o` names something to write: nothing, and `-`, are standard output. */
const isFolderNamed = (output: unknown): output is string => typeof output === 'string' && output !== '-';

export async function run(args: readonly string[], options: ExportOptions, io: Io): Promise<number> {
  const named = [...args, ...(options.filesFrom === undefined ? [] : await listed(options.filesFrom, io))];
  if (named.length === 0) throw usageError('no files: name recordings, or a list of them with --files-from');
  const { files: all } = await filesOf(named, options, io);
  if (filesSelected(options) && all.includes('-')) {
    throw usageError(
      '--map, --player, --health and --finish read a file before it is exported: name a file, not standard input',
    );
  }
  // What is wrong with a selection is wrong with all files, and is said before one is read.
  filterOf(options, (await inputOf(options, io)).schema);
  const files = filesOfShard(all, options.shard ?? wholeInput);
  if (options.to === 'sqlite') return toDatabase(files, options, io);
  return isFolderNamed(options.output) ? toFolder(files, options.output, options, io) : toStdout(files, options, io);
}

async function toDatabase(files: readonly string[], options: ExportOptions, io: Io): Promise<number> {
  const { output: path, tables } = options;
  if (path === undefined) throw usageError('-t sqlite writes a file: name it with -o');
  if (!isFolderNamed(path)) throw usageError('-o is standard output; -t sqlite writes a file');
  if (io.isFolder(path)) throw usageError(`${path}: is a folder; -t sqlite writes one file`);
  const { SqliteOutput } = await import('./sqlite.ts');
  const context = await contextOf(options, io);
  const wanted = fixedTables.filter(({ name }) => tables?.includes(name) ?? true);
  const result = await runTask({ files }, await SqliteOutput.open(path, wanted, io), context);
  return printExported({ run: path, ...result, parts: result.parts.length }, options, io);
}

async function toStdout(files: readonly string[], options: ExportOptions, io: Io): Promise<number> {
  const context = await contextOf(options, io);
  const [table, other] = context.tables ?? [];
  if (table === undefined || other !== undefined) {
    const named = [...(context.tables ?? [])].join(', ');
    const found = named === '' ? '' : ` (--tables names ${named})`;
    throw usageError(`name a folder with -o, or one table with --tables, which goes to standard output${found}`);
  }
  if (options.to === 'parquet') refuseBinary('Parquet is binary', { io });
  const writer = new OutputWriter({}, io);
  const schema = tablesBy(context.input.schema).get(table)!();
  const { status } = await runTask({ files }, new SingleTable(schema, options.to, writer), context);
  await writer.end(status);
  return status;
}

async function toFolder(files: readonly string[], folder: string, options: ExportOptions, io: Io): Promise<number> {
  const name = runName(files, options.shard ?? wholeInput);
  const jobs = await jobsFor(files, options, io);
  const groups = groupsOf(files, jobs, (file) => io.size(file));
  const tasks = groups.map((group, i) => ({ file: group[0] ?? folder, files: group, name: `${name}-${i}` }));

  const results: TaskResult[] = [];
  await eachTask({
    command: 'export',
    options,
    multipleFiles: true,
    writer: new OutputWriter({}, io),
    io,
    threads: Math.min(jobs, tasks.length),
    tasks,
    job: await makeJob(options, true, io),
    add: (result) => void results.push(result),
  });

  const empty = await writeEmptyTables(folder, name, results, options, io);
  const parts = [...results.flatMap((result) => result.parts), ...empty.paths];
  await removeOldParts(folder, name, new Set(parts), io);
  await writeDictionary(folder, options, io);
  const sum = (of: (result: TaskResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const exported: Exported = {
    run: name,
    files: sum((result) => result.files),
    failed: sum((result) => result.failed),
    rows: sumOfRows(results),
    bytes: sum((result) => result.bytes) + empty.bytes,
    parts: parts.length,
    status: Math.max(exit.fine, ...results.map((result) => result.status)),
  };
  return printExported(exported, options, io);
}

/** The number of threads: one for a single file, standard input, or files so small that threads cost more than they save. */
async function jobsFor(files: readonly string[], { jobs }: ExportOptions, io: Io): Promise<number> {
  if (files.length < 2 || files.includes('-')) return 1;
  const bytes = files.reduce((sum, file) => sum + io.size(file), 0);
  if (jobs === undefined && bytes < worthBytes) return 1;
  return Math.min(jobs ?? (await io.cores()), files.length);
}

function sumOfRows(results: readonly TaskResult[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { rows } of results) {
    for (const [table, rowCount] of Object.entries(rows)) counts.set(table, (counts.get(table) ?? 0) + rowCount);
  }
  return sortedCounts([...counts]);
}

async function printExported(summary: Exported, options: ExportOptions, io: Io): Promise<number> {
  await fittedSink(io.stdout).write(options.summary === 'json' ? `${jsonText(summary)}\n` : renderExported(summary));
  return summary.status;
}

interface Exported extends Omit<TaskResult, 'parts'> {
  readonly run: string;
  readonly parts: number;
}

function renderExported({ files, failed, rows, bytes, parts }: Exported): string {
  const all = Object.entries(rows);
  const head = { head: 'table', align: 'left', cell: ([name]: [string, number]) => name } as const;
  const lines = wordTable([head, { head: 'rows', cell: ([, number]) => thousands(number) }], all, plainTheme);
  const unread = failed > 0 ? `, ${thousands(failed)} of which could not be read` : '';
  const total = all.reduce((sum, [, number]) => sum + number, 0);
  const written = `${count(parts, 'file')}, ${size(bytes)}`;
  lines.push(`${count(total, 'row')} of ${count(files, 'recording')}${unread}: ${written}`);
  return `${lines.join('\n')}\n`;
}

/** Writes the tables without rows, so that queries about them run. */
async function writeEmptyTables(
  folder: string,
  name: string,
  results: readonly TaskResult[],
  { tables, to }: ExportOptions,
  io: Io,
): Promise<PartWriter> {
  const output = new PartWriter(folder, `${name}-0`, to, io);
  if (results.some(({ files, failed }) => files > failed)) {
    const isWanted = ({ name }: TableSchema) => tables?.includes(name) ?? true;
    const isEmpty = ({ name }: TableSchema) => !results.some(({ rows }) => rows[name]);
    for (const schema of fixedTables) if (isWanted(schema) && isEmpty(schema)) await output.write(new Batch(schema));
    await output.finish();
  }
  return output;
}

/**
 * Writes beside the tables what they and their columns are: of all tables in the folder, whichever run or shard wrote
 * them.
 */
async function writeDictionary(folder: string, options: ExportOptions, io: Io): Promise<void> {
  const { schema } = await inputOf(options, io);
  const all = tablesBy(schema);
  const tables = [...(await io.filesIn(folder))].sort().flatMap((name) => all.get(name)?.() ?? []);
  if (tables.length === 0) return;
  const batch = dictionaryOf(tables);
  const file = new OutputFile(`${folder}/${batch.schema.name}.csv`, io);
  const table = new SingleTable(batch.schema, 'csv', file);
  await table.write(batch);
  await table.finish();
  await file.finish();
}

export const makeJob: MakeJob<ExportOptions, ExportTask, TaskResult> = async (options, _, io) => {
  const context = await contextOf(options, io);
  return async (task) => runTask(task, new PartWriter(options.output!, task.name, options.to, io), context);
};

const listOfTables = "'tw-snap export --help' lists the tables, 'tw-snap schema' the items";

async function contextOf(options: ExportOptions, io: Io): Promise<ExportContext> {
  const input = await inputOf(options, io);
  const items = itemsOf(input.schema);
  const namesOf = (what: string, words: readonly string[], fixed: readonly { name: string }[], list?: string) => {
    const found = words.flatMap((word) => {
      const names = fixed.some(({ name }) => name === word) ? [word] : findTypes(items, word).map(({ name }) => name);
      if (names.length === 0) throw unknownName(what, word, [[...fixed, ...items]], '', list);
      return names;
    });
    return new Set(found);
  };
  // Rows of messages are not selected by type.
  const words = options.type?.filter((word) => !isOfNoTable(word)) ?? [];
  namesOf('item', words, []);
  const named = Array.from(tablesBy(input.schema).keys(), (name) => ({ name }));
  const tables = options.tables && namesOf('table or item', options.tables, named, listOfTables);
  return { options, input, isFileSelected: filesSelected(options), tables };
}

/** A client number is in almost all recordings: it selects rows only. */
const filesSelected = ({ player, ...rest }: ExportOptions) =>
  fileFilterOf(/^\d+$/.test(player ?? '') ? rest : { ...rest, player });

const itemsOf = (schema: Schema) => versions.flatMap((version) => protocolOf(version, schema).items);

/**
 * Removes the parts of an earlier run with the same inputs that this one did not replace, since it had more of them.
 */
async function removeOldParts(folder: string, name: string, written: ReadonlySet<string>, io: Io): Promise<void> {
  for (const table of await io.filesIn(folder)) {
    for (const file of await io.filesIn(`${folder}/${table}`)) {
      const isOld = file.startsWith(`${name}-`) && !written.has(`${table}/${file}`);
      if (isOld) await io.remove(`${folder}/${table}/${file}`);
    }
  }
}

async function listed(path: string, io: Io): Promise<string[]> {
  const text = await textIn(await openPlain(path, io));
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');
}
