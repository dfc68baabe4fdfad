import type { DemoRange } from '../../src/recording/demo-range.ts';
import { csvLine } from '../../src/view/csv/csv.ts';
import { statsCsv, statsCsvHeads } from '../../src/view/csv/stats-csv.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { statsJson } from '../../src/view/json/stats-json.ts';
import { renderStats } from '../../src/view/table/stats.ts';
import { renderStatsComparison } from '../../src/view/table/stats-comparison.ts';
import type { StatsBy, StatsReport } from '../../src/view/table/stats-rows.ts';
import { jsonText, printable } from '../../src/view/text/escape.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openRecording } from '../lib/input/open.ts';
import { requireOneFile } from '../lib/input/refuse.ts';
import { inputOf } from '../lib/input/settings.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import {
  common,
  flag,
  type Given,
  itemSelection,
  oneOf,
  parsed,
  printing,
  recordingInput,
  ticks,
  wholeNumber,
} from '../lib/options.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import type { Division } from '../lib/parallel/division.ts';
import { eachFile, type MakeJob, type PartResult } from '../lib/parallel/many-files.ts';
import { filterOf } from '../lib/selection.ts';
import {
  type CountedPart,
  type CountedRecording,
  type CountsSoFar,
  countPart,
  countRecording,
  joinCounts,
} from './count-recording.ts';
import { LiveOutput } from './live-output.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    by: oneOf('--by <what>', 'what each row is about', ['type', 'field', 'player', 'second']),
    fields: flag('--fields', 'show the fields of each item', {
      refusal: ({ by }) =>
        by === 'type' || by === 'field' ? undefined : `--fields shows the fields of items: not with --by ${by}`,
    }),
    top: parsed(
      '--top <rows>',
      'only the largest rows; the others are summed up in one row',
      wholeNumber(1, Infinity, 'a number from 1 on'),
    ),
    ...recordingInput,
    include: common.include,
    follow: common.follow,
    ticks: ticks('only these ticks, A..B'),
    ...itemSelection('items of these types and messages'),
    ...printing(['table', 'json', 'ndjson', 'csv']),
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Two recordings are compared in bytes per snapshot, for instance before and after
a change of a server or mod.

Examples:
  tw-snap stats match.demo
  tw-snap stats server.pcap --by field --top 20
  tw-snap stats old.pcap new.pcap --fields
  tw-snap stats demos/*.demo --by player -t csv -o players.csv`,
};

/** The result for a file, as plain data, since a worker may return it. */
interface FileStats extends PartResult {
  readonly status: number;
  /** Undefined for an unreadable file. */
  readonly text?: string;
  /** For a part of a recording, in place of the text. */
  readonly part?: CountedPart;
}

/** `tw-snap stats FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { by, to } = options;
  const { files, isOfSeveral } = await filesOf(args, options, io);
  requireOneFile(options, files);
  const stream = new Stream(options, io);
  const isList = to === 'json' && isOfSeveral;
  let status: number = exit.fine;
  let reports = 0;
  const add = async (one: FileStats) => {
    status = Math.max(status, one.status);
    if (one.text === undefined) return;
    if (reports === 0 && to === 'csv') await stream.write(csvLine(statsCsvHeads[rowsOf(options)]));
    await stream.write(isList ? (reports === 0 ? '[' : ',\n ') : reports > 0 && to === 'table' ? '\n' : '');
    await stream.write(one.text);
    await stream.flush();
    reports++;
  };
  const isPair = files.length === 2 && to === 'table' && by !== 'second';
  if (isPair) await add(await comparePair(files, options, io));
  else {
    const joinParts = (file: string, parts: readonly FileStats[]) => joinStats(file, parts, isOfSeveral, options, io);
    // The seconds of a few ticks are counted from the first of these.
    const own = options.ticks === undefined ? { division } : {};
    await eachFile({ command: 'stats', makeJob, files, isOfSeveral, options, stream, io, ...own, joinParts, add });
  }
  if (isList && reports > 0) await stream.write(']\n');
  await stream.end(status);
  return status;
}

/** The result of counting a recording. The report is undefined if the recording cannot be read. */
interface Counted {
  readonly status: number;
  readonly report?: StatsReport;
}

