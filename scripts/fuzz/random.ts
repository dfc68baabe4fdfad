import { seeded } from '../../test/support/seeded.ts';

/** Extreme values of fields, varints and limits. */
const extremes = [
  ...[0, 1, -1, 2, 3, 63, 64, -64, -65, 127, 128, 255, 256, 1023, 1024, 1025, 1399, 1400, 4096, 8191, 8192],
  ...[0x3fff, 0x4000, 0x7ffe, 0x7fff, 0x8000, 0xffff, 0x10000, 1 << 20, 1 << 27, 1 << 30],
  ...[0x7fffffff, -0x80000000, -0x7fffffff, -0x8000, -0x10000],
];

/** The random choices for one input, the same for the same seed and number. */
export class Random {
  readonly next: () => number;

  constructor(seed: number, number: number) {
    this.next = seeded(mixed(mixed(seed) ^ number) || 1);
    this.next();
  }

  /** From 0 up to but excluding `end`. */
  below(end: number): number {
    return end <= 0 ? 0 : this.next() % end;
  }

  /** Including both ends. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  oneIn(count: number): boolean {
    return this.next() % count === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Picks one of the first elements more often. */
  pickEarly<T>(list: readonly T[]): T {
    return list[this.below(1 + this.below(list.length))]!;
  }

  /** Mostly 1, rarely many. */
  few(): number {
    let count = 1;
    while (count < 32 && this.next() % 3 === 0) count++;
    return count;
  }

  byte(): number {
    return this.oneIn(3) ? this.pick([0, 0xff, 0x7f, 0x80, 0x40, 0xc0, 0x3f]) : this.next() & 0xff;
  }

  /** Any 32-bit int, extreme values more often than others. */
  int(): number {
    const kind = this.below(4);
    if (kind === 0) return this.pick(extremes);
    if (kind === 1) return this.next() | 0;
    return this.between(-40, 1200);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.byte());
  }

  /** Splits bytes at random positions. */
  *pieces(bytes: Uint8Array): Generator<Uint8Array, void> {
    const most = this.pick([1, 3, 16, 100, 1000, 1 << 14]);
    // For large inputs tiny pieces would take long without further benefit.
    const least = Math.max(1, Math.floor(bytes.length / 2000));
    for (let at = 0; at < bytes.length; ) {
      const size = least + this.below(most);
      yield bytes.slice(at, at + size);
      at += size;
    }
  }
}

/** Distributes similar numbers evenly, with the finaliser of MurmurHash3. */
function mixed(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
