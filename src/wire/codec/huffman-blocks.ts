import type { ByteBuffer } from '../bytes/buffers.ts';
import { copyBytes } from '../bytes/copy.ts';
import * as tables from './huffman-tables.ts';
import { codeLengths, eof } from './huffman-tables.ts';
import { isLittleEndian } from './int32.ts';

/*
 * Huffman's code, a block of input at a time. Correct and complete is `huffman.ts`, symbol by symbol: it continues
 * where this loop stops, and gives all warnings. This file only has to be fast, and may stop anywhere.
 *
 *   stream      1 0001 01000 011110 1 01101000 …    the first bit is the lowest of its byte
 *               └ 13 bits ─────┘                    look-up 1: 3 whole symbols in 10 bits, 00 01 02
 *                            └ 13 bits ────┘        look-up 2, of the same load: 2 in 7 bits, 04 00
 *
 *   decoded     00 01 02 ··                         each look-up writes four bytes,
 *                        04 00 ·· ··                and the next one overwrites those that were too many
 *
 * `several` has the number of symbols and of bits of a look-up, `severalBytes` its bytes in one int.
 *
 * The loop has one chain that nothing shortens: bits, entry, length, next bits. Everything that is not on this chain is
 * nearly free, so the tricks make the chain shorter or feed it more per step. A load has at least 25 bits
 * (`loadedBits`): 32, less up to 7 of the byte in which the bit lies.
 *
 * What each gained. The figures are from scripts/results.md, of a complete reading; "few players" is the measure of
 * 2026-11-24, one by one, in turns, on a busy machine.
 *
 * - Several symbols for each look-up, instead of one. A look-up of 13 bits gives 2.4 bytes on average for 34 players. Came with the
 *   blocks: not measured alone.
 * - A table of 13 bits instead of 15: 3 %, as the innermost cache keeps it. 12 or 14 bits are 1 to 3 % slower than 13. A code longer
 *   than 13 bits is then found in `single`.
 * - Two look-ups for each load: 7 % for few players. Three made full snapshots 10 % slower, four gained 1 %.
 * - `several` is separate from `severalBytes`, since the chain needs the first only. Not measured alone.
 * - Four bytes written with one `setInt32`: with varints four at once and deltas applied in place, a sixth of a snapshot with few
 *   items. Not measured alone.
 * - One unaligned `getInt32` instead of two ints and three shifts: 2 %.
 * - Short inputs copied by a loop, four bytes at a time (`fewWords`): 3 % for few players, 6 % of two demos.
 * - A whole stream in one step (`decodeWhole`), unpacked from `decoded` without a copy: 8 to 18 % of captures.
 * - Entries computed on first use (`findSeveral`): came with the quick start of commands. Not measured alone.
 *
 * Tried, and not here:
 * - Huffman's code and varints in one loop: 10 to 25 % faster by itself, no faster in a complete reading. Its further tables push other
 *   data out of the cache.
 * - Two streams in turns in one loop, so that one chain need not wait for the other: 0.68 to 0.86 of the time for short deltas by itself,
 *   1.14 for 34 players; 2.6 to 6.4 % of a complete reading.
 * - WebAssembly by hand, with 64 bits a load and three look-ups: 1.3 times as fast. The limit that was set for a second form is 1.5.
 * - A reused result of `decode`, and larger blocks for the first snapshots of small demos: no difference.
 *
 * Measure: `node scripts/bench/parts.mjs` for this part, `npm run bench` for the whole. What gains by itself often
 * gains nothing in the whole, so the second decides.
 */

/** Bytes of input that are decoded at once. */
const blockSize = 4096;
/** Four bytes have at least this many bits from any bit of the first on. */
const loadedBits = 25;
/** Up to this many words, a loop is faster than a view and `set`. */
const fewWords = 64;

/**
 * The bytes that were decoded last; up to three more are written ahead. Varints are unpacked from here, without a copy.
 */
export const decoded = new Uint8Array(8 * blockSize + 8);

/** A stream that was decoded in one step: the first `length` bytes of {@link decoded}. The object is reused. */
interface WholeStream {
  readonly length: number;
  /** The bit after the end symbol, counted from the start of the input. */
  readonly endBit: number;
}