const division: Division = { minBytes: 32 << 20 };

async function makeCount(options: Options, style: OutputStyle, io: Io) {
  const input = await inputOf(options, io);
  const selected = filterOf(options, input.schema);
  const counting = { ...input, ticks: options.ticks, filter: selected.all ? undefined : selected };
  const report = async ({ diagnostics, status, report }: CountedRecording): Promise<Counted> => {
    for (const line of diagnostics) await printProblem(printable(line), io);
    return { status, report };
  };
  return {
    async file(file: string): Promise<Counted> {
      try {
        const live = options.follow && options.to === 'table' ? new LiveOutput(style, io) : undefined;
        const onCounted = live && ((counts: CountsSoFar) => live.update(counts));
        const counted = await countRecording(await openRecording(file, input), counting, onCounted);
        await live?.finish();
        return await report(counted);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        await printProblem(error.message, io);
        return { status: error.status };
      }
    },
    async part(file: string, range: DemoRange): Promise<FileStats> {
      const part = await countPart(file, range, counting);
      return { status: exit.fine, part, end: part.end };
    },
    async join(file: string, parts: readonly CountedPart[]): Promise<Counted | undefined> {
      const counted = joinCounts({ file, fileBytes: io.size(file) }, parts, counting);
      return counted && report(counted);
    },
  };
}

export const makeJob: MakeJob<Options, FileStats> = async (options, isOfSeveral, io) => {
  const style = await outputStyle(options, io);
  const count = await makeCount(options, style, io);
  return async (file, _, range) =>
    range ? count.part(file, range) : fileStats(await count.file(file), isOfSeveral, options, style);
};

async function joinStats(
  file: string,
  parts: readonly FileStats[],
  isOfSeveral: boolean,
  options: Options,
  io: Io,
): Promise<FileStats | undefined> {
  const style = await outputStyle(options, io);
  const { join } = await makeCount(options, style, io);
  const counted = await join(
    file,
    parts.map(({ part }) => part!),
  );
  return counted && fileStats(counted, isOfSeveral, options, style);
}

const fileStats = (
  { status, report }: Counted,
  isOfSeveral: boolean,
  options: Options,
  style: OutputStyle,
): FileStats => ({
  status,
  ...(report ? { text: render(report, isOfSeveral, options, style) } : {}),
});

/** Compares two recordings. If one of them cannot be read, the report shows only the other one. */
async function comparePair([old, other]: readonly string[], options: Options, io: Io): Promise<FileStats> {
  const style = await outputStyle(options, io);
  const count = await makeCount(options, style, io);
  const counted = [await count.file(old!), await count.file(other!)];
  const status = Math.max(...counted.map((one) => one.status));
  const [one, two] = counted.flatMap(({ report }) => report ?? []);
  if (!one) return { status };
  const { by, top, fields } = options;
  const shown = { theme: style.theme, width: style.width, verbose: style.verbose, by, top, fields: fields === true };
  return { status, text: two ? style.fit(renderStatsComparison(one, two, shown)) : render(one, true, options, style) };
}

const rowsOf = ({ by, fields, to }: Options): StatsBy =>
  fields === true && to === 'csv' && by === 'type' ? 'field' : by;

function render(report: StatsReport, isOfSeveral: boolean, options: Options, style: OutputStyle): string {
  switch (options.to) {
    case 'json':
      return isOfSeveral ? jsonText(statsJson(report)) : renderJson(statsJson(report));
    case 'ndjson':
      return `${jsonText(statsJson(report))}\n`;
    case 'csv':
      return statsCsv(report, rowsOf(options)).map(csvLine).join('');
    default: {
      const { theme, width, verbose } = style;
      const { by, top, fields } = options;
      return style.fit(renderStats(report, { theme, width, verbose, by, top, fields: fields === true }));
    }
  }
}
