/**
 * Text packed in ints, as names are: four bytes an int, highest first, each plus 128; the last byte of the field is NUL.
 * @returns undefined when the ints hold no text: no NUL at the end (the differences of a delta, mostly)
 */
export function textOfInts(ints: ArrayLike<number>, at: number, count: number): string | undefined {
  if (count === 0 || (ints[at + count - 1]! & 0xff) !== 0x80) return undefined;
  const bytes = new Uint8Array(4 * count);
  let length = 0;
  for (; length < bytes.length; length++) {
    const byte = ((ints[at + (length >> 2)]! >>> (24 - 8 * (length & 3))) & 0xff) ^ 0x80;
    if (byte === 0) break;
    bytes[length] = byte;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

/** Whether a string fits `count` ints with its NUL. */
export function intsOfText(text: string, count: number): Int32Array | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length >= 4 * count || bytes.includes(0)) return undefined;
  const ints = new Int32Array(count);
  for (let i = 0; i < 4 * count; i++) ints[i >> 2] = (ints[i >> 2]! << 8) | ((bytes[i] ?? 0) ^ 0x80);
  return ints;
}
