import type { DemoFrame } from '../recording/container/demo/chunk.ts';
import { neverWritten } from '../recording/demo/never-written.ts';
import type { ChunkEntry, RecordingEntry, SnapshotEntry, TickEntry } from '../recording/replay/record.ts';
import { DecodeError, type Diagnostic } from '../wire/bytes/diagnostic.ts';
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

/** A record, or as much of the record of a chunk as is needed here. */
export type LossInput =
  | Exclude<RecordingEntry, ChunkEntry>
  | { readonly record: 'chunk'; readonly chunk: Pick<DemoFrame, 'kind'> };

/** What the checksum that a server announced says of a snapshot. */
export interface SumCheck {
  /** Undefined if the checksum is right. */
  readonly wrong?: Diagnostic;
  /**
   * Whether only the announcement is wrong, as far as is known: no checksum before was right, or the one of the next
   * delta is.
   */
  readonly isExcused?: boolean;
}

interface LossOptions {
  /** Whether a loss of these ticks counts. */
  readonly concerns?: ((ticks: TickRange) => boolean) | undefined;
  /**
   * False: what the reader calls `uncertain` is not trusted, which follows from what cannot be read. True: after any
   * sign of damage nothing is, up to a full snapshot without one, or to a checksum that is right.
   */
  readonly isStrict?: boolean;
}

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  cause: Diagnostic | undefined;
}

/** Leaves out the snapshots that cannot be trusted, and counts them. Requires the records of chunks (`parts`). */
export class LossFilter {
  readonly losses = { ranges: [] as LostRange[], count: 0, snapshots: 0, messages: 0 } satisfies Losses;
  /** Snapshots that are kept although their checksum is not the announced one. */
  keptMismatches = 0;
  readonly #emit: Emit;
  readonly #concerns: (ticks: TickRange) => boolean;
  readonly #isStrict: boolean;
  /** The last chunk, and whether it has data whose record has not arrived yet. */
  #chunk: DemoFrame['kind'] = 'header';
  #isUnread = false;
  /** Strict: whether the snapshot that comes next is trusted, and the first sign of damage since the last one. */
  #isGood = true;
  #damage: Diagnostic | undefined;
  /** Whether an item has a key that ends some games. A checksum does not tell: keys are not in it. */
  #hasInvalidKey = false;
  /** The last error of this tick. */
  #error: Diagnostic | undefined;
  #loss: OpenLoss | undefined;
  /** The pending tick marker, which waits for the record after it. */
  #pendingTick: TickEntry | undefined;
  #lastTick = -1;
  /** The tick of the last marker that was kept. */
  #keptTick = -1;

  constructor(emit: Emit, { concerns = () => true, isStrict = false }: LossOptions = {}) {
    this.#emit = emit;
    this.#concerns = concerns;
    this.#isStrict = isStrict;
  }

  /** @param sum of a snapshot with an announced checksum */
  add(entry: LossInput, sum?: SumCheck): void {
    if (entry.record === 'chunk') this.#begin(entry.chunk.kind);
    else if (entry.record === 'tick') this.#tick(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry, sum);
    else {
      if (entry.record === 'diagnostic') this.#diagnostic(entry.diagnostic);
      else if (entry.record === 'message') {
        this.#isUnread = false;
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
    // A full snapshot is good if nothing in it says otherwise.
    if (kind !== 'snapshot') return;
    this.#isGood = true;
    this.#hasInvalidKey = false;
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
    const isOfFraming = ofFraming.has(code);
    this.#hasInvalidKey ||= code === 'invalid_key';
    // Damage inside a message does not spoil snapshots.
    if ((severity === 'error' || neverWritten.has(code)) && (isOfFraming || this.#chunk !== 'message')) {
      this.#distrust(diagnostic);
    }

    if (severity !== 'error') return;
    if (isOfFraming) {
      this.#settle();
      this.#loss ??= { from: this.#pendingTick?.tick ?? this.#lastTick + 1, snapshots: 0, cause: diagnostic };
    }
    this.#onError(diagnostic);
  }

  #distrust(cause: Diagnostic): void {
    this.#isGood = false;
    this.#damage ??= { ...cause, severity: 'error' };
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
    } else {
      this.#isGood = false;
      this.#lose();
    }
  }

  #snapshot(entry: SnapshotEntry, sum: SumCheck | undefined): void {
    this.#isUnread = false;
    const isTrusted = this.#isStrict ? this.#isTrusted(sum) : !entry.uncertain;
    const damage = this.#damage;
    this.#damage = undefined;

    if (!isTrusted || !entry.snapshot) {
      if (this.#isStrict && damage) {
        const { stream, tick } = entry;
        this.#onError(damage);
        this.#emit({ record: 'diagnostic', stream, tick, diagnostic: damage });
      }
      this.#lose();
      return;
    }

    if (this.#loss) this.#close(this.#loss, entry.tick);
    if (sum?.wrong) this.keptMismatches++;
    this.#release();
    // The payload of a demo's record is made on demand, and so not copied with it.
    this.#emit(entry.uncertain ? { ...entry, payload: entry.payload, uncertain: false } : entry);
  }

  #isTrusted(sum: SumCheck | undefined): boolean {
    // An announced checksum decides, whatever was there before.
    if (sum && !sum.wrong) this.#isGood = true;
    else if (sum?.wrong && !sum.isExcused) this.#distrust(sum.wrong);
    return this.#isGood && !this.#hasInvalidKey;
  }

  #lose(): void {
    this.#loss ??= { from: this.#lastTick, snapshots: 0, cause: this.#error };
    this.#loss.snapshots++;
    this.#error = undefined;
  }

  #close({ from: stated, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.#loss = undefined;
    this.#error = undefined;
    const to = next === undefined ? Infinity : next - 1;
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

/** Errors that stop the reading of chunks until the next keyframe or for good. */
const ofFraming: ReadonlySet<string> = new Set([
  'framing_lost',
  'no_keyframe_left',
  'truncated_chunk',
  'bad_tick',
  'step_before_tick',
  'missing_tick',
  'bad_map_size',
  'truncated_map',
]);

/** Whether ticks are only left out because of such signs: their snapshots may be right. */
export const areInDoubt = ({ ranges }: Losses): boolean =>
  ranges.every(({ cause }) => cause && neverWritten.has(cause.code));

/** @throws DecodeError if nothing of a damaged demo is left */
export function requireSnapshots(count: number): void {
  if (count === 0) throw new DecodeError('no_snapshot_before', 0, {}, 'it has no snapshot that can be read');
}
