import type { CompiledQuery } from '../src/analysis/query/compile.ts';
import { checkStatus } from '../src/output/reports/ci.ts';
import { FilesTable, infoCheck, renderInfo } from '../src/output/reports/info.ts';
import { csvHeadOf, csvLine, csvLineOf } from '../src/output/results/field-csv.ts';
import { valuesOf } from '../src/output/results/fields.ts';
import { infoColumns, infoValues, type RecordingInfo, summaryRows } from '../src/output/results/info.ts';
import { unreadableFields } from '../src/output/results/shared.ts';
import { pathText } from '../src/output/text/escape.ts';
import { widthOf } from '../src/output/text/layout.ts';
import { count, thousands } from '../src/output/text/number.ts';
import { unreadableState } from '../src/recording/health/health.ts';
import { filesOf } from './lib/input/folders.ts';
import { open } from './lib/input/opened.ts';
import { summarise } from './lib/input/summarise.ts';
import { exit } from './lib/options/errors.ts';
import { type FileFilter, fileFilterOf } from './lib/options/file-filter.ts';
import { annotations, common, fileSelection, type Given, printing, recordingInput } from './lib/options/options.ts';
import { where } from './lib/options/where.ts';
import type { Io } from './lib/platform/io.ts';
import { printNote } from './lib/platform/note.ts';
import { type FileResult, filesCommand, jsonOf, type Run, reportFailure } from './lib/run/files.ts';

/** `fileWidth`: the columns of the longest name of a file. */
type Options = Given<(typeof definition)['options']> & { readonly fileWidth: number };

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    ...recordingInput,
    include: common.include,
    ...fileSelection,
    where: { ...where, about: "only recordings with what a query selects: 'kill killer=corpus'" },
    ...printing(['table', 'markdown', 'json', 'ndjson', 'csv', 'junit']),
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

/** A file that the options exclude has only a status. */
interface FileInfo extends FileResult {
  readonly health?: string;
}

interface InfoRun extends Run<Options> {
  readonly isSelected: FileFilter | undefined;
  /** A recording is selected if the query finds something in it. */
  readonly query: CompiledQuery | undefined;
  readonly table: FilesTable | undefined;
}

const files = filesCommand<Options, InfoRun, FileInfo>({
  name: 'info',
  async prepare(run) {
    const { printing, options, multipleFiles } = run;
    const { fileWidth } = options;
    const table = multipleFiles ? new FilesTable({ ...printing, fileWidth }) : undefined;
    const query = options.where && (await queries()).compiledOf(options.where, run.input.schema);
    return { ...run, isSelected: fileFilterOf(options), query, table };
  },
  async read(file, run) {
    const opened = await (await open(file, run.input)).whole.recording(run.input);
    const search = run.query && new (await searches()).QuerySearch(run.query);
    const info = await summarise(opened, run.input, { search, isExplained: true });
    search?.finish();
    return search?.count === 0 ? { status: exit.fine } : render(file, info, run);
  },
  async failed(file, error, run) {
    if (run.isSelected?.(undefined) === false || run.query) return { status: exit.fine };
    const failed = await reportFailure(file, error, run.io);
    if (error.status === exit.usage) return failed;
    const text = failureText(file, failed.check.summary, run);
    return { ...failed, health: unreadableState, ...(text !== undefined && { text }) };
  },
});

/** Loaded for `--where` only, to keep start-up fast. */
const queries = () => import('./lib/options/selection.ts');
const searches = () => import('../src/analysis/query/search.ts');

export const { makeJob } = files;

export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  const fileWidth = Math.max(...named.files.map((file) => widthOf(pathText(file))));
  const counts = new Map<string, number>();
  let shown = 0;
  const isSearch = fileFilterOf(options) !== undefined || options.where !== undefined;
  const status = await files.run(named, { ...options, fileWidth }, io, {
    heading,
    add({ health, text }) {
      if (health) counts.set(health, (counts.get(health) ?? 0) + 1);
      if (text !== undefined) shown++;
    },
    async end(writer, { table, printing }) {
      if (table && options.to === 'table' && shown > 0) await writer.write(printing.fit(table.ending()));
      if (shown === 0 && isSearch) await printNote('no recording matches these options', io);
      if (options.to === 'table' && shown > maxWithoutCounts) await printNote(countsText(shown, counts), io);
    },
  });
  return isSearch && counts.size === 0 ? Math.max(status, exit.finding) : status;
}

/** The number of rows that a screen shows; the states of more files are counted. */
const maxWithoutCounts = 24;

/** `500 files: 460 healthy, 30 cut, 10 unreadable` */
function countsText(files: number, counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return `${count(files, 'file')}: ${sorted.map(([health, times]) => `${thousands(times)} ${health}`).join(', ')}`;
}

const isForPeople = (to: Options['to']) => to === 'table' || to === 'markdown';

function heading({ options: { to }, table, printing }: InfoRun): string {
  if (to === 'csv') return csvHeadOf(infoColumns);
  return table && isForPeople(to) ? printing.fit(table.heading()) : '';
}

function render(file: string, info: RecordingInfo, run: InfoRun): FileInfo {
  const { options, isSelected } = run;
  const { summary } = info;
  if (isSelected?.(summary) === false) return { status: exit.fine };
  const health = summary.health.state;
  const check = { ...infoCheck(info), file, isStrict: options.strict };
  return { status: checkStatus(check), check, health, ...(options.to !== 'junit' && { text: textOf(info, run) }) };
}

function textOf(info: RecordingInfo, run: InfoRun): string {
  const { options, table, printing } = run;
  if (options.to === 'csv')
    return summaryRows(info)
      .map((row) => csvLineOf(infoColumns, row))
      .join('');
  if (!isForPeople(options.to)) return jsonOf(infoValues(info), run);
  return printing.fit(table?.row(info) ?? renderInfo(info, printing));
}

/** What is printed of an unreadable file: of the only one, people read just the error. */
function failureText(file: string, reason: string, run: InfoRun): string | undefined {
  const { options, table, printing } = run;
  if (options.to === 'junit') return undefined;
  const values: Readonly<Record<string, string>> = valuesOf(unreadableFields, { file, reason });
  if (options.to === 'csv') return csvLine(Object.keys(infoColumns).map((name) => values[name]));
  if (!isForPeople(options.to)) return jsonOf(values, run);
  return table && printing.fit(table.failure(file, reason));
}
