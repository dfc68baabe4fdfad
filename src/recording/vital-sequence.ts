const modulus = 1024;
const half = modulus / 2;

/** What became of a vital chunk. */
export type Arrival = 'next' | 'again' | 'early';

/**
 * The vital chunks of one direction of a connection, as their receiver takes them: in sequence, each once. One that comes early
 * waits for those before it; the receiver's own acknowledgements tell when it has some that were never captured.
 */
export class VitalSequence<T> {
  #last: number | undefined;
  /** What the receiver acknowledged last. */
  #acknowledged: number | undefined;
  readonly #early = new Map<number, T>();
  /** Chunks that came again, and chunks that the receiver has but the capture lacks. */
  resent = 0;
  lost = 0;

  /** @param last the number before the first: 0 where the connection was seen to begin */
  constructor(last?: number) {
    this.#last = last;
  }

  /** Takes a chunk; what can be read now, in order, goes to `read`. `keep` makes a copy of one that has to wait. */
  add(sequence: number, chunk: T, keep: (chunk: T) => T, read: (chunk: T) => void): Arrival {
    this.#last ??= (sequence + modulus - 1) % modulus;
    const ahead = this.#ahead(sequence);
    if (ahead === 0 || this.#early.has(sequence)) {
      this.resent++;
      return 'again';
    }
    if (ahead > 1) {
      this.#early.set(sequence, keep(chunk));
      return 'early';
    }
    this.#last = sequence;
    read(chunk);
    this.#readWaiting(read);
    return 'next';
  }

  /**
   * A packet of the receiver says that it has all up to `sequence`. What two packets say, one after the other, is believed: one
   * alone may be damaged, or captured before the chunk that it speaks of.
   */
  acknowledged(sequence: number, read: (chunk: T) => void): void {
    const before = this.#acknowledged ?? this.#last;
    this.#acknowledged = sequence;
    if (this.#last === undefined || before === undefined) return;
    for (let ahead = Math.min(this.#ahead(before), this.#ahead(sequence)); ahead > 0; ahead--) {
      if (!this.#readNext(read)) {
        this.#last = (this.#last + 1) % modulus;
        this.lost++;
      }
    }
    this.#readWaiting(read);
  }

  /** Nothing more will come: gives what still waits, in order. */
  finish(read: (chunk: T) => void): void {
    const waiting = [...this.#early].sort(([a], [b]) => this.#ahead(a) - this.#ahead(b));
    this.#early.clear();
    for (const [, chunk] of waiting) read(chunk);
  }

  /** How far a number lies ahead of the last; 0 where it doesn't. */
  #ahead(sequence: number): number {
    const ahead = (sequence - this.#last! + modulus) % modulus;
    return ahead > half ? 0 : ahead;
  }

  #readWaiting(read: (chunk: T) => void): void {
    while (this.#readNext(read));
  }

  /** Reads the chunk after the last, where it waits. */
  #readNext(read: (chunk: T) => void): boolean {
    const next = (this.#last! + 1) % modulus;
    const chunk = this.#early.get(next);
    if (chunk === undefined) return false;
    this.#early.delete(next);
    this.#last = next;
    read(chunk);
    return true;
  }
}
