import type { Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/frame.ts';
import type { ChunkEntry, RecordingEntry, TickEntry } from '../recording/record.ts';
import type { Emit } from './slice.ts';

/** Ticks of which snapshots are missing, because bytes are damaged. */
export interface Loss {
  readonly from: number;
  /** The last of them; Infinity where nothing follows. */
  readonly to: number;
  /** Snapshots that were there; more where chunks could not be followed. */
  readonly snapshots: number;
  /** What is wrong with the file: the first that was found. */
  readonly cause: Diagnostic | undefined;
  /** The tick of the full snapshot from which on the recording is sure again. */
  readonly next: number | undefined;
}

/** A record; only the kind of a chunk matters. */
export type LossInput =
  | Exclude<RecordingEntry, ChunkEntry>
  | { readonly record: 'chunk'; readonly chunk: Pick<DemoFrame, 'kind'> };

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  cause: Diagnostic | undefined;
}

/**
 * Leaves out what damage makes unsure: a snapshot that can't be read, and those after it up to the next full one, which are
 * differences to it. Their ticks are left out, too, but for those with messages: a tick without a snapshot would mean that nothing
 * changed. Needs the records of chunks (`parts`).
 */
export class LossFilter {
  readonly losses: Loss[] = [];
  /** Messages that can't be read. */
  lostMessages = 0;
  readonly #emit: Emit;
  /** The loss that still goes on. */
  #loss: OpenLoss | undefined;
  #cause: Diagnostic | undefined;
  /** The tick marker that waits for what comes after it. */
  #pendingTick: TickEntry | undefined;
  /** The chunk whose record has not come yet. */
  #chunk: 'snapshot' | 'message' | undefined;
  #lastTick = -1;

  constructor(emit: Emit) {
    this.#emit = emit;
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

  /** The recording has ended. */
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

  /** The chunk before has no record: it can't be read. */
  #settle(): void {
    if (this.#chunk === 'message') this.lostMessages++;
    if (this.#chunk === 'snapshot') this.#lose();
    this.#chunk = undefined;
  }

  #lose(): void {
    this.#loss ??= { from: this.#lastTick, snapshots: 0, cause: this.#cause };
    this.#loss.snapshots++;
    this.#cause = undefined;
    this.#pendingTick = undefined;
  }

  #close({ from, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.losses.push({ from, to: next === undefined ? Infinity : next - 1, snapshots, cause, next });
    this.#loss = undefined;
    this.#cause = undefined;
  }

  /** Passes the marker on that waited; in a loss only where something comes with it. */
  #release(hasContent = false): void {
    if (this.#pendingTick && (hasContent || !this.#loss)) this.#emit(this.#pendingTick);
    this.#pendingTick = undefined;
  }
}

/** What ends the reading of chunks, until the next keyframe or for good. */
const ofFraming: ReadonlySet<string> = new Set([
  'framing_lost',
  'no_keyframe_left',
  'truncated_chunk',
  'bad_tick',
  'step_before_tick',
  'bad_map_size',
]);
