/** The minimum length of the range in ticks. */
const least = 25;

/** The visible range of a recording's ticks. */
export class VisibleRange {
  readonly #first: number;
  readonly #last: number;
  from: number;
  to: number;
  #run = () => {};

  constructor(first: number, last: number) {
    this.#first = first;
    this.#last = Math.max(last, first + 1);
    this.from = this.#first;
    this.to = this.#last;
  }

  get isAll(): boolean {
    return this.from <= this.#first && this.to >= this.#last;
  }

  onChange(run: () => void): void {
    this.#run = run;
  }

  change(): void {
    this.#run();
  }

  /** Multiplies the length by `factor`. If `tick` is visible, it keeps its position on the screen. */
  zoom(factor: number, tick: number): void {
    const all = this.#last - this.#first;
    const length = Math.min(all, Math.max(Math.min(least, all), (this.to - this.from) * factor));
    const isInside = tick >= this.from && tick <= this.to;
    const share = isInside ? (tick - this.from) / (this.to - this.from) : 0.5;
    const center = isInside ? tick : (this.from + this.to) / 2;
    this.#set(center - share * length, length);
  }

  /** Moves the range by a share of its length. */
  move(share: number): void {
    const length = this.to - this.from;
    this.#set(this.from + share * length, length);
  }

  #set(from: number, length: number): void {
    this.from = Math.max(this.#first, Math.min(from, this.#last - length));
    this.to = this.from + length;
    this.#run();
  }
}