/**
 * `decompressBlocks` decompresses `src[start, end)` into `out`, which has room for `limit` bytes or for any result. It
 * stops at the end symbol, or near the end of the bits or of the room, and returns that bit, counted from the start of
 * `src`.
 *
 * `decodeWhole` decodes a whole stream into {@link decoded}; undefined if the stream is long or has anything that needs
 * a warning.
 */
export const { decompressBlocks, decodeWhole } = makeDecoder(decoded);

/** The arrays and numbers are closure constants: see "Hot loops" in src/wire/README.md. */
function makeDecoder(output: Uint8Array) {
  const { several, severalBytes, single, singleBits, severalBits, noneWhole, findSeveral } = tables;
  const mask = (1 << severalBits) - 1;
  const singleMask = (1 << singleBits) - 1;
  const words = new Int32Array(blockSize / 4 + 2);
  const input = new Uint8Array(words.buffer);
  const source = new DataView(words.buffer);
  /** Four bytes are written at once. */
  const fours = new DataView(output.buffer);
  const whole = { length: 0, endBit: 0 };

  /**
   * Decodes the input from a bit to another, to the end symbol, or while there is room. Two look-ups use the same bits.
   */
  function decode(firstBit: number, lastBit: number, room: number) {
    let bit = firstBit;
    let length = 0;
    while (bit <= lastBit && length <= room) {
      const bits = source.getInt32(bit >>> 3, true) >>> (bit & 7);
      let entry = several[bits & mask]!;
      if (entry <= noneWhole) {
        if (entry === 0) entry = findSeveral(bits & mask);
        if (entry === noneWhole) {
          const first = single[bits & singleMask]!;
          if ((first & 0x1ff) === eof) return { bit, length, hasEnded: true };
          output[length++] = first;
          bit += first >>> 9;
          continue;
        }
      }
      fours.setInt32(length, severalBytes[bits & mask]!, true);
      length += entry >>> 5;
      const used = entry & 31;
      bit += used;
      const next = (bits >>> used) & mask;
      entry = several[next]!;
      if (entry <= noneWhole || used + (entry & 31) > loadedBits) continue;
      fours.setInt32(length, severalBytes[next]!, true);
      length += entry >>> 5;
      bit += entry & 31;
    }
    return { bit, length, hasEnded: false };
  }

  /** Up to three bytes after the end are loaded too: bits after the end symbol do not matter. */
  function load(src: Uint8Array, start: number, end: number): void {
    const count = (end - start + 3) >>> 2;
    if (count > fewWords || start + 4 * count > src.length) copyBytes(src, start, end, input);
    else {
      for (let i = 0, at = start; i < count; i++, at += 4) {
        words[i] = src[at]! | (src[at + 1]! << 8) | (src[at + 2]! << 16) | (src[at + 3]! << 24);
      }
    }
  }

  function decompressBlocks(src: Uint8Array, start: number, end: number, out: ByteBuffer, limit: number): number {
    out.length = 0;
    let at = start * 8;
    for (let isMore = isLittleEndian; isMore; ) {
      const first = at >>> 3;
      const size = Math.min(end - first, blockSize);
      load(src, first, first + size);
      // The loop runs while the input has all bits for two look-ups, and the output has room.
      const room = limit - out.length - 8;
      const { bit, length, hasEnded } = decode(at & 7, 8 * size - 2 * singleBits, room);
      at = first * 8 + bit;
      out.bytes.set(output.subarray(0, length), out.length);
      out.length += length;
      isMore = size === blockSize && !hasEnded && length <= room;
    }
    return at;
  }

  function decodeWhole(src: Uint8Array, start: number, end: number): WholeStream | undefined {
    const size = end - start;
    if (size > blockSize || !isLittleEndian) return undefined;
    load(src, start, end);
    const { bit, length, hasEnded } = decode(0, 8 * size, 8 * size);
    const endBit = bit + codeLengths[eof]!;
    if (!hasEnded || endBit > 8 * size) return undefined;
    // The end symbol is followed by less than a byte of zeros, and optionally one zero byte.
    const last = endBit >>> 3;
    if (size - last > 1 || (size > last && src[start + last]! >>> (endBit & 7))) return undefined;
    whole.length = length;
    whole.endBit = endBit;
    return whole;
  }

  return { decompressBlocks, decodeWhole };
}
