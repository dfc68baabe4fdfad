import { ticksPerSecond } from '../protocol/ticks.ts';

/** The speeds at which a recording can be played. */
export const speeds = [0.25, 0.5, 1, 2, 4, 8] as const;

/** The time of a recording that is played, in ticks; within a range it begins again at the range's end. */
export class PlayClock {
  #first = 0;
  #last = 0;
  #tick = 0;
  #from: number | undefined;
  #to: number | undefined;
  speed = 1;

  /** The time, between two ticks as a rule. */
  get tick(): number {
    return this.#tick;
  }

  /** The range that is repeated; undefined for the whole recording. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    if (this.#from === undefined && this.#to === undefined) return undefined;
    return { from: this.#from ?? this.#first, to: this.#to ?? this.#last };
  }

  open(first: number, last: number): void {
    [this.#first, this.#last, this.#tick] = [first, last, first];
    this.clearRange();
  }

  seek(tick: number): void {
    this.#tick = Math.max(this.#first, Math.min(tick, this.#last));
  }

  /** The range begins at the current tick. An end before that is dropped. */
  beginRange(): void {
    this.#from = Math.floor(this.#tick);
    if (this.#to !== undefined && this.#to <= this.#from) this.#to = undefined;
  }

  /** The range ends at the current tick. A begin after that is dropped. */
  endRange(): void {
    this.#to = Math.ceil(this.#tick);
    if (this.#from !== undefined && this.#from >= this.#to) this.#from = undefined;
  }

  clearRange(): void {
    [this.#from, this.#to] = [undefined, undefined];
  }

  /** Starts: at the end, the recording or range begins again. */
  start(): void {
    const { from, to } = this.range ?? { from: this.#first, to: this.#last };
    if (this.#tick >= to || this.#tick < from) this.#tick = from;
  }

  /**
   * Lets time pass.
   * @returns whether the recording goes on
   */
  advance(milliseconds: number): boolean {
    this.#tick += (milliseconds / 1000) * ticksPerSecond * this.speed;
    const { range } = this;
    if (range && this.#tick >= range.to) this.#tick = range.from;
    if (this.#tick < this.#last) return true;
    this.#tick = this.#last;
    return false;
  }
}
