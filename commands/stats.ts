import { type Budget, budgetOf, checkOf, readBudget, usualTolerance } from '../src/analysis/stats/budget.ts';
import { RecordingStats } from '../src/analysis/stats/recording-stats.ts';
import { countText, FindingKinds, findingText } from '../src/output/phrases/finding-phrases.ts';
import { checkStatus, maxFindings } from '../src/output/reports/ci.ts';
import {
  type LiveStats,
  liveLine,
  renderLiveStats,
  renderStats,
  renderStatsComparison,
} from '../src/output/reports/stats.ts';
import { budgetCheck, renderBudget } from '../src/output/reports/stats-budget.ts';
import { csvHeadOf, csvLineOf } from '../src/output/results/field-csv.ts';
import { valuesOf } from '../src/output/results/fields.ts';
import { type StatsBy, type StatsReport, statsColumns, statsFields, statsRows } from '../src/output/results/stats.ts';
import { printable } from '../src/output/text/escape.ts';
import { type Finding, RecordFindings, statusOf } from '../src/recording/health/findings.ts';
import { filesOf } from './lib/input/folders.ts';
import { decodeFailure } from './lib/input/inputs.ts';
import { open, openPlain } from './lib/input/opened.ts';
import { textIn } from './lib/input/plain.ts';
import { inputError, usageError } from './lib/options/errors.ts';
import {
  annotations,
  common,
  type Given,
  itemSelection,
  oneOf,
  parsed,
  player,
  printing,
  recordingsInput,
  text,
  wholeNumber,
} from './lib/options/options.ts';
import { filterOf, type ItemFilter } from './lib/options/selection.ts';
import { failureFinding } from './lib/options/status.ts';
import { where } from './lib/options/where.ts';
import { type OutputStyle, print } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { changed, printError, printProblem } from './lib/platform/note.ts';
import { type FileResult, filesCommand, jsonOf, type Run, reportFailureAsJson } from './lib/run/files.ts';

/** `isPair`: two recordings are compared, whose reports are printed together. */
type Options = Given<(typeof definition)['options']> & { readonly isPair?: boolean };

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    by: oneOf(
      '--by <what>',
      'what each row is about',
      ['type', 'field', 'player', 'player-field', 'client', 'second'],
      {
        refusal({ by, type, id, where, player }) {
          const selects = type ?? id ?? where ?? player;
          if (by !== 'client' || selects === undefined) return undefined;
          return '--by client counts packets, and --type, --id, --where and --player select what is in them';
        },
      },
    ),
    top: parsed(
      '--top <rows>',
      'only the largest rows; the others are summed up in one row',
      wholeNumber(1, Infinity, 'a number from 1 on'),
    ),
    save: text('--save <file>', 'write what this recording takes as a budget, for --budget', {
      refusal: ({ budget, follow }) => {
        if (budget !== undefined) return '--save and --budget: compare first, then save';
        return follow ? '--save needs a whole recording: not with --follow' : undefined;
      },
    }),
    budget: text('--budget <file>', 'exit 1 if the recording takes more than this budget', {
      refusal: ({ to, by, top, follow }) => {
        if (to === 'csv' || to === 'markdown') return '--budget prints what grew: -t table, json, ndjson or junit';
        if (follow) return '--budget needs a whole recording: not with --follow';
        const shown = (by !== 'type' && '--by') || (top !== undefined && '--top');
        return shown ? `--budget prints what grew: ${shown} has no effect` : undefined;
      },
    }),
    ...recordingsInput,
    player,
    ...itemSelection('items of these types and messages'),
    where: { ...where, about: "count what a query selects: 'obj_character weapon=ninja'" },
    ...printing(['table', 'markdown', 'json', 'ndjson', 'csv', 'junit']),
    annotations: {
      ...annotations,
      refusal: ({ budget }: Readonly<Record<string, unknown>>) =>
        budget === undefined ? '--annotations tells what grew: with --budget' : undefined,
    },
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Two recordings are compared in bytes per snapshot, for instance before and after
a change of a server or mod. A budget is what one takes, with a tolerance that may
be edited: with --budget what grew by more is a finding.

