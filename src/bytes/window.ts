/** The answer to a question about an input that comes piece by piece: it may be that more has to be read first. */
export type Answer = 'yes' | 'no' | 'more';

/** A stretch of a long input: pieces go in at the end, what was read is dropped at the front. Offsets are absolute. */
export class Window {
  /** What is held: `bytes[start]` up to `bytes[end]`. Valid until the next piece is added. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** Whether the input ends here. */
  ended = false;
  /** Absolute offset of `bytes[0]`. */
  #base = 0;
  /** The last bytes that were not a piece as it came. */
  #joined: Uint8Array | undefined;

  /** Where the first piece will stand. */
  startAt(offset: number): void {
    this.#base = offset;
  }

  /** Absolute offset of an index into `bytes`. */
  offset(index: number): number {
    return this.#base + index;
  }

  /** Index into `bytes` of an absolute offset. */
  index(offset: number): number {
    return offset - this.#base;
  }

  /** Adds a piece. It is kept, not copied, where all before it was read. */
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
      // Room for as much again: what is left is not to be copied for every small piece.
      this.#joined = new Uint8Array(2 * (left + piece.length));
      this.#joined.set(this.bytes.subarray(this.start, this.end));
      this.#joined.set(piece, left);
      this.bytes = this.#joined;
    }
    this.start = 0;
    this.end = left + piece.length;
  }
}
