import { infoColumns } from '../../src/tables/summary-columns.ts';
import type { FileCheck } from '../../src/view/ci/file-check.ts';
import { csvLine } from '../../src/view/csv/csv.ts';
import { FilesTable } from '../../src/view/info/files-table.ts';
import { infoCheck, renderInfo } from '../../src/view/info/info.ts';
import type { RecordingInfo } from '../../src/view/info/rows.ts';
import { infoCsv, infoJson, unreadableCsv } from '../../src/view/json/info-json.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { widthOf } from '../../src/view/text/layout.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { healthStatus } from '../lib/health-status.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openRecording } from '../lib/input/open.ts';
import { inputOf } from '../lib/input/settings.ts';
import { joinSummaries, type SummarisedPart, summarise, summarisePart } from '../lib/input/summarise.ts';
import type { Io } from '../lib/io.ts';
import { printNote, printProblem } from '../lib/note.ts';
import { annotations, common, fileSelection, type Given, printing, recordingInput } from '../lib/options.ts';
import { Checks, withoutName } from '../lib/output/checks.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { openRange } from '../lib/parallel/divided-demo.ts';
import type { Division } from '../lib/parallel/division.ts';
import { eachFile, type MakeJob, type PartResult } from '../lib/parallel/many-files.ts';
import { fileFilterOf } from '../lib/selection.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    ...recordingInput,
    include: common.include,
    ...fileSelection,
    ...printing(['table', 'json', 'ndjson', 'csv', 'junit']),
    annotations,
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap info match.demo
  tw-snap info server.pcap
  tw-snap info demos -t csv -o demos.csv
  tw-snap info demos --player corpus`,
};

/** The result for a file, as plain data, which a thread can return. */
interface FileInfo extends PartResult {
  readonly status: number;
  /** Undefined if the options exclude the file, or if it is unreadable and has no row. */
  readonly text?: string;
  readonly check?: FileCheck;
  /** Undefined if the options exclude the file. */
  readonly health?: string;
  /** For a part of a demo, in place of text and check. */
  readonly part?: SummarisedPart;
}

/** The options together with a property of all files, for the threads. */
type TableOptions = Options & { fileWidth: number };

/** `tw-snap info FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { to } = options;
  const { files, isOfSeveral } = await filesOf(args, options, io);
  const stream = new Stream(options, io);
  const isList = to === 'json' && isOfSeveral;
  const fileWidth = Math.max(...files.map((file) => widthOf(escapeText(file))));
  let status: number = exit.fine;
  let shown = 0;
  const counts = new Map<string, number>();
  const checks = new Checks('info', options, io);
  // Rows are printed as they become available.
  const add = async (one: FileInfo) => {
    status = Math.max(status, one.status);
    if (one.check) checks.add(one.check);
    if (one.health) counts.set(one.health, (counts.get(one.health) ?? 0) + 1);
    if (one.text === undefined) return;
    if (shown === 0) await stream.write(await headingOf({ ...options, fileWidth }, isOfSeveral, io));
    if (isList) await stream.write(shown === 0 ? '[' : ',\n ');
    await stream.write(one.text);
    await stream.flush();
    shown++;
  };
  await eachFile({
    command: 'info',
    makeJob,
    files,
    isOfSeveral,
    options: { ...options, fileWidth },
    stream,
    io,
    division,
    joinParts: async (file, parts) => {
      const failed = parts.find(({ part }) => !part);
      if (failed) return failed;
      const summaries = parts.map(({ part }) => part!);
      const info = joinSummaries({ file, bytes: io.size(file) }, summaries, await inputOf(options, io));
      const style = await outputStyle(options, io);
      return fileInfo(file, info, tableOf(isOfSeveral, { ...options, fileWidth }, style), options, style);
    },
    add,
  });
  if (isList && shown > 0) await stream.write(']\n');
  if (shown === 0 && fileFilterOf(options)) await printNote('no recording is chosen by these options', io);
  if (to === 'table' && shown > maxWithoutCounts) await printNote(countsText(shown, counts), io);
  await checks.finish(stream);
  await stream.end(status);
  return status;
}

