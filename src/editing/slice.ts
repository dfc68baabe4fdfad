import type {
  HeaderEntry,
  MapEntry,
  MessageEntry,
  RecordingEntry,
  SnapshotEntry,
  TickEntry,
} from '../recording/replay/record.ts';
import type { Diagnostic } from '../wire/bytes/diagnostic.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../wire/protocol/ticks.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';
import { StateMessages, WaitingMessages } from './state-messages.ts';

/** Receives the records of a result, one by one; they are valid only during the call. */
export type Emit = (entry: RecordingEntry) => void;

/** One demo to be cut out: its ranges, in ascending order and not overlapping, and the receiver of its records. */
export interface SliceTarget {
  readonly ranges: readonly TickRange[];
  readonly emit: Emit;
  /** The ticks that the header states, if a range goes on to the end whatever its ticks are. */
  readonly ticks?: TickRange;
}

/**
 * Ticks that are in no demo, because one of them is beyond its range and a later one is lower again: one of both is
 * damaged.
 */
export interface LeftOut {
  readonly from: number;
  readonly to: number;
  readonly snapshots: number;
  cause: Diagnostic | undefined;
  readonly next: number;
}

const maxLeftOut = 1000;

export interface SliceOptions {
  /** Whether earlier messages that set the state are repeated in the demos; true by default. */
  readonly carry?: boolean;
}

/**
 * Cuts demos out of one, in one pass. Each range begins with a full snapshot and the messages that set the state; ticks
 * stay as they are.
 */
export class Slicer {
  readonly #targets: readonly SliceTarget[];
  readonly #slices: Slice[];
  readonly #so: SoFar = { messages: new StateMessages(), snapshot: undefined };
  readonly #copy = new Snapshot();
  readonly #head: (HeaderEntry | MapEntry)[] = [];
  readonly leftOut: LeftOut[] = [];
  #lastTick = -1;
  #cause: Diagnostic | undefined;
  /** What came since a tick went over the end of a range. */
  #beyond: { readonly from: number; snapshots: number } | undefined;

  constructor(targets: readonly SliceTarget[], { carry = true }: SliceOptions = {}) {
    this.#targets = targets;
    this.#slices = targets.map((target) => new Slice(target, this.#so, carry));
  }

  concerns({ from, to }: TickRange): boolean {
    return this.#targets.some(({ ranges }) => ranges.some((range) => from <= range.to && to >= range.from));
  }

