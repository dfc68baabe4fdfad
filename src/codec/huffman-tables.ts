import { codeBits, codeLengths, eof } from './huffman-codes.ts';

/** Bits of the longest code: a look-up of this many always finds a symbol. */
export const oneBits = 15;

/**
 * By the next 15 bits: the symbol they begin with.
 * ```
 * LLLL LLLS  SSSS SSSS      L length of its code · S symbol, 256 is the end
 * ```
 */
export const one: Uint16Array = buildOne();

/**
 * By the next 15 bits: how many bytes lie in them whole, four at most, and the bits they take; {@link endsHere} where the end comes
 * first. 0 where nobody has looked yet: {@link findSeveral} fills it, for most inputs need only a few.
 * ```
 * CCCL LLLL      C how many · L bits
 * ```
 * Apart from {@link severalBytes}: the next look-up waits for this table only, which is small enough to stay at hand.
 */
export const several = new Uint8Array(1 << oneBits);

/** The bytes themselves, the first lowest. */
export const severalBytes = new Int32Array(1 << oneBits);

/** An entry without bytes. */
export const endsHere = 1;

/** Doubled for each bit more: what the shorter codes say holds whatever that bit is. */
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

/** The entry of {@link several} for these bits, looked up for the first time. */
export function findSeveral(bits: number): number {
  let bytes = 0;
  let count = 0;
  let used = 0;
  while (count < 4) {
    const entry = one[bits >>> used]!;
    const symbol = entry & 0x1ff;
    const length = entry >>> 9;
    if (symbol === eof || used + length > oneBits) break;
    bytes |= symbol << (8 * count++);
    used += length;
  }
  severalBytes[bits] = bytes;
  several[bits] = count ? (count << 5) | used : endsHere;
  return several[bits];
}
