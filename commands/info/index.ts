import type { Command } from 'commander';
import type { ItemType } from '../../src/protocol/item.ts';
import { csvLine } from '../../src/view/csv/csv.ts';
import { captureRow, renderCaptureInfo, renderCaptureRows } from '../../src/view/info/capture-info.ts';
import { infoRow, renderInfo, renderInfoRows } from '../../src/view/info/info.ts';
import { captureInfoJson } from '../../src/view/json/capture-info-json.ts';
import { infoJson } from '../../src/view/json/info-json.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { jsonText } from '../../src/view/text/escape.ts';
import { CommandError, exit, inputError, usageError } from '../lib/errors.ts';
import { extraItems } from '../lib/input/context.ts';
import { openInput } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, withFrom, withJobs, withOutput } from '../lib/options.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { eachFile, type MakeJob, type ManyOptions } from '../lib/parallel/many-files.ts';
import { captureCells, captureHead, type GatheredCapture, gatherCapture } from './capture.ts';
import { type Cell, demoCells, demoHead, type GatheredDemo, gatherDemo } from './demo.ts';

type Options = InputOptions & OutputOptions & ManyOptions;
type Gathered = GatheredDemo | GatheredCapture;

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

/** What is told of a file: plain data, of which the format takes what it needs. */
type Told = { readonly status: number } & (
  | { readonly format: 'none' }
  | {
      readonly format: Gathered['format'];
      /** All that is told: of one file, or as JSON. */
      readonly text?: string;
      /** A row of a table of many. */
      readonly row?: string[];
      /** Rows of CSV. */
      readonly cells?: Cell[][];
    }
);
type ToldOf = Exclude<Told, { format: 'none' }>;

/** `tw-snap info FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const files = args.length > 0 ? args : ['-'];
  const told: ToldOf[] = [];
  let status: number = exit.fine;
  const take = (one: Told) => {
    status = Math.max(status, one.status);
    if (one.format !== 'none') told.push(one);
  };
  const stream = new Stream(options, io);
  await eachFile({ command: 'info', makeJob, files, options, stream, io, take });
  if (told.length === 0) return status;
  await stream.write(await render(told, files.length > 1, options, io));
  await stream.end();
  return status;
}

export const makeJob: MakeJob<Options, Told> = async (options, isOfSeveral, io) => {
  const added = await extraItems(options.schema, io);
  const how = await outputStyle(options, io);
  return async (file) => {
    try {
      return tell(await gather(file, options, added, io), isOfSeveral, options, how);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await io.stderr.write(`tw-snap: ${error.message}\n`);
      return { format: 'none', status: error.status };
    }
  };
};

async function gather(file: string, options: Options, added: readonly ItemType[], io: Io): Promise<Gathered> {
  const opened = await openInput(file, options, io);
  if (!opened.format) {
    throw inputError(`${opened.name}: this is no demo or capture; tw-snap decode reads single snapshots`);
  }
  return opened.format.name === 'demo' ? gatherDemo(opened, added) : gatherCapture(opened, options.client, added);
}

function tell(one: Gathered, isOfSeveral: boolean, options: Options, how: OutputStyle): ToldOf {
  const { format, status } = one;
  switch (options.to) {
    case 'json':
      return { format, status, text: isOfSeveral ? jsonText(jsonOf(one)) : renderJson(jsonOf(one)) };
    case 'ndjson':
      return { format, status, text: `${jsonText(jsonOf(one))}\n` };
    case 'csv':
      return { format, status, cells: one.format === 'demo' ? [demoCells(one)] : captureCells(one) };
    default:
      return isOfSeveral ? { format, status, row: rowOf(one, how) } : { format, status, text: textOf(one, how) };
  }
}

const rowOf = (one: Gathered, { theme }: OutputStyle) =>
  one.format === 'demo' ? infoRow(one, theme) : captureRow(one, theme);

const textOf = (one: Gathered, how: OutputStyle) =>
  one.format === 'demo' ? renderInfo(one.file, one.bytes, one.demo, how.theme, how.width) : renderCaptureInfo(one, how);

async function render(told: readonly ToldOf[], many: boolean, options: Options, io: Io): Promise<string> {
  const texts = told.flatMap(({ text = [] }) => text);
  const demos = told.filter(({ format }) => format === 'demo');
  const captures = told.filter(({ format }) => format === 'capture');
  if (options.to === 'json' && many) return `[${texts.join(',\n ')}]\n`;
  if (options.to === 'csv') {
    if (demos.length > 0 && captures.length > 0) {
      throw usageError('demos and captures have columns of their own: give them one after the other, or use -t ndjson');
    }
    const head = demos.length > 0 ? demoHead : captureHead;
    return [head, ...told.flatMap(({ cells = [] }) => cells)].map(csvLine).join('');
  }
  if (options.to !== 'table' || !many) return texts.join('');
  const { theme } = await outputStyle(options, io);
  const rows = (of: readonly ToldOf[]) => of.flatMap(({ row }) => (row ? [row] : []));
  const tables = [
    ...(demos.length > 0 ? [renderInfoRows(rows(demos), theme)] : []),
    ...(captures.length > 0 ? [renderCaptureRows(rows(captures), theme)] : []),
  ];
  return tables.join('\n');
}

function jsonOf(one: Gathered) {
  return one.format === 'demo' ? infoJson(one.file, one.bytes, one.demo) : captureInfoJson(one);
}
