/** Numbers that are the same in every run, so that the vectors are, too (mulberry32). */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  bytes(count: number): number[] {
    return Array.from({ length: count }, () => this.below(256));
  }

  /** Ints of all lengths, and those beside which the length of their packed form changes. */
  int(): number {
    if (this.next() < 0.3) return this.pick(borders);
    const size = this.below(2 ** (1 + this.below(31)));
    return this.next() < 0.5 ? ~size : size;
  }

  ints(count: number): number[] {
    return Array.from({ length: count }, () => this.int());
  }
}

/** The largest and smallest ints of one to five bytes, and their neighbours. */
export const borders = [
  ...[0, 1, -1, 63, 64, -64, -65],
  ...[2 ** 13 - 1, 2 ** 13, -(2 ** 13), -(2 ** 13) - 1],
  ...[2 ** 20 - 1, 2 ** 20, -(2 ** 20), -(2 ** 20) - 1],
  ...[2 ** 27 - 1, 2 ** 27, -(2 ** 27), -(2 ** 27) - 1],
  ...[2 ** 31 - 1, -(2 ** 31)],
];
