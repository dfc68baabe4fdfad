import { InvalidArgumentError } from 'commander';
import { crc32 } from '../../src/codec/crc32.ts';
import { RecordingSummary } from '../../src/recording/recording-summary.ts';
import { RecordingTables } from '../../src/tables/recording-tables.ts';
import { addConnection, addSummary, addUnreadable } from '../../src/tables/summary-columns.ts';
import { type RowRange, Tables, wholeRecording } from '../../src/tables/tables.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, printable } from '../../src/view/text/escape.ts';
import { CommandError, exit, healthStatus, withoutName } from '../lib/errors.ts';
import { withClient } from '../lib/input/client.ts';
import { type Input, type OpenedRecording, openRecording } from '../lib/input/open.ts';
import { withTicks } from '../lib/input/ticks.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import {
  common,
  fileSelection,
  flag,
  type Given,
  nameList,
  oneOf,
  parsed,
  recordingInput,
  text,
  ticks,
  to,
  wholeNumber,
} from '../lib/options.ts';
import { openReplay, readRecording } from '../lib/run/recording.ts';
import { summarise } from '../lib/run/summarise.ts';
import type { FileFilter } from '../lib/selection.ts';
import type { TableOutput } from './output.ts';

export const definition = {
  usage: '[options] <file...> -o <folder>',
  arguments: { '[file...]': "demos, captures or folders; '-' for standard input" },
  options: {
    tables: nameList('--tables <tables>', 'only these tables, separated by commas'),
    every: parsed(
      '--every <ticks>',
      'only snapshots that are at least this many ticks apart, per stream',
      wholeNumber(1, Infinity, 'a number of ticks from 1'),
    ),
    changes: flag('--changes', 'only rows that differ from the preceding row of the item'),
    shard: parsed(
      '--shard <K/N>',
      'only share K of N of the files, K from 0; the same files on every machine',
      parseShard,
    ),
    ...recordingInput,
    include: common.include,
    filesFrom: text('--files-from <file>', "a list of files, one per line; '-' for standard input", { group: 'input' }),
    type: nameList('--type <names>', 'only items of these types, separated by commas', { group: 'selection' }),
    ticks,
    ...fileSelection,
    to: to(['parquet', 'csv', 'ndjson', 'sqlite'], 'format of the tables; sqlite is one file with all of them'),
    output: text(
      '-o, --output <folder>',
      'the folder to write, with a subfolder for each table; the file of -t sqlite',
      { group: 'output' },
    ),
    summary: oneOf('--summary <format>', 'how to print what was written to the folder', ['table', 'json'], {
      group: 'output',
      refusal: ({ output }) => (output === undefined ? '--summary is for a folder (-o)' : undefined),
    }),
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap export match.demo -o tables
  tw-snap export match.demo --tables kills -t csv
  tw-snap export demos/*.demo --shard 0/2 -o tables`,
};

export type ExportOptions = Given<(typeof definition)['options']>;

/**
 * The files of one export task; with one thread there is only one task. It is plain data, which can be sent to a
 * thread.
 */
export interface Task {
  readonly files: readonly string[];
  /** The first part of its part names. */
  readonly name: string;
  /** The rows that it writes, if several tasks read the same file. */
  readonly range?: RowRange;
}

export interface TaskResult {
  readonly status: number;
  readonly files: number;
  readonly failed: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** The paths of its parts, relative to the folder. */
  readonly parts: readonly string[];
}

export interface ExportContext {
  readonly options: ExportOptions;
  readonly input: Input;
  readonly isFileSelected: FileFilter | undefined;
  readonly tables: ReadonlySet<string> | undefined;
  readonly isItemSelected: (name: string) => boolean;
}

/** Exports the files of a task one by one, and of a damaged file everything readable. */
export async function runTask(
  { files, range = wholeRecording }: Task,
  output: TableOutput,
  context: ExportContext,
): Promise<TaskResult> {
  const { options, input, isFileSelected, isItemSelected } = context;
  const tables = new Tables((name) => context.tables?.has(name) ?? true, range);
  const { every, changes } = options;
  const recording = new RecordingTables(tables, { every, changes, isItemSelected, schema: input.schema });
  let status: number = exit.fine;
  let failed = 0;
  for (const file of files) {
    let opened: OpenedRecording | undefined;
    try {
      // Written rows cannot be removed again, and those of a long recording are too many to keep, so it is read twice.
      if (
        isFileSelected?.(
          (await summarise(await withClient(await openRecording(file, input), input), input)).summary,
        ) === false
      )
        continue;
      opened = await withTicks(await openRecording(file, input), options.ticks, input);
      recording.ticks = opened.ticks;
      status = Math.max(await exportFile(opened, range, recording, tables, output, context), status);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printProblem(error.message, input.io);
      status = Math.max(status, error.status);
      failed++;
      tables.end();
      // A file that ends early has a row for its readable part.
      if (!opened && isFileSelected?.(undefined) !== false)
        addUnreadable(tables, file, withoutName(printable(file), error.message));
    }
  }
  for (const batch of tables.flushRest()) await output.write(batch);
  await output.finish();
  const rows = Object.fromEntries([...tables.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { status, files: files.length, failed, rows, bytes: output.bytes, parts: output.paths };
}

async function exportFile(
  opened: OpenedRecording,
  range: RowRange,
  recording: RecordingTables,
  tables: Tables,
  output: TableOutput,
  { input }: ExportContext,
): Promise<number> {
  const { name } = opened;
  const sha256 = (await import('node:crypto')).createHash('sha256');
  const writeFull = async () => {
    for (const batch of tables.flushFull()) await output.write(batch);
  };
  const cut = { ...opened, pieces: piecesOf(opened.pieces, range, tables) };
  const replay = openReplay(opened, input);
  const summary = new RecordingSummary(replay);
  recording.begin(name);
  const { failure } = await readRecording(cut, input, replay, {
    add(entry) {
      const dropped = entry.record === 'drop' ? summary.summaryOf(entry.stream) : undefined;
      if (dropped) addConnection(tables, { file: name, bytes: 0, summary, stream: dropped });
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
      tables.end();
      const reason = failure && withoutName(printable(name), failure.message);
      addSummary(tables, { file: name, sha256: sha256.digest('hex'), bytes, failure: reason, summary });
      await printDiagnostics(name, summary, input.io);
    },
  });
  if (failure) throw failure;
  const { health, diagnostics } = summary;
  return Math.max(healthStatus(health.state), input.strict && diagnostics.length > 0 ? exit.finding : exit.fine);
}

const shownDiagnostics = 5;

async function printDiagnostics(file: string, { diagnostics, omittedDiagnostics }: RecordingSummary, io: Io) {
  const name = escapeText(file);
  for (const diagnostic of diagnostics.slice(0, shownDiagnostics)) {
    await printProblem(`${name}: ${diagnosticLine(diagnostic)}`, io);
  }
  const others = diagnostics.length + omittedDiagnostics - shownDiagnostics;
  if (others > 0) await printProblem(`${name}: ${others} more`, io);
}

/** A thread reads what is before its range in this share of the time that the rows of it would take. */
const skimShare = 0.1;

/** Divides a recording into ranges that take equal times, including what is before them. */
export function rangesOf(bytes: number, count: number): RowRange[] {
  const weight = (index: number) => 1 - (1 - skimShare) ** index;
  const border = (index: number) => (index === count ? Infinity : Math.ceil((bytes * weight(index)) / weight(count)));
  return Array.from({ length: count }, (_, i) => ({ start: border(i), end: border(i + 1) }));
}

/**
 * The pieces of a recording up to the end of the range, cut where it begins and ends: then the rows of all ranges fit together, whatever
 * pieces each thread reads.
 */
export async function* piecesOf(
  pieces: AsyncIterable<Uint8Array>,
  { start, end }: RowRange,
  tables: Tables,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    const cuts = [start, end].map((at) => at - tables.position).filter((at) => at > 0 && at < piece.length);
    for (const [i, from] of [0, ...cuts].entries()) {
      const part = piece.subarray(from, cuts[i]);
      yield part;
      tables.position += part.length;
      if (tables.isOver) return;
    }
  }
}

/** One of `count` shares of the files. The hash of a file's path decides which share it belongs to. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const wholeInput: Shard = { index: 0, count: 1 };

/** `0/4` to `3/4`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index >= count) throw new InvalidArgumentError('Expected K/N with K from 0 to N - 1.');
  return { index, count };
}

const hash = (text: string): number => crc32(new TextEncoder().encode(text)) >>> 0;

/** The files of a shard, chosen by their paths, so that every machine gets the same result. */
export const filesOfShard = (files: readonly string[], { index, count }: Shard): readonly string[] =>
  count === 1 ? files : files.filter((file) => hash(file) % count === index);

/** Names the parts of a run after the shard and its inputs, so that a repeated run replaces its parts. */
export const runName = (files: readonly string[], { index, count }: Shard): string =>
  `part-${index}of${count}-${hash(files.join('\n')).toString(16).padStart(8, '0')}`;

/** Divides files into groups of similar total size; the same files always result in the same groups. */
export function groupsOf(files: readonly string[], count: number, sizeOf: (file: string) => number): string[][] {
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
