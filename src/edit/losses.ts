import type { Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/chunk.ts';
import type { TickRange } from '../protocol/ticks.ts';
import type { ChunkEntry, RecordingEntry, TickEntry } from '../recording/record.ts';
import type { Emit } from './slice.ts';

/** A range of ticks with missing snapshots because of damage. */
export interface Loss {
  readonly from: number;
  readonly to: number;
  /** The number of snapshots in the file; there may have been more if chunk framing was lost. */
  readonly snapshots: number;
  readonly cause: Diagnostic | undefined;
  /** The tick of the full snapshot after which the recording is reliable again. */
  readonly next: number | undefined;
}

export interface Losses {
  readonly ranges: readonly Loss[];
  readonly count: number;
  readonly snapshots: number;
  readonly messages: number;
}

/** The maximum number of ranges that are kept; more are only counted. */
const maxRanges = 1000;

export type LossInput =
  | Exclude<RecordingEntry, ChunkEntry>
  | { readonly record: 'chunk'; readonly chunk: Pick<DemoFrame, 'kind'> };

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  cause: Diagnostic | undefined;
}

/**
 * Leaves out the data that damage makes unreliable: an unreadable snapshot and those up to the next full one, which are
 * deltas based on it. Their ticks are left out as well, except those with messages: a tick without a snapshot would
 * mean that nothing changed. Requires the records of chunks (`parts`).
 */
export class LossFilter {
  readonly losses = { ranges: [] as Loss[], count: 0, snapshots: 0, messages: 0 } satisfies Losses;
  readonly #emit: Emit;
  readonly #concerns: (ticks: TickRange) => boolean;
  #loss: OpenLoss | undefined;
  #cause: Diagnostic | undefined;
  /** The pending tick marker, which waits for the record after it. */
  #pendingTick: TickEntry | undefined;
  /** The chunk whose record has not arrived yet. */
  #chunk: 'snapshot' | 'message' | undefined;
  #lastTick = -1;

  /** @param concerns whether a loss of these ticks counts */
  constructor(emit: Emit, concerns: (ticks: TickRange) => boolean = () => true) {
    this.#emit = emit;
    this.#concerns = concerns;
  }

  add(entry: LossInput): void {
    switch (entry.record) {
      case 'chunk': {
        const { kind } = entry.chunk;
        if (kind === 'header' || kind === 'map' || kind === 'unknown') return;
        this.#settle();
        if (kind !== 'tick') this.#chunk = kind === 'message' ? 'message' : 'snapshot';
        return;
      }
      case 'diagnostic':
        if (entry.diagnostic.severity === 'error') this.#onError(entry.diagnostic);
        break;
      case 'tick':
        this.#settle();
        this.#release();
        this.#pendingTick = { ...entry };
        this.#lastTick = entry.tick;
        this.#cause = undefined;
        return;
      case 'snapshot':
        this.#chunk = undefined;
        if (entry.uncertain || !entry.snapshot) {
          this.#lose();
          return;
        }
        if (this.#loss) this.#close(this.#loss, entry.tick);
        this.#release();
        break;
      case 'message':
        if (this.#chunk === 'snapshot') this.#settle();
        this.#chunk = undefined;
        this.#release(true);
        break;
    }
    this.#emit(entry);
  }

  finish(): void {
    this.#settle();
    this.#release();
    if (this.#loss) this.#close(this.#loss, undefined);
  }

  #onError(cause: Diagnostic): void {
    if (ofFraming.has(cause.code)) {
      this.#settle();
      this.#loss ??= { from: this.#pendingTick?.tick ?? this.#lastTick + 1, snapshots: 0, cause };
    }
    this.#cause = cause;
    if (this.#loss) this.#loss.cause ??= cause;
  }

  /** Reports the preceding chunk, which has no record, as unreadable. */
  #settle(): void {
    const tick = Math.max(0, this.#lastTick);
    if (this.#chunk === 'message' && this.#concerns({ from: tick, to: tick })) this.losses.messages++;
    if (this.#chunk === 'snapshot') this.#lose();
    this.#chunk = undefined;
  }

  #lose(): void {
    this.#loss ??= { from: this.#lastTick, snapshots: 0, cause: this.#cause };
    this.#loss.snapshots++;
    this.#cause = undefined;
  }

  #close({ from, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.#loss = undefined;
    this.#cause = undefined;
    const to = next === undefined ? Infinity : next - 1;
    if (!this.#concerns({ from, to })) return;
    const { losses } = this;
    losses.count++;
    losses.snapshots += snapshots;
    if (losses.ranges.length < maxRanges) losses.ranges.push({ from, to, snapshots, cause, next });
  }

  /** Emits the pending marker; during a loss only if a record belongs to it. */
  #release(hasContent = false): void {
    if (this.#pendingTick && (hasContent || !this.#loss)) this.#emit(this.#pendingTick);
    this.#pendingTick = undefined;
  }
}

/** Errors that stop the reading of chunks until the next keyframe or for good. */
export const ofFraming: ReadonlySet<string> = new Set([
  'framing_lost',
  'no_keyframe_left',
  'truncated_chunk',
  'bad_tick',
  'step_before_tick',
  'missing_tick',
  'bad_map_size',
  'truncated_map',
]);
