/** Copies `from[start, end)`, often all of it, to the beginning of `into`. */
export function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array): void {
  into.set(end - start === from.length ? from : from.subarray(start, end));
}

/** Concatenates pieces of bytes. A single piece is returned without copying. */
export function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

export function areSameBytes(first: Uint8Array, second: Uint8Array): boolean {
  if (first.length !== second.length) return false;
  for (let i = 0; i < first.length; i++) if (first[i] !== second[i]) return false;
  return true;
}

/** Whether `data` has these ints from `start` on. */
export function hasIntsAt(data: Int32Array, start: number, ints: Int32Array): boolean {
  for (let i = 0; i < ints.length; i++) if (ints[i] !== data[start + i]) return false;
  return true;
}

/** The length from which a view takes little compared with a copy of its ints. */
const keptLengths = 512;

/**
 * Views of the first ints of an array. Short ones are kept, since making one takes V8 four times as long as copying its
 * ints.
 */
export class Beginnings {
  readonly #ints: Int32Array;
  readonly #views: (Int32Array | undefined)[] = new Array(keptLengths).fill(undefined);

  constructor(ints: Int32Array) {
    this.#ints = ints;
  }

  first(length: number): Int32Array {
    if (length >= keptLengths) return this.#ints.subarray(0, length);
    this.#views[length] ??= this.#ints.subarray(0, length);
    return this.#views[length];
  }
}

/** Newer browsers and Node have a function for it, which is ten times as fast. */
export function ofBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (fromBase64) return fromBase64.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
