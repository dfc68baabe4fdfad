import { isInRange, type TickRange } from '../../src/protocol/ticks.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { usageError } from './errors.ts';

/** Checks whether a recording contains any of the selected ticks. */
export class TickCheck {
  readonly #range: TickRange | undefined;
  #first = Infinity;
  #last = -1;
  #isMet = false;

  constructor(range: TickRange | undefined) {
    this.#range = range;
  }

  add(tick: number): void {
    if (!this.#range || tick < 0) return;
    this.#first = Math.min(this.#first, tick);
    this.#last = Math.max(this.#last, tick);
    this.#isMet ||= isInRange(tick, this.#range);
  }

  /** @throws CommandError if the recording has ticks, but none of these */
  require(name: string): void {
    if (!this.#range || this.#isMet || this.#last < 0) return;
    throw usageError(`${escapeText(name)}: none of these ticks: it has ${this.#first} to ${this.#last}`);
  }
}
