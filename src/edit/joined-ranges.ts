import type { TickRange } from '../protocol/ticks.ts';
import { isInRange } from '../protocol/ticks.ts';
import type { RecordingEntry } from '../recording/record.ts';
import { MovedTicks } from './moved-ticks.ts';
import type { Emit } from './slice.ts';

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
