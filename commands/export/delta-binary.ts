/**
 * Parquet's encoding DELTA_BINARY_PACKED, written by one flat loop into one array. hyparquet-writer has the same
 * encoding, and makes the same bytes, but appends each byte by a call: half the time of a Parquet export of items was
 * there. This file can go as soon as the library has such a loop.
 * ```
 * header   values in a block (128), miniblocks in a block (4), number of values: varints; first value: zigzag varint
 * block    least difference: zigzag varint; bit width of each of the 4 miniblocks: a byte; the miniblocks
 *          of 32 differences each, minus the least one, in so many bits, lowest first; a width of 0 has no bytes
 * ```
 * Differences wrap around as 32-bit ints. The last block is filled with zeros; miniblocks without values have the
 * width 0.
 *
 * Source: "Delta Encoding" in Encodings.md of the Parquet format.
 */

import { writeVarint, writeZigzag } from './varint.ts';

const blockLength = 128;
const miniblocks = 4;
const miniblockLength = blockLength / miniblocks;
const maxVarint = 5;

/** The most bytes that `count` values can take. */
export const packedRoom = (count: number): number =>
  5 * maxVarint + Math.ceil(count / blockLength) * (maxVarint + miniblocks + 4 * blockLength);

const deltas = new Int32Array(blockLength);

/**
 * Writes the first `count` values to the start of `into`, which has {@link packedRoom} bytes for them, and returns the
 * end.
 */
export function packDeltas(values: Int32Array, count: number, into: Uint8Array): number {
  let at = writeVarint(into, 0, blockLength);
  at = writeVarint(into, at, miniblocks);
  at = writeVarint(into, at, count);
  at = writeZigzag(into, at, count === 0 ? 0 : values[0]!);
  for (let start = 1; start < count; start += blockLength) {
    const length = Math.min(blockLength, count - start);
    let least = 0x7fffffff;
    let all = 0;
    let previous = values[start - 1]!;
    for (let i = 0; i < length; i++) {
      const value = values[start + i]!;
      const delta = (value - previous) | 0;
      deltas[i] = delta;
      all |= delta;
      if (delta < least) least = delta;
      previous = value;
    }
    at = writeZigzag(into, at, least);
    const widths = at;
    at += miniblocks;
    for (let m = 0; m < miniblocks; m++) into[widths + m] = 0;
    // Most columns of most blocks do not change.
    if (all === 0) continue;
    for (let m = 0; m < miniblocks; m++) {
      const first = m * miniblockLength;
      const end = Math.min(first + miniblockLength, length);
      let bits = 0;
      for (let i = first; i < end; i++) bits |= deltas[i]! - least;
      if (bits === 0) continue;
      const width = 32 - Math.clz32(bits);
      into[widths + m] = width;
      // `word` holds the lowest `used` of the bits that are not yet written.
      let word = 0;
      let used = 0;
      for (let i = first; i < first + miniblockLength; i++) {
        const value = i < end ? (deltas[i]! - least) | 0 : 0;
        word |= value << used;
        used += width;
        if (used < 32) continue;
        into[at] = word;
        into[at + 1] = word >>> 8;
        into[at + 2] = word >>> 16;
        into[at + 3] = word >>> 24;
        at += 4;
        used -= 32;
        word = used === 0 ? 0 : value >>> (width - used);
      }
    }
  }
  return at;
}
