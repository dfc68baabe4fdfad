import { codeBits, codeLengths, eof } from './huffman-codes.ts';

/** Bits of the longest code: a look-up of this many always finds a symbol. */
export const oneBits = 15;

/**
 * By the next 15 bits: their first symbol.
 * ```
 * LLLL LLLS  SSSS SSSS      L length of its code · S symbol, 256 is the end
 * ```
 */
export const one: Uint16Array = buildOne();

/**
 * Bits of a look-up that finds several symbols. With 15 it would always find one, but the larger table would share the innermost cache
 * with less other data.
 */
export const severalBits = 13;

/**
 * By the next 13 bits: the number of whole symbols in them, at most four, and the length of these; {@link noneWhole} if there is none.
 * 0 is an entry not computed yet: {@link findSeveral} does it on first use, since most inputs need few entries.
 * ```
 * CCCL LLLL      C number of symbols · L length in bits
 * ```
 * Separate from {@link severalBytes}: the next look-up depends on this table alone.
 */
export const several = new Uint8Array(1 << severalBits);

/** The bytes of these symbols, the first in the lowest bits. */
export const severalBytes = new Int32Array(1 << severalBits);

/** An entry without bytes: the first symbol is the end, or has a longer code. */
export const noneWhole = 1;

/** The table is doubled for each further bit: the entry of a shorter code is the same for both values of that bit. */
function buildOne(): Uint16Array {
  const byLength: number[][] = Array.from({ length: oneBits + 1 }, () => []);
  for (let symbol = 0; symbol <= eof; symbol++) byLength[codeLengths[symbol]!]!.push(symbol);
  const table = new Uint16Array(1 << oneBits);
  for (let length = 1; length <= oneBits; length++) {
    const half = 1 << (length - 1);
    table.copyWithin(half, 0, half);
    for (const symbol of byLength[length]!) table[codeBits[symbol]!] = symbol | (length << 9);
  }
  return table;
}

/** Computes the entry of {@link several} for these bits, on first use. */
export function findSeveral(bits: number): number {
  let bytes = 0;
  let count = 0;
  let used = 0;
  while (count < 4) {
    const entry = one[bits >>> used]!;
    const symbol = entry & 0x1ff;
    const length = entry >>> 9;
    if (symbol === eof || used + length > severalBits) break;
    bytes |= symbol << (8 * count++);
    used += length;
  }
  severalBytes[bits] = bytes;
  several[bits] = count ? (count << 5) | used : noneWhole;
  return several[bits];
}
