import type { DemoHeader } from '../container/demo/header.ts';
import { isInRange, type TickRange } from '../protocol/ticks.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry } from '../recording/record.ts';
import { MovedTicks } from './shift-ticks.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/** The reason why a demo cannot follow another. */
export type Mismatch = 'protocol' | 'map';

/** The maximum number of messages before the first tick of a demo that are kept until that tick. */
const maxWaiting = 100_000;

/**
 * Joins demos: the first is unchanged, the others lose their header and map and are moved so that they begin one tick
 * after the last tick of the preceding one.
 */
export class Concat {
  /** The moved markers of all demos so far. */
  readonly markers: number[] = [];
  /** The first tick of each demo in the result. */
  readonly starts: number[] = [];
  readonly #emit: Emit;
  #first: HeaderEntry | undefined;
  #header: DemoHeader | undefined;
  #lastTick = -1;
  /** Moves the current demo; undefined until its first tick is known. */
  #moved: MovedTicks | undefined;
  #by = 0;
  #waiting: MessageEntry[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Begins the next demo. */
  begin(): void {
    this.#moved = undefined;
    this.#waiting = [];
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
    if (entry.record === 'header') {
      if (!this.#first) this.#emit(entry);
      this.#first ??= entry;
      this.#header = entry.header;
    } else if (entry.record === 'map') {
      if (this.#header === this.#first?.header) this.#emit(entry);
    } else if (entry.record === 'tick' && !this.#moved) {
      this.#start(entry.tick);
      this.#move(entry);
    } else if (this.#moved) this.#move(entry);
    else if (entry.record === 'message' && this.#header === this.#first?.header) this.#emit(entry);
    else if (entry.record === 'message' && this.#waiting.length < maxWaiting) this.#waiting.push(copyOfMessage(entry));
  }

  /** Starts a demo at its first tick. */
  #start(tick: number): void {
    const isFirst = this.#lastTick < 0;
    this.#by = isFirst ? 0 : this.#lastTick + 1 - tick;
    this.#moved = new MovedTicks(this.#by, this.#emit);
    this.starts.push(tick + this.#by);
    this.markers.push(...this.#header!.markers.map((marker) => marker + this.#by));
    for (const message of this.#waiting) this.#moved.add(message);
    this.#waiting = [];
  }

  #move(entry: RecordingEntry): void {
    if (entry.record === 'tick') this.#lastTick = entry.tick + this.#by;
    this.#moved!.add(entry);
  }
}

/** Closes the gaps between the ranges of a demo, since a game would show no movement for the length of a gap. */
export class JoinedRanges {
  /** The markers inside the ranges, moved with them. */
  readonly markers: number[] = [];
  readonly #ranges: readonly TickRange[];
  readonly #emit: Emit;
  #recorded: readonly number[] = [];
  #range: TickRange | undefined;
  #moved: MovedTicks;
  /** The number of ticks by which the current range is moved. */
  #by = 0;
  /** The last tick that was emitted, -1 before the first. */
  #last = -1;

  /** @param ranges in ascending order, not overlapping */
  constructor(ranges: readonly TickRange[], emit: Emit) {
    this.#ranges = ranges;
    this.#emit = emit;
    this.#moved = new MovedTicks(0, emit);
  }

  readonly add = (entry: RecordingEntry): void => {
    if (entry.record === 'header') {
      this.#recorded = entry.header.markers;
      this.#emit({ ...entry, header: { ...entry.header, markers: [] } });
      return;
    }
    if (entry.record === 'tick') {
      if (!this.#range || !isInRange(entry.tick, this.#range)) this.#begin(entry.tick);
      this.#last = entry.tick + this.#by;
    }
    this.#moved.add(entry);
  };

  #begin(tick: number): void {
    const range = this.#ranges.find((one) => isInRange(tick, one));
    this.#range = range;
    this.#by = this.#last < 0 ? 0 : this.#last + 1 - tick;
    this.#moved = new MovedTicks(this.#by, this.#emit);
    if (!range) return;
    for (const marker of this.#recorded) if (isInRange(marker, range)) this.markers.push(marker + this.#by);
  }
}
