import type { ItemType } from '../../src/protocol/item.ts';
import { isOfClient } from '../../src/recording/record.ts';
import { RecordingSummary } from '../../src/recording/recording-summary.ts';
import type { Batch } from '../../src/tables/batch.ts';
import { RecordingTables } from '../../src/tables/recording-tables.ts';
import { addSummary } from '../../src/tables/summary-rows.ts';
import { Tables } from '../../src/tables/tables.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { hasChoice, isChosen } from '../lib/choice.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { healthStatus } from '../lib/health-status.ts';
import { requireClient } from '../lib/input/capture-client.ts';
import { openRecording, openReplay } from '../lib/input/open.ts';
import { summarise } from '../lib/input/summarise.ts';
import type { Io } from '../lib/io.ts';
import type { ExportOptions, Task, TaskResult } from './context.ts';

/** Where the rows go. */
export interface RowWriter {
  write(batch: Batch): Promise<void>;
  finish(): Promise<void>;
  readonly bytes: number;
  readonly paths: readonly string[];
}

export interface ExportContext {
  readonly options: ExportOptions;
  readonly extraItems: readonly ItemType[];
  /** Whether a table is wanted. */
  readonly isTableSelected: (name: string) => boolean;
  /** Whether items of a type are wanted. */
  readonly isItemSelected: (name: string) => boolean;
  readonly io: Io;
}

/** Exports the files of a task, one after the other. What can be read of a damaged file is exported. */
export async function runTask({ files }: Task, writer: RowWriter, context: ExportContext): Promise<TaskResult> {
  const { options, extraItems, isTableSelected, isItemSelected, io } = context;
  const tables = new Tables(isTableSelected);
  const { every, changes } = options;
  const recording = new RecordingTables(tables, { every, changes, isItemSelected, extraItems });
  let status: number = exit.fine;
  let failed = 0;
  for (const file of files) {
    try {
      if (hasChoice(options) && !(await isFileChosen(file, context))) continue;
      status = Math.max(await exportFile(file, recording, tables, writer, context), status);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await io.stderr.write(`tw-snap: ${error.message}\n`);
      status = Math.max(status, error.status);
      failed++;
    }
  }
  for (const batch of tables.flushRest()) await writer.write(batch);
  await writer.finish();
  const rows = Object.fromEntries([...tables.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { status, files: files.length, failed, rows, bytes: writer.bytes, parts: writer.paths };
}

/** Reads a file once more than is needed for its tables, to know what is in it. */
async function isFileChosen(file: string, { options, extraItems, io }: ExportContext): Promise<boolean> {
  const { summary } = await summarise(await openRecording(file, options, io), options, extraItems);
  return isChosen(summary, options);
}

async function exportFile(
  file: string,
  recording: RecordingTables,
  tables: Tables,
  writer: RowWriter,
  { options, extraItems, io }: ExportContext,
): Promise<number> {
  const opened = await openRecording(file, options, io);
  const replay = openReplay(opened, options, { extraItems });
  const summary = new RecordingSummary(replay);
  const sha256 = await io.sha256();
  let bytes = 0;
  let failure: CommandError | undefined;
  const add = async (entries: Iterable<Parameters<RecordingTables['add']>[0]>) => {
    for (const entry of entries) {
      if (!isOfClient(entry.stream, options.client)) continue;
      summary.add(entry);
      recording.add(entry);
    }
    for (const batch of tables.flushFull()) {
      await writer.write(batch);
      tables.release(batch);
    }
  };
  recording.begin(opened.name);
  try {
    for await (const piece of opened.pieces) {
      sha256.update(piece);
      bytes += piece.length;
      await add(replay.feed(piece));
    }
  } catch (error) {
    // Compressed data may end early: what came before is exported.
    if (!(error instanceof CommandError)) throw error;
    failure = error;
  }
  await add(replay.finish());
  recording.finish();
  addSummary(tables, { file: opened.name, sha256: sha256.digest('hex'), bytes }, summary);
  for (const diagnostic of summary.diagnostics.slice(0, shownDiagnostics)) {
    await io.stderr.write(`tw-snap: ${escapeText(opened.name)}: ${diagnosticLine(diagnostic)}\n`);
  }
  const others = summary.diagnostics.length + summary.omittedDiagnostics - shownDiagnostics;
  if (others > 0) await io.stderr.write(`tw-snap: ${escapeText(opened.name)}: ${others} more like these\n`);
  if (failure) throw failure;
  requireClient(opened.name, options.client, replay.streams);
  return Math.max(
    healthStatus[summary.health.state],
    options.strict && summary.diagnostics.length > 0 ? exit.finding : exit.fine,
  );
}

/** Diagnostics of a file that are printed. */
const shownDiagnostics = 5;
