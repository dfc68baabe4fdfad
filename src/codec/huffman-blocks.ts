import type { ByteBuffer } from '../bytes/buffers.ts';
import { copyBytes } from '../bytes/copy.ts';
import { codeLengths, eof } from './huffman-codes.ts';
import * as tables from './huffman-tables.ts';

/** Bytes of input. */
const block = 4096;

/** At most a byte for each bit of the input, and three more written ahead. */
export const unpacked = new Uint8Array(8 * block + 8);

/**
 * Decompresses `src[start, end)` into `out`, which has room for `limit` bytes or all that can come: up to the end symbol, or near
 * the end of the bits or of the room.
 * @returns the bit where it stopped, counted from the start of `src`
 *
 * `decompressWhole` leaves all bytes in {@link unpacked}.
 * @returns how many; -1 where the input is large, or odd in any way
 *
 * `takeWhole` copies them to `out`.
 * @returns the bit behind the end symbol, counted from the start of the input
 */
export const { decompressBlocks, decompressWhole, takeWhole } = makeDecompress();

/**
 * Engines know the place of an array that is a constant of the function and only indexed there, and look it up anew at each step
 * otherwise: so input is brought here block by block, and output taken away, by a function apart.
 */
function makeDecompress() {
  const { several, severalBytes, oneBits, endsHere, findSeveral } = tables;
  const eofBits = codeLengths[eof]!;
  const mask = (1 << oneBits) - 1;
  const words = new Int32Array(block / 4 + 2);
  const input = new Uint8Array(words.buffer);
  const output = unpacked;
  // Words are read with their first byte lowest.
  const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

  let made = 0;
  let hasEnded = false;
  let endOfWhole = 0;

  /** Decodes from a bit of the input to another, or as long as there is room; returns where it stopped. */
  function decode(first: number, stop: number, room: number): number {
    let bit = first;
    let length = 0;
    while (bit <= stop && length <= room) {
      const word = bit >>> 5;
      const shift = bit & 31;
      let bits = (words[word]! >>> shift) | ((words[word + 1]! << 1) << (31 - shift));
      let entry = several[bits & mask]!;
      if (entry === 0) entry = findSeveral(bits & mask);
      if (entry === endsHere) {
        hasEnded = true;
        break;
      }
      let four = severalBytes[bits & mask]!;
      output[length] = four;
      output[length + 1] = four >>> 8;
      output[length + 2] = four >>> 16;
      output[length + 3] = four >>> 24;
      length += entry >>> 5;
      bit += entry & 31;
      bits >>>= entry & 31;
      entry = several[bits & mask]!;
      if (entry === 0) entry = findSeveral(bits & mask);
      if (entry === endsHere) continue;
      four = severalBytes[bits & mask]!;
      output[length] = four;
      output[length + 1] = four >>> 8;
      output[length + 2] = four >>> 16;
      output[length + 3] = four >>> 24;
      length += entry >>> 5;
      bit += entry & 31;
    }
    made = length;
    return bit;
  }

  function bring(src: Uint8Array, start: number, end: number): void {
    copyBytes(src, start, end, input, 0);
  }

  function decompressBlocks(src: Uint8Array, start: number, end: number, out: ByteBuffer, limit: number): number {
    let length = 0;
    let at = start * 8;
    for (let more = isLittleEndian; more; ) {
      const first = at >>> 3;
      const held = Math.min(end - first, block);
      bring(src, first, first + held);
      // Two look-ups at a time, as long as all bits they see are there and what they give has room.
      const room = limit - length - 8;
      hasEnded = false;
      at = first * 8 + decode(at & 7, 8 * held - 2 * oneBits, room);
      out.bytes.set(output.subarray(0, made), length);
      length += made;
      more = held === block && !hasEnded && made <= room;
    }
    out.length = length;
    return at;
  }

  function decompressWhole(src: Uint8Array, start: number, end: number): number {
    const size = end - start;
    if (size > block || !isLittleEndian) return -1;
    bring(src, start, end);
    const bits = 8 * size;
    hasEnded = false;
    const bit = decode(0, bits, bits) + eofBits;
    if (!hasEnded || bit > bits) return -1;
    // Behind it less than a byte of zeros, and perhaps a zero byte more.
    if (bit < 0 || bit > bits) return -1;
    const last = bit >>> 3;
    if (size - last > 1 || (size > last && src[start + last]! >>> (bit & 7))) return -1;
    endOfWhole = bit;
    return made;
  }

  function takeWhole(out: ByteBuffer): number {
    out.reserve(made);
    copyBytes(output, 0, made, out.bytes, 0);
    out.length = made;
    return endOfWhole;
  }

  return { decompressBlocks, decompressWhole, takeWhole };
}
