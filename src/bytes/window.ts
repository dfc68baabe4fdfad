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
    this.#base += this.start;
    if (left === 0) this.bytes = piece;
    else {
      const joined = new Uint8Array(left + piece.length);
      joined.set(this.bytes.subarray(this.start, this.end));
      joined.set(piece, left);
      this.bytes = joined;
    }
    this.start = 0;
    this.end = left + piece.length;
  }
}