  get isDone(): boolean {
    return this.#slices.length === 0;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'header' || entry.record === 'map') {
      this.#keepHead(entry);
      return;
    }
    if (entry.record === 'message') {
      for (const slice of this.#slices) slice.settle();
      this.#so.messages.add(entry);
    }
    if (entry.record === 'tick') this.#follow(entry.tick);
    else if (entry.record === 'diagnostic') this.#onDiagnostic(entry.diagnostic);
    else if (entry.record === 'snapshot' && this.#beyond) this.#beyond.snapshots++;
    for (const slice of this.#slices) {
      if (entry.record === 'tick' && slice.begins(entry.tick)) for (const entry of this.#head) slice.head(entry);
      slice.add(entry);
    }
    if (entry.record === 'tick') this.#slices.splice(0, Infinity, ...this.#slices.filter(({ isDone }) => !isDone));
    if (entry.record === 'snapshot' && entry.snapshot) {
      this.#copy.copyFrom(entry.snapshot);
      this.#so.snapshot = { ...entry, snapshot: this.#copy, payload: undefined };
    }
  }

  finish(): void {
    for (const slice of this.#slices) slice.settle();
  }

  /** It comes after its tick, but before it if the tick waits for the record of a snapshot. */
  #onDiagnostic(diagnostic: Diagnostic): void {
    if (diagnostic.code !== 'tick_backwards') return;
    const last = this.leftOut.at(-1);
    if (last && !last.cause) last.cause = diagnostic;
    else this.#cause = diagnostic;
  }

  #follow(tick: number): void {
    const last = this.#lastTick;
    this.#lastTick = tick;
    if (tick > last) {
      if (this.#slices.some((slice) => slice.hasEnd(last, tick))) this.#beyond = { from: last + 1, snapshots: 0 };
    } else if (this.#beyond) {
      const loss = { ...this.#beyond, to: tick - 1, cause: this.#cause, next: tick };
      if (loss.snapshots > 0 && this.concerns(loss) && this.leftOut.length < maxLeftOut) this.leftOut.push(loss);
      this.#beyond = undefined;
      this.#cause = undefined;
    }
  }

  /** A single demo gets the header and map at once. Several are opened when they begin, so both are kept. */
  #keepHead(entry: HeaderEntry | MapEntry): void {
    const [only, ...rest] = this.#slices;
    if (only && rest.length === 0) only.head(entry);
    else this.#head.push(entry.record === 'header' ? entry : { ...entry, piece: entry.piece.slice() });
  }
}
interface SoFar {
  readonly messages: StateMessages;
  snapshot: (SnapshotEntry & { readonly snapshot: Snapshot }) | undefined;
}

/**
 * One resulting demo. `before` emits nothing; `starting` lasts from the first tick of a range to its first snapshot.
 */
class Slice {
  readonly #target: SliceTarget;
  readonly #so: SoFar;
  readonly #carry: boolean;
  #hasHead = false;
  /** The range that was entered last. */
  #range = 0;
  /** The keyframes in a row beyond all ranges. */
  #beyond = 0;
  #state: 'before' | 'starting' | 'inside' = 'before';
  #first: TickEntry | undefined;
  #known = 0;
  /**
   * The messages of the first tick before its snapshot, if there is no earlier one, and the number of state messages
   * before these.
   */
  readonly #early = new WaitingMessages();
  #before = 0;

  constructor(target: SliceTarget, so: SoFar, carry: boolean) {
    this.#target = target;
    this.#so = so;
    this.#carry = carry;
  }

  /** One keyframe may be damaged: its tick is then far beyond, and that of the next one is right again. */
  get isDone(): boolean {
    return this.#beyond >= 2;
  }

  /** Whether the demo begins at this tick, so that its head must be written. */
  begins(tick: number): boolean {
    return !this.#hasHead && this.#rangeAt(tick) >= 0;
  }

  /** Whether a range ends between two ticks. */
  hasEnd(from: number, to: number): boolean {
    return this.#target.ranges.some((range) => range.to >= from && range.to < to);
  }

  #rangeAt(tick: number): number {
    return this.#target.ranges.findIndex((range) => isInRange(tick, range));
  }

  head(entry: HeaderEntry | MapEntry): void {
    this.#hasHead = true;
    if (entry.record === 'map') {
      this.#target.emit(entry);
      return;
    }
    const { header } = entry;
    const ranges = this.#target.ticks ? [this.#target.ticks] : this.#target.ranges;
    const ticks = (ranges.at(-1)?.to ?? 0) - (ranges[0]?.from ?? 0);
    this.#target.emit({
      ...entry,
      header: {
        ...header,
        markers: header.markers.filter((tick) => ranges.some((range) => isInRange(tick, range))),
        // The games' recorders compute the length in this way. It is exact only if the last tick is known.
        length: Number.isFinite(ticks) ? Math.floor(ticks / ticksPerSecond) : header.length,
      },
    });
  }

  add(entry: RecordingEntry): void {
    if (this.isDone) return;
    if (entry.record === 'tick') this.#tick(entry);
    else if (entry.record === 'message') this.#message(entry);
    else if (entry.record !== 'snapshot') return;
    else if (this.#state === 'starting') this.#start(entry);
    else if (this.#state === 'inside') this.#target.emit(entry);
  }

  /** Begins the range although its first tick has no snapshot: it repeats the preceding one. */
  settle(): void {
    if (this.#state === 'starting' && this.#so.snapshot) this.#start(this.#so.snapshot);
  }

  #tick(entry: TickEntry): void {
    const { tick, keyframe } = entry;
    const { ranges } = this.#target;
    this.settle();
    if (this.#state !== 'before' && tick > ranges[this.#range]!.to) {
      this.#state = 'before';
      this.#known = this.#so.messages.count;
    }
    if (this.#state === 'before') {
      const range = this.#rangeAt(tick);
      const isBeyond = range < 0 && tick > (ranges.at(-1)?.to ?? -1);
      if (!isBeyond) this.#beyond = 0;
      else if (keyframe) this.#beyond++;
      if (range < 0) return;
      this.#range = range;
      this.#before = this.#so.messages.count;
    }
    if (this.#state === 'inside') this.#target.emit(entry);
    else {
      this.#state = 'starting';
      this.#first = { ...entry };
    }
  }

  #message(entry: MessageEntry): void {
    // Server recordings begin with messages before the first tick.
    const isBeforeAll = this.#hasHead && entry.tick === -1 && this.#target.ranges[0]!.from <= 0;
    if (this.#state === 'starting') this.#early.add(entry);
    if (this.#state !== 'inside' && !isBeforeAll) return;
    this.#target.emit(entry);
    this.#known = this.#so.messages.count;
  }

  /** Emits the first tick with a full snapshot, on which the following deltas are based. */
  #start(entry: SnapshotEntry): void {
    const { emit } = this.#target;
    this.#state = 'inside';
    const tick = this.#first!;
    const isOwn = entry.kind === 'snapshot' && entry.tick === tick.tick;
    emit({ ...tick, keyframe: true });
    emit(isOwn ? entry : { ...entry, tick: tick.tick, kind: 'snapshot', payloadKind: 'snapshot', payload: undefined });
    if (this.#carry) this.#restate();
    for (const message of this.#early.take()) emit(message);
    this.#known = this.#so.messages.count;
  }

  #restate(): void {
    for (const { number, entry } of this.#so.messages.messages(this.#known)) {
      if (number <= this.#before) this.#target.emit(entry);
    }
  }
}
