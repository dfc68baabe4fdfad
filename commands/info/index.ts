import type { Command } from 'commander';
import { RecordingHealth } from '../../src/explain/health.ts';
import type { ItemType } from '../../src/protocol/item.ts';
import { isOfClient } from '../../src/recording/record.ts';
import { RecordingSummary } from '../../src/recording/recording-summary.ts';
import { type CsvCell, csvLine } from '../../src/view/csv/csv.ts';
import { infoCsv, infoCsvHead } from '../../src/view/csv/info-csv.ts';
import { fileRow, renderFiles } from '../../src/view/info/files-table.ts';
import { type RecordingInfo, renderInfo } from '../../src/view/info/info.ts';
import { infoJson } from '../../src/view/json/info-json.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { jsonText } from '../../src/view/text/escape.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { healthStatus } from '../lib/health-status.ts';
import { requireClient } from '../lib/input/capture-client.ts';
import { extraItems } from '../lib/input/context.ts';
import { type OpenedRecording, openRecording, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withFrom, withJobs, withOutput } from '../lib/options.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { eachFile, type MakeJob, type ManyOptions } from '../lib/parallel/many-files.ts';

type Options = InputOptions & OutputOptions & ManyOptions;

export function define(command: Command): Command {
  return withJobs(withFrom(withOutput(command, ['table', 'json', 'ndjson', 'csv'])))
    .argument('[file...]', "demos and captures; '-' or nothing for standard input")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap info match.demo
  tw-snap info server.pcap
  tw-snap info demos/*.demo -t csv -o demos.csv`;

/** What is printed of a file: plain data, which a thread can return. */
interface FileInfo {
  readonly hasPackets: boolean;
  /** All of it. */
  readonly text?: string;
  /** Its row in the table of many files. */
  readonly row?: readonly string[];
  /** Its rows of CSV. */
  readonly cells?: readonly (readonly CsvCell[])[];
}

interface FileResult {
  readonly status: number;
  /** Undefined where the file can't be read. */
  readonly info?: FileInfo;
}

/** `tw-snap info FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const files = args.length > 0 ? args : ['-'];
  const infos: FileInfo[] = [];
  let status: number = exit.fine;
  const take = (result: FileResult) => {
    status = Math.max(status, result.status);
    if (result.info) infos.push(result.info);
  };
  const stream = new Stream(options, io);
  await eachFile({ command: 'info', makeJob, files, options, stream, io, take });
  if (infos.length === 0) return status;
  await stream.write(await render(infos, files.length > 1, options, io));
  await stream.end();
  return status;
}

export const makeJob: MakeJob<Options, FileResult> = async (options, isOfSeveral, io) => {
  const extra = await extraItems(options.schema, io);
  const style = await outputStyle(options, io);
  return async (file) => {
    try {
      const info = await summarise(await openRecording(file, options, io), options, extra);
      return {
        status: healthStatus[info.summary.health.state],
        info: { hasPackets: info.summary.datagrams !== undefined, ...shown(info, isOfSeveral, options, style) },
      };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await io.stderr.write(`tw-snap: ${error.message}\n`);
      return { status: error.status };
    }
  };
};

async function summarise(
  opened: OpenedRecording,
  options: Options,
  extra: readonly ItemType[],
): Promise<RecordingInfo> {
  const { name } = opened;
  const { client } = options;
  const replay = openReplay(opened, options, { extraItems: extra });
  const summary = new RecordingSummary(replay);
  const health = new RecordingHealth();
  const { bytes, failure } = await readRecords(opened, replay, (entry) => {
    if (!isOfClient(entry.stream, client)) return;
    summary.add(entry);
    health.add(entry);
  });
  if (failure) throw failure;
  requireClient(name, client, replay.streams);
  return { file: name, bytes, summary, findings: health.findings.length };
}

function shown(
  info: RecordingInfo,
  isOfSeveral: boolean,
  { to }: Options,
  style: OutputStyle,
): Omit<FileInfo, 'hasPackets'> {
  switch (to) {
    case 'json':
      return { text: isOfSeveral ? jsonText(infoJson(info)) : renderJson(infoJson(info)) };
    case 'ndjson':
      return { text: `${jsonText(infoJson(info))}\n` };
    case 'csv':
      return { cells: infoCsv(info) };
    default:
      return isOfSeveral ? { row: fileRow(info, style.theme) } : { text: renderInfo(info, style) };
  }
}

async function render(infos: readonly FileInfo[], isOfSeveral: boolean, options: Options, io: Io): Promise<string> {
  const texts = infos.flatMap(({ text = [] }) => text);
  if (options.to === 'json' && isOfSeveral) return `[${texts.join(',\n ')}]\n`;
  // Recordings that consist of packets have a table of their own.
  const groups = [false, true]
    .map((hasPackets) => ({ hasPackets, own: infos.filter((info) => info.hasPackets === hasPackets) }))
    .filter(({ own }) => own.length > 0);
  if (options.to === 'csv') {
    if (groups.length > 1) {
      throw usageError('demos and captures have columns of their own: give them one after the other, or use -t ndjson');
    }
    return groups
      .flatMap(({ hasPackets, own }) => [infoCsvHead(hasPackets), ...own.flatMap(({ cells = [] }) => cells)])
      .map(csvLine)
      .join('');
  }
  if (options.to !== 'table' || !isOfSeveral) return texts.join('');
  const { theme } = await outputStyle(options, io);
  return groups
    .map(({ hasPackets, own }) => {
      const rows = own.flatMap(({ row }) => (row ? [row] : []));
      return renderFiles(rows, hasPackets, theme);
    })
    .join('\n');
}
