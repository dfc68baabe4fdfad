import type { Schema } from '../../src/protocol/schema.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import type { DemoRange, RangeStart } from '../../src/recording/demo-range.ts';
import { isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import type { RecordFilter } from '../../src/recording/record-filter.ts';
import type { Replay } from '../../src/recording/replay.ts';
import { RecordingStats, type StatsCounts } from '../../src/stats/recording-stats.ts';
import type { StatsReport } from '../../src/view/table/stats-rows.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { type CommandError, exit } from '../lib/errors.ts';
import { entryStatus, verdictStatus } from '../lib/health-status.ts';
import { type OpenedRecording, openReplay } from '../lib/input/open.ts';
import { type InputEnd, readRecords } from '../lib/input/read-records.ts';
import type { InputOptions } from '../lib/options.ts';
import type { OpenedRange } from '../lib/parallel/divided-demo.ts';
import { refuseIneffective } from '../lib/refuse-options.ts';
import { TickCheck } from '../lib/tick-check.ts';

/** The counts of `stats` for a recording, and the problems of the recording. */
export interface CountedRecording {
  readonly report: StatsReport;
  /** The problems as sentences. */
  readonly diagnostics: readonly string[];
  readonly status: number;
}

interface CountOptions {
  readonly client?: string;
  readonly ticks?: TickRange;
  readonly filter?: RecordFilter | undefined;
  readonly strict?: boolean;
  readonly protocol: InputOptions['protocol'];
  readonly follow?: boolean | undefined;
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
  schema: Schema,
  onCounted?: (counts: CountsSoFar) => void,
): Promise<CountedRecording> {
  const { name } = opened;
  const counter = new Counter(opened, options, schema);
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

/** The counts and problems of a part of a demo, as plain data. */
export interface CountedPart {
  readonly counts: StatsCounts;
  readonly problems: Problems;
  /** The error that ended the input, if one did. */
  readonly failure: Pick<CommandError, 'status' | 'message'> | undefined;
}

export async function countPart(
  opened: OpenedRange,
  { start, end }: DemoRange,
  options: CountOptions,
  schema: Schema,
): Promise<CountedPart> {
  const counter = new Counter(opened, options, schema, start);
  const { bytes, failure } = await counter.read();
  const { stats, problems } = counter;
  stats.finish(opened.end.isReached ? end! : opened.start + bytes);
  const { counts } = stats;
  return { counts, problems, failure: failure && { status: failure.status, message: failure.message } };
}

/** The counts of a demo from those of its parts, in order. */
export function joinCounts(
  { file, fileBytes }: Pick<StatsReport, 'file' | 'fileBytes'>,
  parts: readonly CountedPart[],
  { filter }: CountOptions,
): CountedRecording {
  const stats = new RecordingStats({ datagrams: undefined }, { filter });
  const problems: Problems = { lines: [], more: 0, status: exit.fine };
  for (const part of parts) {
    stats.addCounts(part.counts);
    for (const line of part.problems.lines) addLine(problems, line);
    problems.more += part.problems.more;
    problems.status = Math.max(problems.status, part.problems.status);
  }
  return conclude({ file, container: 'demo', fileBytes, stats }, problems, parts.at(-1)?.failure);
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

  constructor(opened: OpenedRecording, options: CountOptions, schema: Schema, start?: RangeStart) {
    const { client, ticks, filter, protocol, follow } = options;
    this.#opened = opened;
    this.#options = options;
    this.replay = openReplay(opened, { protocol, follow }, { schema, parts: true });
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
      addLine(problems, () => findingLine(entry));
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

function addLine(problems: Problems, line: string | (() => string)): void {
  if (problems.lines.length >= maxLines) problems.more++;
  else problems.lines.push(typeof line === 'string' ? line : line());
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
