import { codeBits, codeLengths, eof } from './huffman-codes.ts';

/** Bits a lookup of several symbols sees. */
export const severalBits = 13;
/** Bits of the longest code: a lookup of this many always finds one symbol. */
export const oneBits = 15;

/**
 * By the next 15 bits: the symbol they begin with.
 * ```
 * LLLL LLLS  SSSS SSSS      L length of its code · S symbol, 256 is the end
 * ```
 */
export const one: Uint16Array = buildOne();

/**
 * By the next 13 bits: the one to three bytes that lie in them whole; 0 where not even one does, or the end comes first.
 * ```
 * LLLL LLCC  byte 3  byte 2  byte 1      L bits they take · C how many
 * ```
 */
export const several: Uint32Array = buildSeveral();

function buildOne(): Uint16Array {
  const table = new Uint16Array(1 << oneBits);
  for (let symbol = 0; symbol <= eof; symbol++) {
    const length = codeLengths[symbol]!;
    const entry = symbol | (length << 9);
    for (let bits = codeBits[symbol]!; bits < table.length; bits += 1 << length) table[bits] = entry;
  }
  return table;
}

function buildSeveral(): Uint32Array {
  const table = new Uint32Array(1 << severalBits);
  for (let bits = 0; bits < table.length; bits++) {
    let bytes = 0;
    let count = 0;
    let used = 0;
    while (count < 3) {
      const entry = one[bits >>> used]!;
      const symbol = entry & 0x1ff;
      const length = entry >>> 9;
      if (symbol === eof || used + length > severalBits) break;
      bytes |= symbol << (8 * count++);
      used += length;
    }
    if (count) table[bits] = (used << 26) | (count << 24) | bytes;
  }
  return table;
}
