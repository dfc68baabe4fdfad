/** The length from which a view takes little compared with a copy of its ints. */
const keptLengths = 512;

/** Views of the first ints of an array. Short ones are kept, since making one takes V8 four times as long as copying its ints. */
export class Beginnings {
  readonly #ints: Int32Array;
  /** By length. */
  readonly #views: (Int32Array | undefined)[] = new Array(keptLengths).fill(undefined);

  constructor(ints: Int32Array) {
    this.#ints = ints;
  }

  /** The first `length` ints. */
  first(length: number): Int32Array {
    if (length >= keptLengths) return this.#ints.subarray(0, length);
    this.#views[length] ??= this.#ints.subarray(0, length);
    return this.#views[length];
  }
}
