import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TickRange } from '../../src/protocol/ticks.ts';
import { csvLine } from '../../src/view/csv/csv.ts';
import { statsCsv, statsCsvHeads } from '../../src/view/csv/stats-csv.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { statsJson } from '../../src/view/json/stats-json.ts';
import { renderStats } from '../../src/view/table/stats.ts';
import type { StatsBy, StatsReport } from '../../src/view/table/stats-rows.ts';
import { jsonText, printable } from '../../src/view/text/escape.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { type FilterOptions, filterOf, withFilter } from '../lib/filter.ts';
import { extraItems } from '../lib/input/context.ts';
import { openRecording } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { type InputOptions, type OutputOptions, ticks, withFrom, withOutput } from '../lib/options.ts';
import { outputStyle, print } from '../lib/output/output.ts';
import { countRecording } from './count-recording.ts';

type Options = InputOptions &
  OutputOptions &
  FilterOptions & { by: StatsBy; fields?: boolean; top?: number; ticks?: TickRange };

export function define(command: Command): Command {
  return withFilter(withFrom(withOutput(command, ['table', 'json', 'ndjson', 'csv'])))
    .argument('[file...]', "demos and captures; '-' or nothing for standard input")
    .addOption(
      new Option('--by <what>', 'what has a row').choices(['type', 'field', 'player', 'second']).default('type'),
    )
    .option('--fields', 'the fields of each item below it')
    .option('--top <rows>', 'only the largest, the rest in one row', rows)
    .option('--ticks <range>', 'only these ticks, A..B', ticks)
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap stats match.demo
  tw-snap stats server.pcap --by field --top 20
  tw-snap stats demos/*.demo --by player -t csv -o players.csv`;

function rows(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Expected a number from 1 on.');
  return value;
}

/** `tw-snap stats FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const extra = await extraItems(options.schema, io);
  const { by, fields } = options;
  if (fields && by !== 'type' && by !== 'field')
    throw usageError(`--fields shows the fields of items: not with --by ${by}`);
  const files = args.length > 0 ? args : ['-'];
  const wanted = filterOf(options, extra);
  const filter = wanted.all ? undefined : wanted;
  const reports: StatsReport[] = [];
  let status: number = exit.fine;
  for (const file of files) {
    try {
      const counted = await countRecording(await openRecording(file, options, io), { ...options, filter }, extra);
      reports.push(counted.report);
      status = Math.max(status, counted.status);
      for (const line of counted.diagnostics) await io.stderr.write(`tw-snap: ${printable(line)}\n`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      status = Math.max(status, error.status);
      await io.stderr.write(`tw-snap: ${error.message}\n`);
    }
  }
  if (reports.length > 0) await print(await render(reports, files.length > 1, options, io), options, io);
  return status;
}

async function render(reports: readonly StatsReport[], many: boolean, options: Options, io: Io): Promise<string> {
  const by = options.fields === true && options.to === 'csv' && options.by === 'type' ? 'field' : options.by;
  switch (options.to) {
    case 'json':
      return many
        ? `[${reports.map((one) => jsonText(statsJson(one))).join(',\n ')}]\n`
        : renderJson(statsJson(reports[0]!));
    case 'ndjson':
      return reports.map((one) => `${jsonText(statsJson(one))}\n`).join('');
    case 'csv':
      return [statsCsvHeads[by], ...reports.flatMap((one) => statsCsv(one, by))].map(csvLine).join('');
    default: {
      const { theme, width, verbose } = await outputStyle(options, io);
      const how = { theme, width, verbose, by, top: options.top, fields: options.fields === true };
      return reports.map((one) => renderStats(one, how)).join('\n');
    }
  }
}
