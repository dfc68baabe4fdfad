/**
 * The memory of the pieces of files. Fresh memory for each piece costs more time than reading it, and is released late.
 */
export class PieceMemory {
  readonly #isReusing: () => boolean;
  #piece: Uint8Array | undefined;
  #last: Uint8Array | undefined;

  /** @param isReusing whether the piece before can be overwritten soon; it is asked whenever a piece is taken */
  constructor(isReusing: () => boolean = () => true) {
    this.#isReusing = isReusing;
  }

  /** Memory for a piece. The second `take` after it overwrites it, unless `isReusing` returned false at the first. */
  take(size: number): Uint8Array {
    const before = this.#last;
    this.#last = this.#piece;
    this.#piece = before && before.length >= size ? before : new Uint8Array(size);
    if (!this.#isReusing()) this.#last = undefined;
    return this.#piece.subarray(0, size);
  }
}
