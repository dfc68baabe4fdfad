import { findTypes } from '../../src/protocol/lookup.ts';
import { protocolOf, type Schema, versions } from '../../src/protocol/registry.ts';
import { Batch, type TableSchema } from '../../src/tables/batch.ts';
import { ItemTable } from '../../src/tables/item-table.ts';
import { fixedTables, itemTableName } from '../../src/tables/recording-tables.ts';
import { tableLines } from '../../src/view/text/columns.ts';
import { jsonText } from '../../src/view/text/escape.ts';
import { count, size, thousands } from '../../src/view/text/number.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { exit, usageError } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { inputOf, openInput, readText } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { changed, fittedSink } from '../lib/note.ts';
import { refuseBinary } from '../lib/output/output.ts';
import { OutputWriter } from '../lib/output/writer.ts';
import { fileFilterOf, unknownName } from '../lib/selection.ts';
import { eachTask, type MakeJob, worthBytes } from '../lib/threads/tasks.ts';
import { PartWriter, SingleTable } from './output.ts';
import {
  type ExportContext,
  type ExportOptions,
  filesOfShard,
  groupsOf,
  rangesOf,
  runName,
  runTask,
  type Task,
  type TaskResult,
  wholeInput,
} from './task.ts';

export { definition } from './task.ts';

export async function run(args: readonly string[], options: ExportOptions, io: Io): Promise<number> {
  const named = [...args, ...(options.filesFrom === undefined ? [] : await listed(options.filesFrom, io))];
  if (named.length === 0) throw usageError('no files: name recordings, or a list of them with --files-from');
  const { files: all } = await filesOf(named, options, io);
  if (fileFilterOf(options) && all.includes('-')) {
    throw usageError(
      '--map, --player, --health and --finish read a file before it is exported: name a file, not standard input',
    );
  }
  const files = filesOfShard(all, options.shard ?? wholeInput);
  if (options.to === 'sqlite') return toDatabase(files, options, io);
  return options.output === undefined ? toStdout(files, options, io) : toFolder(files, options.output, options, io);
}

async function toDatabase(files: readonly string[], options: ExportOptions, io: Io): Promise<number> {
  const { output: path, tables } = options;
  if (path === undefined) throw usageError('-t sqlite writes a file: name it with -o');
  if (io.isFolder(path)) throw usageError(`${path}: is a folder; -t sqlite writes one file`);
  const { SqliteOutput } = await import('./sqlite.ts');
  const context = await contextOf(options, io);
  const wanted = fixedTables.filter(({ name }) => tables?.includes(name) ?? true);
  const result = await runTask({ files, name: '' }, await SqliteOutput.open(path, wanted, io), context);
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
  const item = itemsOf(context.input.schema).find(({ name }) => itemTableName(name) === table)?.name ?? table;
  const schema =
    fixedTables.find(({ name }) => name === table) ?? new ItemTable(item, context.input.schema, table).schema;
  const { status } = await runTask({ files, name: '' }, new SingleTable(schema, options.to, writer), context);
  await writer.end(status);
  return status;
}

