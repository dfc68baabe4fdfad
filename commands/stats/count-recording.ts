import type { Schema } from '../../src/protocol/schema.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import { isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import type { RecordFilter } from '../../src/recording/record-filter.ts';
import { RecordingStats } from '../../src/stats/recording-stats.ts';
import type { StatsReport } from '../../src/view/table/stats-rows.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { type CommandError, exit } from '../lib/errors.ts';
import { verdictStatus } from '../lib/health-status.ts';
import { type OpenedRecording, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import type { InputOptions } from '../lib/options.ts';
import { refuseIneffective } from '../lib/refuse-options.ts';
import { TickCheck } from '../lib/tick-check.ts';

/** The counts of `stats` for a recording, and the problems of the recording. */
export interface CountedRecording {
  readonly report: StatsReport;
  /** The problems as sentences. */
  readonly diagnostics: readonly string[];
  readonly status: number;
}

export interface CountOptions {
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
  const { name, format } = opened;
  const { client, ticks, filter, strict } = options;
  const lines = new DiagnosticLines(strict);
  const check = new TickCheck(ticks);
  let found: number = exit.fine;
  const replay = openReplay({ format }, options, { schema, parts: true });
  const stats = new RecordingStats(replay, { client, range: ticks, filter });
  let mismatched = 0;
  let fileBytes = 0;
  const container = () => replay.container ?? 'unknown';
  const add = (entry: RecordingEntry) => {
    if (!isOfClient(entry.stream, client)) return;
    if (entry.record === 'snapshot') {
      check.add(entry.tick);
      found = Math.max(found, verdictStatus(entry.verdict));
      if (entry.verdict === 'mismatch') mismatched++;
    }
    if (entry.record !== 'diagnostic') stats.add(entry);
    else {
      lines.add(entry.diagnostic.severity, () => findingLine(entry));
    }
  };
  const afterPiece =
    onCounted &&
    (async (piece: Uint8Array) => {
      fileBytes += piece.length;
      const report = { file: name, container: container(), fileBytes, stats };
      onCounted({ report, clients: replay.streams.length, mismatched });
    });
  const { bytes, failure } = await readRecords(opened, replay, add, afterPiece);
  stats.finish(bytes);
  refuseIneffective(name, options, replay.streams);
  check.require(name);
  const counted = lines.conclude({ file: name, container: container(), fileBytes: bytes, stats }, failure);
  return { ...counted, status: Math.max(counted.status, found) };
}

/** The maximum number of printed diagnostics; the others are only counted. */
const maxLines = 20;

class DiagnosticLines {
  readonly #strict: boolean;
  readonly #lines: string[] = [];
  #more = 0;
  #status: number = exit.fine;

  constructor(strict = false) {
    this.#strict = strict;
  }

  add(severity: 'warning' | 'error', text: () => string): void {
    this.#status = Math.max(
      this.#status,
      severity === 'error' ? exit.unreadable : this.#strict ? exit.finding : exit.fine,
    );
    if (this.#lines.length < maxLines) this.#lines.push(text());
    else this.#more++;
  }

  conclude(report: StatsReport, failure: CommandError | undefined): CountedRecording {
    const more = this.#more > 0 ? [`${this.#more} more findings`] : [];
    const lines = [...this.#lines, ...more].map((line) => `${report.file}: ${line}`);
    const diagnostics = failure ? [...lines, failure.message] : lines;
    return { report, diagnostics, status: Math.max(this.#status, failure?.status ?? exit.fine) };
  }
}
