import { isInRange, type TickRange } from '../../src/protocol/ticks.ts';
import { count } from '../../src/view/text/number.ts';
import { size } from '../../src/view/text/units.ts';
import { type CommandError, inputError, usageError } from '../lib/errors.ts';

/** The size of the page without the recording. */
const programBytes = 200_000;
/** A recording that is larger than the page by this factor is not worth compressing. */
const farTooMuch = 10;
/** The minimum number of page bytes per snapshot, since each snapshot takes memory here and in the browser. */
const leastBytes = 40;

/** Checks whether the recording fits into the page, and remembers which ticks do. */
export class Budget {
  readonly #name: string;
  readonly limit: number;
  readonly #ticks: TickRange | undefined;
  #first: number | undefined;
  #fits: number | undefined;

  constructor(name: string, limit: number, ticks: TickRange | undefined) {
    this.#name = name;
    this.limit = limit;
    this.#ticks = ticks;
  }

  /** Whether the page includes a tick. */
  has(tick: number): boolean {
    return isInRange(tick, this.#ticks ?? { from: -1, to: Infinity });
  }

  /**
   * Adds the size of a recording up to a tick.
   * @throws CommandError if it is far too large
   */
  reach(tick: number, bytes: number, snapshots: number): void {
    this.#first ??= tick;
    // Estimated without compression, with four letters for every three bytes.
    if ((bytes * 4) / 3 < this.limit - programBytes) this.#fits = tick;
    if (bytes > farTooMuch * this.limit) throw this.exceeded(`up to tick ${tick} alone it has ${size(bytes)}`);
    if (snapshots > this.limit / leastBytes) {
      throw this.exceeded(`up to tick ${tick} alone it has ${count(snapshots, 'snapshot')}`);
    }
  }

  /** The error for a recording that is too long. */
  exceeded(why: string): CommandError {
    const range = this.#fits === undefined ? 'A..B' : `${this.#first}..${this.#fits}`;
    const fits = this.#fits === undefined ? '' : ' fits';
    return usageError(
      `${this.#name}: too long for a page of ${size(this.limit)}: ${why}; choose ticks (--ticks ${range}${fits}), or allow more (--limit)`,
    );
  }

  /** The error for a recording without a snapshot in the selected ticks. */
  nothing(first: number, last: number): CommandError {
    if (first < 0) return inputError(`${this.#name}: it has no snapshot that can be read`);
    return usageError(`${this.#name}: no snapshot in these ticks: it has ${first} to ${last}`);
  }
}
