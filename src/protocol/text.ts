/**
 * Text packed in ints, as names are: four bytes an int, highest first, each plus 128. The last byte of the field is a NUL that
 * is sent as 0.
 * ```
 * 'b' + 128 = e2   'r' = f2   'o' = ef   'w' = f7    →  0xe2f2eff7
 * ```
 *
 * Source: `StrToInts` and `IntsToStr` in `src/game/gamecore.h` of the games.
 *
 * @param strict returns undefined also for invalid UTF-8 and control characters, which are usual in the differences of a delta
 * @returns undefined if the ints contain no text
 */
export function textOfInts(ints: ArrayLike<number>, at: number, count: number, strict = false): string | undefined {
  if (count === 0 || (ints[at + count - 1]! & 0xff) !== 0) return undefined;
  const bytes = new Uint8Array(4 * count - 1);
  let length = 0;
  for (; length < bytes.length; length++) {
    const byte = ((ints[at + (length >> 2)]! >>> (24 - 8 * (length & 3))) & 0xff) ^ 0x80;
    if (byte === 0) break;
    bytes[length] = byte;
  }
  const text = utf8.decode(bytes.subarray(0, length));
  return strict && /[\p{Cc}\ufffd]/u.test(text) ? undefined : text;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The `count` ints of a text; undefined if it does not fit with its NUL, or contains one.
 *
 * Source: `StrToInts` and `IntsToStr` in `src/game/gamecore.h` of the games.
 */
export function intsOfText(text: string, count: number): Int32Array | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length >= 4 * count || bytes.includes(0)) return undefined;
  const ints = new Int32Array(count);
  for (let i = 0; i < 4 * count; i++) ints[i >> 2] = (ints[i >> 2]! << 8) | ((bytes[i] ?? 0) ^ 0x80);
  ints[count - 1]! &= ~0xff;
  return ints;
}
