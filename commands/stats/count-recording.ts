import type { TickRange } from '../../src/protocol/ticks.ts';
import type { DemoRange, RangeEnd } from '../../src/recording/demo-range.ts';
import { isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import type { RecordFilter } from '../../src/recording/record-filter.ts';
import type { Replay } from '../../src/recording/replay.ts';
import { RecordingStats, type StatsCounts } from '../../src/stats/recording-stats.ts';
import type { StatsOptions } from '../../src/stats/tally.ts';
import type { StatsReport } from '../../src/view/table/stats-rows.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { type CommandError, exit } from '../lib/errors.ts';
import { entryStatus, verdictStatus } from '../lib/health-status.ts';
import type { Input } from '../lib/input/input.ts';
import { type OpenedRecording, openReplay } from '../lib/input/open.ts';
import { type InputEnd, readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/input/refuse.ts';
import { openRange } from '../lib/parallel/divided-demo.ts';
import { TickCheck } from '../lib/selection.ts';

/** The counts of `stats` for a recording, and the problems of the recording. */
export interface CountedRecording {
  readonly report: StatsReport;
  /** The problems as sentences. */
  readonly diagnostics: readonly string[];
  readonly status: number;
}

interface CountOptions extends Input {
  readonly ticks: TickRange | undefined;
  readonly filter: RecordFilter | undefined;
}

/** The counts so far. */
export interface CountsSoFar {
  readonly report: StatsReport;
  readonly clients: number;
  readonly mismatched: number;
}

export async function countRecording(
  opened: OpenedRecording,
  options: CountOptions,
  onCounted?: (counts: CountsSoFar) => void,
): Promise<CountedRecording> {
  const { name } = opened;
  const counter = new Counter(opened, options);
  let fileBytes = 0;
  const afterPiece =
    onCounted &&
    (async (piece: Uint8Array) => {
      fileBytes += piece.length;
      const { replay, stats, mismatched } = counter;
      const report = { file: name, container: containerOf(replay), fileBytes, stats };
      onCounted({ report, clients: replay.streams.length, mismatched });
    });
  const { bytes, failure } = await counter.read(afterPiece);
  const { replay, stats, problems } = counter;
  stats.finish(bytes);
  refuseIneffective(name, options, replay);
  counter.ticks.require(name);
  return conclude({ file: name, container: containerOf(replay), fileBytes: bytes, stats }, problems, failure);
}

/** The counts and problems of a part of a recording, as plain data. */
export interface CountedPart extends Pick<Replay, 'datagrams'> {
  readonly container: string;
  readonly counts: StatsCounts;
  readonly problems: Problems;
  /** The error that ended the input, if one did. */
  readonly failure: Pick<CommandError, 'status' | 'message'> | undefined;
  readonly end: RangeEnd;
}

export async function countPart(file: string, part: DemoRange, options: CountOptions): Promise<CountedPart> {
  const opened = openRange(file, part, options.io);
  const counter = new Counter(opened, options, part.start);
  const { bytes, failure } = await counter.read();
  const { replay, stats, problems } = counter;
  const { start, end } = opened;
  stats.finish(end.isReached ? part.end! : start + bytes);
  return {
    container: containerOf(replay),
    datagrams: replay.datagrams,
    counts: stats.counts,
    problems,
    failure: failure && { status: failure.status, message: failure.message },
    end,
  };
}

/**
 * The counts of a recording from those of its parts, in order; undefined if there are too many kinds of something to count all of them.
 */
export function joinCounts(
  { file, fileBytes }: Pick<StatsReport, 'file' | 'fileBytes'>,
  parts: readonly CountedPart[],
  { filter }: CountOptions,
): CountedRecording | undefined {
  const { container } = parts[0]!;
  const stats = new RecordingStats(parts[0]!, { filter });
  for (const part of parts) stats.addCounts(part.counts);
  if (stats.tally.isFull) return undefined;
  const lines = parts.flatMap(({ problems }) => problems.lines);
  const problems = {
    lines: lines.slice(0, maxLines),
    more: parts.reduce((sum, part) => sum + part.problems.more, Math.max(0, lines.length - maxLines)),
    status: Math.max(...parts.map((part) => part.problems.status)),
  };
  return conclude({ file, container, fileBytes, stats }, problems, parts.at(-1)?.failure);
}

const containerOf = ({ container }: Replay) => container ?? 'unknown';

/** Counts the records of a recording, or of a part of one. */
class Counter {
  readonly replay: Replay;
  readonly stats: RecordingStats;
  readonly ticks: TickCheck;
  readonly problems: Problems = { lines: [], more: 0, status: exit.fine };
  mismatched = 0;
  readonly #opened: OpenedRecording;
  readonly #options: CountOptions;

  constructor(opened: OpenedRecording, options: CountOptions, start?: StatsOptions['start']) {
    const { client, ticks, filter } = options;
    this.#opened = opened;
    this.#options = options;
    this.replay = openReplay(opened, options, { parts: true });
    this.stats = new RecordingStats(this.replay, { client, range: ticks, filter, start });
    this.ticks = new TickCheck(ticks);
  }

  read(afterPiece?: (piece: Uint8Array) => Promise<void>): Promise<InputEnd> {
    return readRecords(this.#opened, this.replay, (entry) => this.#add(entry), afterPiece);
  }

  #add(entry: RecordingEntry): void {
    const { client, strict } = this.#options;
    const { problems } = this;
    if (!isOfClient(entry.stream, client)) return;
    if (entry.record === 'diagnostic') {
      const { lines } = problems;
      if (lines.length >= maxLines) problems.more++;
      else lines.push(findingLine(entry));
      problems.status = Math.max(problems.status, entryStatus(entry, strict));
      return;
    }
    if (entry.record === 'snapshot') {
      this.ticks.add(entry.tick);
      problems.status = Math.max(problems.status, verdictStatus(entry.verdict));
      if (entry.verdict === 'mismatch') this.mismatched++;
    }
    this.stats.add(entry);
  }
}

/** The maximum number of printed diagnostics; the others are only counted. */
const maxLines = 20;

interface Problems {
  readonly lines: string[];
  /** The number of those that are not in the list. */
  more: number;
  status: number;
}

function conclude(
  report: StatsReport,
  { lines, more, status }: Problems,
  failure: CountedPart['failure'],
): CountedRecording {
  const all = (more > 0 ? [...lines, `${more} more findings`] : lines).map((line) => `${report.file}: ${line}`);
  return {
    report,
    diagnostics: failure ? [...all, failure.message] : all,
    status: Math.max(status, failure?.status ?? exit.fine),
  };
}
