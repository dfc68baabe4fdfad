import { DecodeError } from '../bytes/diagnostic.ts';
import { isTick } from '../container/demo/chunk.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { isInRange, type TickRange } from '../protocol/ticks.ts';
import type { HeaderEntry, RecordingEntry } from '../recording/record.ts';
import { movedBy } from './shift-ticks.ts';
import type { Emit } from './slice.ts';
import { WaitingMessages } from './state-messages.ts';

/** The reason why a demo cannot follow another. */
export type Mismatch = 'protocol' | 'map';

/** Emits successive stretches of demos, each moved so that it begins one tick after the last tick of the one before. */
class Stretches {
  /** The markers in the stretches, moved with them. */
  readonly markers: number[] = [];
  readonly #emit: Emit;
  /** Moves and emits a record of the current stretch. */
  #move: Emit;
  /** The number of ticks by which the current stretch is moved. */
  #by = 0;
  /** The last tick that was emitted, -1 before the first. */
  #last = -1;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.#move = emit;
  }

  /** Begins a stretch at its first tick, and returns that tick in the result. */
  begin(tick: number, markers: readonly number[]): number {
    if (this.#last >= 0) this.#by = this.#last + 1 - tick;
    this.#move = movedBy(this.#by, this.#emit);
    for (const marker of markers) this.markers.push(marker + this.#by);
    return tick + this.#by;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'tick') {
      this.#last = entry.tick + this.#by;
      if (!isTick(this.#last)) throw new DecodeError('bad_tick', 0, { found: this.#last });
    }
    this.#move(entry);
  }
}

/**
 * Joins demos: the first is unchanged, the others lose their header and map and are moved so that they begin one tick
 * after the last tick of the preceding one.
 */
export class Concat {
  /** The first tick of each demo in the result. */
  readonly starts: number[] = [];
  readonly #emit: Emit;
  readonly #stretches: Stretches;
  #first: HeaderEntry | undefined;
  #header: DemoHeader | undefined;
  /** Whether the current demo has not reached its first tick. Its messages wait, since they are moved with it. */
  #isStart = true;
  readonly #waiting = new WaitingMessages();

  constructor(emit: Emit) {
    this.#emit = emit;
    this.#stretches = new Stretches(emit);
  }

  /** The moved markers of all demos so far. */
  get markers(): readonly number[] {
    return this.#stretches.markers;
  }

  /** Begins the next demo. */
  begin(): void {
    this.#isStart = true;
    this.#waiting.take();
  }

  /** Why a demo with this header cannot follow the first one; undefined if it can or is the first. */
  mismatch({ header, stream }: HeaderEntry): Mismatch | undefined {
    if (!this.#first) return undefined;
    const { header: first, stream: firstStream } = this.#first;
    if (stream.protocol.version !== firstStream.protocol.version) return 'protocol';
    const sameHash = !header.sha256 || !first.sha256 || header.sha256 === first.sha256;
    return header.mapCrc === first.mapCrc && sameHash ? undefined : 'map';
  }

  add(entry: RecordingEntry): void {
    const isOfFirst = this.#header === this.#first?.header;
    if (entry.record === 'header') {
      if (!this.#first) this.#emit(entry);
      this.#first ??= entry;
      this.#header = entry.header;
    } else if (entry.record === 'map') {
      if (isOfFirst) this.#emit(entry);
    } else if (entry.record === 'tick' || !this.#isStart) {
      if (this.#isStart && entry.record === 'tick') this.#start(entry.tick);
      this.#stretches.add(entry);
    } else if (entry.record !== 'message') return;
    else if (isOfFirst) this.#emit(entry);
    else this.#waiting.add(entry);
  }

  #start(tick: number): void {
    this.starts.push(this.#stretches.begin(tick, this.#header!.markers));
    for (const message of this.#waiting.take()) this.#stretches.add(message);
    this.#isStart = false;
  }
}

/** Closes the gaps between the ranges of a demo, since a game would show no movement for the length of a gap. */
export class JoinedRanges {
  readonly #ranges: readonly TickRange[];
  readonly #emit: Emit;
  readonly #stretches: Stretches;
  #recorded: readonly number[] = [];
  #range: TickRange | undefined;

  /** @param ranges in ascending order, not overlapping */
  constructor(ranges: readonly TickRange[], emit: Emit) {
    this.#ranges = ranges;
    this.#emit = emit;
    this.#stretches = new Stretches(emit);
  }

  /** The markers inside the ranges, moved with them. */
  get markers(): readonly number[] {
    return this.#stretches.markers;
  }

  readonly add = (entry: RecordingEntry): void => {
    if (entry.record === 'header') {
      this.#recorded = entry.header.markers;
      this.#emit({ ...entry, header: { ...entry.header, markers: [] } });
      return;
    }
    if (entry.record === 'tick' && (!this.#range || !isInRange(entry.tick, this.#range))) {
      const range = this.#ranges.find((one) => isInRange(entry.tick, one));
      this.#range = range;
      this.#stretches.begin(entry.tick, range ? this.#recorded.filter((marker) => isInRange(marker, range)) : []);
    }
    this.#stretches.add(entry);
  };
}