const division: Division = { minBytes: 64 << 20 };

/** The number of rows that a screen shows; the states of more files are counted. */
const maxWithoutCounts = 24;

/** `500 files: 460 healthy, 30 cut, 10 unreadable` */
function countsText(files: number, counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return `${count(files, 'file')}: ${sorted.map(([health, times]) => `${thousands(times)} ${health}`).join(', ')}`;
}

async function headingOf(options: TableOptions, isOfSeveral: boolean, io: Io): Promise<string> {
  if (options.to === 'csv') return csvLine(infoColumns);
  if (options.to !== 'table' || !isOfSeveral) return '';
  const style = await outputStyle(options, io);
  return (style.width < 60 ? style.fit : String)(new FilesTable({ ...style, fileWidth: options.fileWidth }).heading());
}

export const makeJob: MakeJob<TableOptions, FileInfo> = async (options, isOfSeveral, io) => {
  const input = await inputOf(options, io);
  const isSelected = fileFilterOf(options);
  const style = await outputStyle(options, io);
  const table = tableOf(isOfSeveral, options, style);
  return async (file, _, range) => {
    try {
      if (range) {
        const part = await summarisePart(openRange(file, range, io), input);
        return { status: exit.fine, part, end: part.end };
      }
      const info = await summarise(await openRecording(file, input), input);
      return fileInfo(file, info, table, options, style);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (isSelected?.(undefined) === false) return { status: exit.fine };
      await printProblem(error.message, io);
      const check = { file, status: error.status, summary: withoutName(file, error.message), findings: [] };
      if (error.status === exit.usage) return { status: error.status, check };
      const text = failureText(file, error.message, table, options, style);
      return { status: error.status, check, health: 'unreadable', ...(text === undefined ? {} : { text }) };
    }
  };
};

const tableOf = (isOfSeveral: boolean, { fileWidth }: TableOptions, style: OutputStyle): FilesTable | undefined =>
  isOfSeveral ? new FilesTable({ ...style, fileWidth }) : undefined;

function fileInfo(
  file: string,
  info: RecordingInfo,
  table: FilesTable | undefined,
  options: Options,
  style: OutputStyle,
): FileInfo {
  const { summary } = info;
  if (fileFilterOf(options)?.(summary) === false) return { status: exit.fine };
  const isFinding = options.strict && summary.diagnostics.length > 0;
  const status = Math.max(healthStatus[summary.health.state], isFinding ? exit.finding : exit.fine);
  const check = { ...infoCheck(info), file, status };
  const health = summary.health.state;
  return { status, check, health, ...(options.to === 'junit' ? {} : { text: textOf(info, table, options, style) }) };
}

function textOf(info: RecordingInfo, table: FilesTable | undefined, { to }: Options, style: OutputStyle): string {
  switch (to) {
    case 'json':
      return table ? jsonText(infoJson(info)) : renderJson(infoJson(info));
    case 'ndjson':
      return `${jsonText(infoJson(info))}\n`;
    case 'csv':
      return infoCsv(info);
    default:
      // From 60 columns on the view has a layout of its own.
      return (style.width < 60 ? style.fit : String)(table?.row(info) ?? renderInfo(info, style));
  }
}

/** The row of an unreadable file; a file that is the only one has none. */
function failureText(
  file: string,
  message: string,
  table: FilesTable | undefined,
  { to }: Options,
  style: OutputStyle,
): string | undefined {
  if (!table || to === 'junit') return undefined;
  const reason = withoutName(file, message);
  switch (to) {
    case 'json':
      return jsonText({ file, health: 'unreadable', error: reason });
    case 'ndjson':
      return `${jsonText({ file, health: 'unreadable', error: reason })}\n`;
    case 'csv':
      return unreadableCsv(file, reason);
    default:
      return style.fit(table.failure(file, reason));
  }
}