Examples:
  tw-snap stats match.demo
  tw-snap stats server.pcap --by field --top 20
  tw-snap stats server.pcap --by client
  tw-snap stats old.pcap new.pcap --by field
  tw-snap stats match.demo --save budget.json
  tw-snap stats match.demo --budget budget.json -t junit
  tw-snap stats demos/*.demo --by player -t csv -o players.csv`,
};

interface StatsRun extends Run<Options> {
  readonly filter: ItemFilter | undefined;
  readonly budget: Budget | undefined;
}

interface StatsResult extends FileResult {
  /** Of one of a pair. */
  readonly report?: StatsReport;
  readonly size?: Budget;
}

const files = filesCommand<Options, StatsRun, StatsResult>({
  name: 'stats',
  async prepare(run) {
    const selected = filterOf(run.options, run.input.schema);
    const { budget: file, to } = run.options;
    if (to === 'junit' && file === undefined) throw usageError('-t junit reports what grew: with --budget');
    const budget = file === undefined ? undefined : await readBudgetFile(file, run.io);
    return { ...run, filter: selected.all ? undefined : selected, budget };
  },
  read: async (file, run) => render(await count(file, run), run),
  failed: reportFailureAsJson,
});

export const { makeJob } = files;

export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { by, to } = options;
  const named = await filesOf(args, options, io);
  const { save, budget } = options;
  if (save !== undefined && named.files.length > 1) throw usageError('--save is for a single recording');
  const isText = to === 'table' || to === 'markdown';
  const isPair =
    named.files.length === 2 && isText && by !== 'second' && by !== 'client' && !options.follow && budget === undefined;
  let size: Budget | undefined;
  const pair: StatsReport[] = [];
  // Reports of a pair are no plain data, which threads could return.
  return files.run(named, isPair ? { ...options, isPair, jobs: 1 } : options, io, {
    isSpaced: isText,
    heading: () => (to === 'csv' ? csvHeadOf(statsColumns(by)) : ''),
    add(result) {
      if (result.report) pair.push(result.report);
      size ??= result.size;
    },
    // If one of them cannot be read, only the other one is shown.
    async end(writer, run) {
      const [first, second] = pair;
      if (first)
        await writer.write(
          second ? run.printing.fit(renderStatsComparison(first, second, shownBy(run))) : textOf(first, run),
        );
      if (save !== undefined && size) await saveBudget(save, size, io);
    },
  });
}

interface Counted {
  readonly report: StatsReport;
  readonly findings: readonly Finding[];
}

async function count(file: string, run: StatsRun): Promise<Counted> {
  const { options, printing, io } = run;
  const live = options.follow && options.to === 'table' ? new LiveOutput(printing, io) : undefined;
  const opened = await (await open(file, run.input)).recording(run.input);
  const { name, client, ticks: range } = opened;
  // A file is read alone: it has its own players.
  const filter = (run.filter?.player ?? run.filter?.where) ? filterOf(options, run.input.schema) : run.filter;
  const records = await opened.records(run.input, { parts: true });
  const { replay } = records;
  const stats = new RecordingStats(replay, { client, range, filter, itemsOfPlayers: options.by === 'player-field' });
  const findings = new RecordFindings(maxFindings);
  const reportOf = (fileBytes: number) => ({ file: name, container: replay.container ?? 'unknown', fileBytes, stats });
  let bytesSoFar = 0;
  const { bytes, failure } = await records.read({
    player: filter?.player,
    where: filter?.where,
    add(entry) {
      findings.add(entry);
      if (entry.record !== 'diagnostic') stats.add(entry);
    },
    async afterPiece(piece) {
      bytesSoFar += piece.length;
      live?.update({ report: reportOf(bytesSoFar), clients: replay.streams.length, mismatched: findings.mismatched });
    },
  });
  stats.finish(bytes);
  await live?.finish();
  await printProblems(name, findings, io);
  if (failure) await printError(failure.message, io);
  const failed = failure ? [failureFinding(failure.status, failure.message)] : [];
  return { report: reportOf(bytes), findings: [...findings.all, ...failed] };
}

