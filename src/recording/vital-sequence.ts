const modulus = 1024;
const half = modulus / 2;

/** The position of a vital chunk in the sequence. */
export type Arrival = 'next' | 'again' | 'early';

/**
 * The vital chunks of one direction of a connection, as their receiver processes them: in sequence, each once. An early chunk waits
 * for those before it; the receiver's acknowledgements show that it has some that were never captured.
 */
export class VitalSequence<T> {
  #last: number | undefined;
  /** The last acknowledgement of the receiver. */
  #acknowledged: number | undefined;
  readonly #early = new Map<number, T>();
  /** Repeated chunks, and chunks that the receiver has but the capture lacks. */
  resent = 0;
  lost = 0;

  /** @param last the number before the first: 0 if the beginning of the connection was captured */
  constructor(last?: number) {
    this.#last = last;
  }

  /** The last number that was sent, as far as is known. */
  get newest(): number | undefined {
    let newest = this.#last;
    if (this.#early.size === 0) return newest;
    for (const early of this.#early.keys()) if (this.#ahead(early) > this.#ahead(newest!)) newest = early;
    return newest;
  }

  /** Adds a chunk; `read` is called for each chunk that is next in sequence. `keep` copies a chunk that has to wait. */
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
   * Adds an acknowledgement of the receiver, which has all chunks up to `sequence`. It counts if two successive packets agree: a
   * single one may be damaged, or captured before the chunk that it acknowledges.
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

  /** Reads the chunks that still wait, in order, at the end of the recording. */
  finish(read: (chunk: T) => void): void {
    const waiting = [...this.#early].sort(([a], [b]) => this.#ahead(a) - this.#ahead(b));
    this.#early.clear();
    for (const [, chunk] of waiting) read(chunk);
  }

  /** The distance of a number from the last one; 0 if it is not ahead. */
  #ahead(sequence: number): number {
    const ahead = (sequence - this.#last! + modulus) % modulus;
    return ahead > half ? 0 : ahead;
  }

  #readWaiting(read: (chunk: T) => void): void {
    while (this.#readNext(read));
  }

  /** Reads the chunk after the last one if it waits. */
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
