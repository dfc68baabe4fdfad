import type { DemoFrame } from '../recording/container/demo/chunk.ts';
import { type JudgeInput, ofFraming } from '../recording/judge/tick-judge.ts';
import type { SnapshotEntry, TickEntry } from '../recording/replay/record.ts';
import { DecodeError, type Diagnostic } from '../wire/bytes/diagnostic.ts';
import { isSnapshotMessage } from '../wire/packet/message.ts';
import type { TickRange } from '../wire/protocol/ticks.ts';
import type { Emit } from './slice.ts';

/*
 * What is written of a damaged demo is only what can be trusted. Deltas are made from the snapshot before them, so one
 * that is damaged spoils all up to the next full one:
 *
 *   read        full  delta  DAMAGE  delta  delta  full  delta
 *   trusted?    yes   yes    no      no     no     yes   yes
 *   written     full  delta                        full  delta       the ticks between are one `LostRange`
 *
 * A snapshot that is not trusted goes with its tick marker: a marker without a snapshot would mean that nothing
 * changed. So during a loss a marker is kept only where it has a message.
 *
 * A chunk of which no record follows could not be read at all: hence the records of chunks (`parts`), which come before
 * their contents.
 */

/** The ticks from one damage to the next full snapshot, of which no snapshot is written. */
export interface LostRange {
  readonly from: number;
  readonly to: number;
  /** The number of snapshots in the file; there may have been more if chunk framing was lost. */
  readonly snapshots: number;
  readonly cause: Diagnostic | undefined;
  /** The tick of the full snapshot after which the recording is reliable again. */
  readonly next: number | undefined;
}

export interface Losses {
  readonly ranges: readonly LostRange[];
  readonly count: number;
  readonly snapshots: number;
  readonly messages: number;
}

/** The maximum number of ranges that are kept; more are only counted. */
const maxRanges = 1000;

interface LossOptions {
  /** Whether a loss of these ticks counts. */
  readonly concerns?: ((ticks: TickRange) => boolean) | undefined;
}

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  cause: Diagnostic | undefined;
}

/** Leaves out the snapshots that cannot be trusted, and counts them. Requires the records of chunks (`parts`). */
export class LossFilter {
  readonly losses = { ranges: [] as LostRange[], count: 0, snapshots: 0, messages: 0 } satisfies Losses;
  readonly #emit: Emit;
  readonly #concerns: (ticks: TickRange) => boolean;
  /** The last chunk, and whether it has data whose record has not arrived yet. */
  #chunk: DemoFrame['kind'] = 'header';
  #isUnread = false;
  /** The last error of this tick. */
  #error: Diagnostic | undefined;
  #loss: OpenLoss | undefined;
  /** The pending tick marker, which waits for the record after it. */
  #pendingTick: TickEntry | undefined;
  #lastTick = -1;
  /** The tick of the last marker that was kept. */
  #keptTick = -1;

  constructor(emit: Emit, { concerns = () => true }: LossOptions = {}) {
    this.#emit = emit;
    this.#concerns = concerns;
  }

  /**
   * @param isTrusted of a snapshot; by default, what the reader calls `uncertain` is not
   * @param cause why it is not
   */
  add(entry: JudgeInput, isTrusted?: boolean, cause?: Diagnostic): void {
    if (entry.record === 'chunk') this.#begin(entry.chunk.kind);
    else if (entry.record === 'tick') this.#tick(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry, isTrusted ?? !entry.uncertain, cause);
    else {
      if (entry.record === 'diagnostic') this.#diagnostic(entry.diagnostic);
      else if (entry.record === 'message') {
        this.#isUnread = false;
        // The checksum of a snapshot that is left out goes with it.
        if (this.#loss && isSnapshotMessage(entry.head)) return;
        this.#release(true);
      }
      this.#emit(entry);
    }
  }

  finish(): void {
    this.#settle();
    this.#release();
    if (this.#loss) this.#close(this.#loss, undefined);
  }

  #begin(kind: DemoFrame['kind']): void {
    this.#settle();
    this.#chunk = kind;
    this.#isUnread = kind === 'snapshot' || kind === 'delta' || kind === 'message';
  }

  #tick(entry: TickEntry): void {
    this.#settle();
    this.#release();
    this.#pendingTick = { ...entry };
    this.#lastTick = entry.tick;
    this.#error = undefined;
  }

  #diagnostic(diagnostic: Diagnostic): void {
    const { code, severity } = diagnostic;
    if (severity !== 'error') return;
    if (ofFraming.has(code)) {
      this.#settle();
      this.#loss ??= { from: this.#pendingTick?.tick ?? this.#lastTick + 1, snapshots: 0, cause: diagnostic };
    }
    this.#onError(diagnostic);
  }

  #onError(cause: Diagnostic): void {
    this.#error = cause;
    if (this.#loss) this.#loss.cause ??= cause;
  }

  /** The last chunk has no record: it is unreadable. */
  #settle(): void {
    if (!this.#isUnread) return;
    this.#isUnread = false;
    if (this.#chunk === 'message') {
      const tick = Math.max(0, this.#lastTick);
      if (this.#concerns({ from: tick, to: tick })) this.losses.messages++;
    } else this.#lose();
  }

  #snapshot(entry: SnapshotEntry, isTrusted: boolean, cause: Diagnostic | undefined): void {
    this.#isUnread = false;
    if (!isTrusted || !entry.snapshot) {
      this.#error ??= cause;
      this.#lose();
      return;
    }

    if (this.#loss) this.#close(this.#loss, entry.tick);
    this.#release();
    // The payload of a demo's record is made on demand, and so not copied with it.
    this.#emit(entry.uncertain ? { ...entry, payload: entry.payload, uncertain: false } : entry);
  }

  #lose(): void {
    this.#loss ??= { from: this.#lastTick, snapshots: 0, cause: this.#error };
    this.#loss.snapshots++;
    this.#error = undefined;
  }

  #close({ from: stated, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.#loss = undefined;
    this.#error = undefined;
    const end = cause?.severity === 'warning' ? this.#lastTick : Infinity;
    const to = next === undefined ? end : next - 1;
    // A marker after the next snapshot's tick is damaged itself.
    const from = stated <= to ? stated : Math.min(stated, this.#keptTick + 1);
    if (!this.#concerns({ from, to })) return;
    const { losses } = this;
    losses.count++;
    losses.snapshots += snapshots;
    if (losses.ranges.length < maxRanges) losses.ranges.push({ from, to, snapshots, cause, next });
  }

  /** Emits the pending marker; during a loss only if a record belongs to it. */
  #release(hasContent = false): void {
    const tick = this.#pendingTick;
    this.#pendingTick = undefined;
    if (!tick || (!hasContent && this.#loss)) return;
    this.#keptTick = tick.tick;
    this.#emit(tick);
  }
}

/** Whether ticks are only left out because of what is in doubt: their snapshots may be right. */
export const areInDoubt = ({ ranges }: Losses): boolean => ranges.every(({ cause }) => cause?.severity === 'warning');

/** @throws DecodeError if nothing of a damaged demo is left */
export function requireSnapshots(count: number): void {
  if (count === 0) throw new DecodeError('no_snapshot_before', 0, {}, 'it has no snapshot that can be read');
}