async function printProblems(file: string, { all, omitted }: RecordFindings, io: Io): Promise<void> {
  const texts = new FindingKinds(all).all.flatMap((finding) => findingText(finding, file) ?? []);
  const more = omitted + Math.max(0, texts.length - maxFindings);
  const mismatched = countText(all, 'mismatched_snapshots');
  const last = [...(mismatched ? [mismatched] : []), ...(more > 0 ? [`${more} more findings`] : [])];
  for (const text of [...texts.slice(0, maxFindings), ...last]) await printProblem(printable(`${file}: ${text}`), io);
}

const shownBy = ({ options: { by, top }, printing }: StatsRun) => ({ ...printing, by, top });

function render({ report: counted, findings }: Counted, run: StatsRun): StatsResult {
  const { options, budget } = run;
  if (options.by === 'client' && !counted.stats.hasPackets)
    throw usageError(`${counted.file}: --by client is for captures: only these have connections`);
  const status = statusOf(findings, options.strict);
  if (options.isPair) return { status, report: counted };
  const isSized = budget !== undefined || options.save !== undefined;
  const size = isSized ? budgetOf(counted.stats, budget?.tolerance ?? usualTolerance) : undefined;
  if (isSized && !size) throw inputError(`${counted.file}: it has no snapshots to compare with a budget`);
  if (!budget) return { status, text: textOf(counted, run), ...(size && { size }) };
  const report = { ...counted, check: checkOf(options.budget!, budget, size!) };
  const check = budgetCheck(report, findings, options.strict === true);
  return { status: checkStatus(check), check, ...(options.to !== 'junit' && { text: textOf(report, run) }) };
}

async function readBudgetFile(path: string, io: Io): Promise<Budget> {
  try {
    return readBudget(await textIn(await openPlain(path, io)));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}

/** Writes a budget. The tolerance of one that it replaces is kept: it was written by a person. */
async function saveBudget(path: string, size: Budget, io: Io): Promise<void> {
  const before = path !== '-' && io.exists(path) ? await readBudgetFile(path, io) : undefined;
  const saved = { ...size, tolerance: before?.tolerance ?? size.tolerance };
  // A line for each number: people edit it, and see what changed between two of them.
  const updating = changed(io, { create: (name) => io.create(name, true) });
  await print(`${JSON.stringify(saved, undefined, 2)}\n`, { output: path, io: updating });
}

function textOf(report: StatsReport, run: StatsRun): string {
  switch (run.options.to) {
    case 'json':
    case 'ndjson':
      return jsonOf(valuesOf(statsFields, report), run);
    case 'csv':
      return csvOf(report, run.options.by);
    default:
      return run.printing.fit(report.check ? renderBudget(report, run.printing) : renderStats(report, shownBy(run)));
  }
}

function csvOf(report: StatsReport, by: StatsBy): string {
  const columns = statsColumns(by);
  return statsRows(report, by)
    .map((row) => csvLineOf(columns, row))
    .join('');
}

/** The milliseconds between two screens, and between two lines. */
const screenTime = 250;
const lineTime = 1000;

/**
 * Shows the counts of a growing recording: as a screen that is redrawn on a terminal, otherwise as a line each second.
 */
class LiveOutput {
  readonly #style: OutputStyle;
  readonly #io: Io;
  #live: LiveStats | undefined;
  /** Active while new counts have not been shown. */
  #timer: NodeJS.Timeout | undefined;
  #shown = 0;

  constructor(style: OutputStyle, io: Io) {
    this.#style = style;
    this.#io = io;
  }

  update(live: LiveStats): void {
    this.#live = live;
    this.#timer ??= setTimeout(() => this.#show(), this.#io.stdout.isTerminal ? screenTime : lineTime);
  }

  /** Removes the screen before the final table. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#io.stdout.write(this.#erased());
  }

  #show(): void {
    this.#timer = undefined;
    const { isTerminal, rows = 24 } = this.#io.stdout;
    const { theme } = this.#style;
    // The last row of the terminal stays free, since a line end in it would scroll the screen.
    const style = { ...this.#style, height: rows - 1 };
    const lines = isTerminal ? renderLiveStats(this.#live!, style) : [liveLine(this.#live!, theme)];
    const erased = this.#erased();
    if (isTerminal) this.#shown = lines.length;
    void this.#io.stdout.write(`${erased}${lines.join('\n')}\n`);
  }

  #erased(): string {
    return this.#shown > 0 ? `\u001b[${this.#shown}A\r\u001b[J` : '';
  }
}
