import { noBytes } from './buffers.ts';

/** The answer to a question about an input that comes piece by piece: it may be that more has to be read first. */
export type Answer = 'yes' | 'no' | 'more';

export const yesIf = (is: boolean): Answer => (is ? 'yes' : 'no');

/** Room for at least this many bytes of further pieces. */
const minPieceRoom = 1 << 14;

/** The unread part of a long input: pieces are appended, and bytes that were read are dropped. Offsets are absolute. */
export class Window {
  /** The unread bytes are `bytes[start]` up to `bytes[end]`, valid until the next piece is added. */
  bytes: Uint8Array = noBytes;
  start = 0;
  end = 0;
  ended = false;
  /** Bytes that were read only to have them in the cache; V8 would leave such reads out otherwise. */
  loaded = 0;
  /** Absolute offset of `bytes[0]`. */
  #base = 0;
  /** The buffer for unread bytes and the piece after them. */
  #joined = noBytes;

  startAt(offset: number): void {
    this.#base = offset;
  }

  offset(index: number): number {
    return this.#base + index;
  }

  index(offset: number): number {
    return offset - this.#base;
  }

  /** Appends a piece. It is copied only if there are unread bytes before it. */
  add(piece: Uint8Array): void {
    const left = this.end - this.start;
    if (left > 0 && this.bytes === this.#joined && this.end + piece.length <= this.bytes.length) {
      this.bytes.set(piece, this.end);
      this.end += piece.length;
      return;
    }
    this.#base += this.start;
    if (left === 0) this.bytes = piece;
    else {
      const needed = left + piece.length;
      // There is room for more, so that unread bytes are not moved again for every small piece.
      if (this.#joined.length < needed) this.#joined = new Uint8Array(needed + Math.max(left, minPieceRoom));
      this.#joined.set(this.bytes.subarray(this.start, this.end));
      this.#joined.set(piece, left);
      this.bytes = this.#joined;
    }
    this.start = 0;
    this.end = left + piece.length;
  }
}

interface Source<T> {
  /** Undefined at the end, or if more input is needed. */
  next(): T | undefined;
}

/** Iterates over what a source has at this time. It is faster than a generator, and ends like one. */
class Drain<T> implements IterableIterator<T, void> {
  readonly #source: Source<T>;
  #hasEnded = false;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<T, void> {
    const value = this.#hasEnded ? undefined : this.#source.next();
    return value === undefined ? this.return() : { value, done: false };
  }

  return(): IteratorReturnResult<void> {
    this.#hasEnded = true;
    return { value: undefined, done: true };
  }
}

/** Reads an input that comes piece by piece: value by value with `next`, or all values that each piece completes. */
export abstract class PieceReader<T> {
  /** Adds a piece, for reading with {@link next}. */
  abstract add(piece: Uint8Array): void;
  /** Ends the input, for reading with {@link next}. */
  abstract end(): void;
  /** The next complete value; undefined if more of the input is needed or all of it was read. */
  abstract next(): T | undefined;

  feed(piece: Uint8Array): IterableIterator<T, void> {
    this.add(piece);
    return new Drain(this);
  }

  finish(): IterableIterator<T, void> {
    this.end();
    return new Drain(this);
  }
}
