import type { Schema } from '../../src/protocol/schema.ts';
import { isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import { RecordingSummary } from '../../src/recording/recording-summary.ts';
import { RecordingTables } from '../../src/tables/recording-tables.ts';
import { addConnection, addSummary, addUnreadable } from '../../src/tables/summary-columns.ts';
import { type RowRange, Tables, wholeRecording } from '../../src/tables/tables.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, printable } from '../../src/view/text/escape.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { healthStatus } from '../lib/health-status.ts';
import type { Input } from '../lib/input/input.ts';
import { type OpenedRecording, openRecording, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/input/refuse.ts';
import { summarise } from '../lib/input/summarise.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import type { FileFilter } from '../lib/selection.ts';
import type { ExportOptions, Task, TaskResult } from './context.ts';
import type { TableOutput } from './encoder.ts';
import { piecesOf } from './ranges.ts';

export interface ExportContext {
  readonly options: ExportOptions;
  readonly input: Input;
  /** Undefined if all files are exported. */
  readonly isFileSelected: FileFilter | undefined;
  readonly schema: Schema;
  /** The names of the tables that are wanted; undefined for all. */
  readonly tables: ReadonlySet<string> | undefined;
  /** Whether items of a type are exported. */
  readonly isItemSelected: (name: string) => boolean;
  readonly io: Io;
}

/** Exports the files of a task one by one, and of a damaged file everything readable. */
export async function runTask(
  { files, range = wholeRecording }: Task,
  output: TableOutput,
  context: ExportContext,
): Promise<TaskResult> {
  const { options, input, isFileSelected, schema, isItemSelected, io } = context;
  const tables = new Tables((name) => context.tables?.has(name) ?? true, range);
  const { every, changes } = options;
  const recording = new RecordingTables(tables, { every, changes, isItemSelected, schema });
  let status: number = exit.fine;
  let failed = 0;
  for (const file of files) {
    let opened: OpenedRecording | undefined;
    try {
      // Written rows cannot be removed again, and those of a long recording are too many to keep, so it is read twice.
      if (isFileSelected?.((await summarise(await openRecording(file, input), input)).summary) === false) continue;
      opened = await openRecording(file, input);
      status = Math.max(await exportFile(opened, range, recording, tables, output, context), status);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printProblem(error.message, io);
      status = Math.max(status, error.status);
      failed++;
      tables.end();
      // A file that ends early has a row for its readable part.
      if (!opened && isFileSelected?.(undefined) !== false) addUnreadable(tables, file, reasonOf(error, file));
    }
  }
  for (const batch of tables.flushRest()) await output.write(batch);
  await output.finish();
  const rows = Object.fromEntries([...tables.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { status, files: files.length, failed, rows, bytes: output.bytes, parts: output.paths };
}

/** @returns the exit status */
async function exportFile(
  opened: OpenedRecording,
  range: RowRange,
  recording: RecordingTables,
  tables: Tables,
  output: TableOutput,
  { input, io }: ExportContext,
): Promise<number> {
  const { name } = opened;
  const replay = openReplay(opened, input);
  const summary = new RecordingSummary(replay);
  const sha256 = await io.sha256();
  const writeFull = async () => {
    for (const batch of tables.flushFull()) await output.write(batch);
  };
  const add = (entry: RecordingEntry) => {
    if (!isOfClient(entry.stream, input.client)) return;
    const dropped = entry.record === 'drop' ? summary.summaryOf(entry.stream) : undefined;
    if (dropped) addConnection(tables, { file: name, bytes: 0, summary, stream: dropped });
    summary.add(entry);
    recording.add(entry);
    return tables.hasFull ? writeFull() : undefined;
  };
  recording.begin(name);
  const pieces = piecesOf(opened.pieces, range, tables);
  const { bytes, failure } = await readRecords({ pieces }, replay, add, async (piece) => {
    sha256.update(piece);
    await writeFull();
  });
  recording.finish();
  tables.end();
  addSummary(tables, {
    file: name,
    sha256: sha256.digest('hex'),
    bytes,
    failure: failure && reasonOf(failure, name),
    summary,
  });
  for (const diagnostic of summary.diagnostics.slice(0, shownDiagnostics)) {
    await printProblem(`${escapeText(name)}: ${diagnosticLine(diagnostic)}`, io);
  }
  const others = summary.diagnostics.length + summary.omittedDiagnostics - shownDiagnostics;
  if (others > 0) await printProblem(`${escapeText(name)}: ${others} more like these`, io);
  if (failure) throw failure;
  refuseIneffective(name, input, replay);
  return Math.max(
    healthStatus[summary.health.state],
    input.strict && summary.diagnostics.length > 0 ? exit.finding : exit.fine,
  );
}

/** The message of an error without the name of the file, which it begins with. */
function reasonOf({ message }: CommandError, file: string): string {
  const start = `${printable(file)}: `;
  return message.startsWith(start) ? message.slice(start.length) : message;
}

/** The maximum number of printed diagnostics per file. */
const shownDiagnostics = 5;