async function toFolder(files: readonly string[], folder: string, options: ExportOptions, io: Io): Promise<number> {
  const name = runName(files, options.shard ?? wholeInput);
  const bytes = files.reduce((sum, file) => sum + io.size(file), 0);
  // The rows of a range of bytes may be outside the ticks.
  const isOneThread =
    files.includes('-') ||
    (options.ticks !== undefined && files.length === 1) ||
    (options.jobs === undefined && bytes < (files.length === 1 ? worthDividing : worthBytes));
  const threads = isOneThread ? 1 : (options.jobs ?? (await io.cores()));
  // A pipe has no size, and can be read only once.
  const jobs = Math.min(threads, files.length === 1 ? (bytes > 0 ? maxRanges : 1) : Math.max(1, files.length));
  const tasks: readonly Task[] =
    files.length === 1
      ? rangesOf(bytes, jobs).map((range, i) => ({ files, range, name: `${name}-${i}` }))
      : groupsOf(files, jobs, (file) => io.size(file)).map((group, i) => ({ files: group, name: `${name}-${i}` }));
  const all = tasks.map((part) => ({ file: part.files[0] ?? folder, part }));
  const results: TaskResult[] = [];
  await eachTask({
    command: 'export',
    options,
    multipleFiles: true,
    writer: new OutputWriter({}, io),
    io,
    threads: Math.min(jobs, tasks.length),
    tasks: all,
    begunAtOnce: 2 * jobs,
    withoutThreads: all,
    job: await makeJob(options, true, io),
    add: (result) => void results.push(result),
  });
  const empty = await writeEmptyTables(folder, name, results, options, io);
  const parts = [...results.flatMap((result) => result.parts), ...empty.paths];
  await removeOldParts(folder, name, new Set(parts), io);
  const counts: Record<string, number> = {};
  for (const result of results) {
    for (const [table, count] of Object.entries(result.rows)) counts[table] = (counts[table] ?? 0) + count;
  }
  const rows = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  const sum = (of: (result: TaskResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const status = results.reduce<number>((worst, result) => Math.max(worst, result.status), exit.fine);
  const [read, failed] = [sum((one) => one.files), sum((one) => one.failed)];
  const written = sum((one) => one.bytes) + empty.bytes;
  return printExported(
    { run: name, files: read, failed, rows, bytes: written, parts: parts.length, status },
    options,
    io,
  );
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
  const lines = tableLines([head, { head: 'rows', cell: ([, number]) => thousands(number) }], all, plainTheme);
  const unread = failed > 0 ? `, ${thousands(failed)} of which could not be read` : '';
  const total = all.reduce((sum, [, number]) => sum + number, 0);
  lines.push(
    `${count(total, 'row')} of ${count(files, 'recording')}${unread}: ${count(parts, 'file')}, ${size(bytes)}`,
  );
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

/** The order of parts by name is that of their rows, so their numbers have one digit. */
const maxRanges = 8;

/** With two threads a demo of 7 MB takes as long as with one, since each has to compile the code. */
const worthDividing = 12 << 20;

export const makeJob: MakeJob<ExportOptions, Task, TaskResult> = async (options, _, io) => {
  const context = await contextOf(options, io);
  const silent = changed(io, { stderr: changed(io.stderr, { write: async () => {} }) });
  return async ({ part: task }) => {
    // The thread with the last range of a file reads all of it, and reports the findings.
    const isLast = task!.range === undefined || task!.range.end === Infinity;
    const own = isLast ? io : silent;
    const output = new PartWriter(options.output!, task!.name, options.to, own);
    const result = await runTask(task!, output, { ...context, input: { ...context.input, io: own } });
    return isLast ? result : { ...result, status: exit.fine, files: 0, failed: 0 };
  };
};

async function contextOf(options: ExportOptions, io: Io): Promise<ExportContext> {
  const input = await inputOf(options, io);
  const items = itemsOf(input.schema);
  const namesOf = (what: string, words: readonly string[], fixed: readonly { name: string }[]) => {
    const found = words.flatMap((word) => {
      const names = fixed.some(({ name }) => name === word) ? [word] : findTypes(items, word).map(({ name }) => name);
      if (names.length === 0) throw unknownName(what, word, [[...fixed, ...items]]);
      return names;
    });
    return new Set(found);
  };
  const itemTables = items.map(({ name }) => ({ name: itemTableName(name) }));
  const types = options.type && namesOf('item', options.type, []);
  const tables = options.tables && namesOf('table or item', options.tables, [...fixedTables, ...itemTables]);
  return {
    options,
    input,
    isFileSelected: fileFilterOf(options),
    tables,
    isItemSelected: (name) => types?.has(name) ?? true,
  };
}

const itemsOf = (schema: Schema) => versions.flatMap((version) => protocolOf(version, schema).items);

/** Removes the parts of an earlier run with the same inputs that this one did not replace, since it had more of them. */
async function removeOldParts(folder: string, name: string, written: ReadonlySet<string>, io: Io): Promise<void> {
  for (const table of await io.filesIn(folder)) {
    for (const file of await io.filesIn(`${folder}/${table}`)) {
      const isOld = file.startsWith(`${name}-`) && !written.has(`${table}/${file}`);
      if (isOld) await io.remove(`${folder}/${table}/${file}`);
    }
  }
}

async function listed(path: string, io: Io): Promise<string[]> {
  const text = await readText(await openInput(path, { from: 'json', io }));
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');
}
