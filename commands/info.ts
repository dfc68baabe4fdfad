import type { Command } from 'commander';
import type { ItemType } from '../src/protocol/item.ts';
import { renderCaptureInfo, renderCaptureRows } from '../src/view/capture-info.ts';
import { captureInfoJson } from '../src/view/capture-info-json.ts';
import { csvLine } from '../src/view/csv.ts';
import { jsonText } from '../src/view/escape.ts';
import { renderInfo, renderInfoRows } from '../src/view/info.ts';
import { infoJson } from '../src/view/info-json.ts';
import { renderJson } from '../src/view/json.ts';
import { CommandError, exit, inputError, usageError } from './errors.ts';
import { captureCsv, type GatheredCapture, gatherCapture } from './info-capture.ts';
import { demoCsv, type GatheredDemo, gatherDemo } from './info-demo.ts';
import { addedItems } from './input.ts';
import type { Io } from './io.ts';
import { openInput } from './open.ts';
import { type InputOptions, type OutputOptions, withFrom, withOutput } from './options.ts';
import { look, print } from './output.ts';

type Options = InputOptions & OutputOptions;
type Gathered = GatheredDemo | GatheredCapture;

export function define(command: Command): Command {
  return withFrom(withOutput(command, ['table', 'json', 'ndjson', 'csv']))
    .argument('[file...]', "demos and captures; '-' or nothing for standard input")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap info match.demo
  tw-snap info server.pcap
  tw-snap info demos/*.demo -t csv -o demos.csv`;

/** `tw-snap info FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const files = args.length > 0 ? args : ['-'];
  const gathered: Gathered[] = [];
  let status: number = exit.fine;
  for (const file of files) {
    try {
      const one = await gather(file, options, added, io);
      gathered.push(one);
      status = Math.max(status, one.status);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      status = Math.max(status, error.status);
      await io.stderr.write(`tw-snap: ${error.message}\n`);
    }
  }
  if (gathered.length > 0) await print(await render(gathered, files.length > 1, options, io), options, io);
  return status;
}

async function gather(file: string, options: Options, added: readonly ItemType[], io: Io): Promise<Gathered> {
  const opened = await openInput(file, options, io);
  switch (opened.container) {
    case 'demo':
      return gatherDemo(opened, added);
    case 'capture':
    case 'netlog':
      return gatherCapture(opened, options.client, added);
    default:
      throw inputError(`${opened.name}: this is no demo or capture; tw-snap decode reads single snapshots`);
  }
}

async function render(gathered: readonly Gathered[], many: boolean, options: Options, io: Io): Promise<string> {
  const demos = gathered.filter((one) => one.format === 'demo');
  const captures = gathered.filter((one) => one.format === 'capture');
  switch (options.to) {
    case 'json':
      return many
        ? `[${gathered.map((one) => jsonText(jsonOf(one))).join(',\n ')}]\n`
        : renderJson(jsonOf(gathered[0]!));
    case 'ndjson':
      return gathered.map((one) => `${jsonText(jsonOf(one))}\n`).join('');
    case 'csv':
      if (demos.length > 0 && captures.length > 0) {
        throw usageError(
          'demos and captures have columns of their own: give them one after the other, or use -t ndjson',
        );
      }
      return [...demoCsv(demos), ...captureCsv(captures)].map(csvLine).join('');
    default: {
      const how = await look(options, io);
      const { theme, width } = how;
      const [first] = gathered;
      if (many) {
        const tables = [
          ...(demos.length > 0 ? [renderInfoRows(demos, theme)] : []),
          ...(captures.length > 0 ? [renderCaptureRows(captures, theme)] : []),
        ];
        return tables.join('\n');
      }
      return first!.format === 'demo'
        ? renderInfo(first!.file, first!.bytes, first!.demo, theme, width)
        : renderCaptureInfo(first!, how);
    }
  }
}

function jsonOf(one: Gathered) {
  return one.format === 'demo' ? infoJson(one.file, one.bytes, one.demo) : captureInfoJson(one);
}
