const modulus = 1024;
const half = modulus / 2;

/** What became of a vital chunk. */
export type Arrival = 'next' | 'again' | 'early';

/**
 * The vital chunks of one direction of a connection, as their receiver takes them: in sequence, each once. One that comes early
 * waits for those before it; the receiver's own acknowledgements tell when it has some that were never captured.
 */
export class Sequence<T> {
  #last: number | undefined;
  readonly #early = new Map<number, T>();
  /** Chunks that came again, and chunks that the receiver has but the capture lacks. */
  resent = 0;
  lost = 0;

  /** @param last the number before the first: 0 where the connection was seen to begin */
  constructor(last?: number) {
    this.#last = last;
  }

  /** Takes a chunk; what can be read now, in order, goes to `read`. `keep` makes a copy of one that has to wait. */
  take(sequence: number, chunk: T, keep: (chunk: T) => T, read: (chunk: T) => void): Arrival {
    this.#last ??= (sequence + modulus - 1) % modulus;
    const ahead = (sequence - this.#last + modulus) % modulus;
    if (ahead === 0 || ahead > half || this.#early.has(sequence)) {
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

  /** The receiver says that it has all up to `sequence`. */
  acknowledged(sequence: number, read: (chunk: T) => void): void {
    if (this.#last === undefined) return;
    let ahead = (sequence - this.#last + modulus) % modulus;
    if (ahead === 0 || ahead > half) return;
    for (; ahead > 0; ahead--) {
      this.#last = (this.#last + 1) % modulus;
      const chunk = this.#early.get(this.#last);
      if (chunk === undefined) this.lost++;
      else {
        this.#early.delete(this.#last);
        read(chunk);
      }
    }
    this.#readWaiting(read);
  }

  /** Nothing more will come: gives what still waits, in order. */
  finish(read: (chunk: T) => void): void {
    if (this.#last === undefined) return;
    const from = this.#last;
    const distance = (sequence: number) => (sequence - from + modulus) % modulus;
    for (const sequence of [...this.#early.keys()].sort((a, b) => distance(a) - distance(b)))
      read(this.#early.get(sequence)!);
    this.#early.clear();
  }

  #readWaiting(read: (chunk: T) => void): void {
    for (;;) {
      const next = (this.#last! + 1) % modulus;
      const chunk = this.#early.get(next);
      if (chunk === undefined) return;
      this.#early.delete(next);
      this.#last = next;
      read(chunk);
    }
  }
}
