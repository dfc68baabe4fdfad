import type { IntBuffer } from '../bytes/buffers.ts';
import { copyInts } from '../bytes/copy.ts';
import { unpacked } from './huffman-blocks.ts';

/** Bytes of input. */
const block = 4096;
/** Bytes an int takes at most. */
export const maxVarintBytes = 5;

/**
 * Unpacks varints from `src[start, end)` into `into`, as long as nothing is odd about them and five bytes are left.
 * @returns where it stopped
 *
 * `unpackThere` takes the first `length` bytes of {@link unpacked}.
 * @returns whether that was all, and nothing odd
 */
export const { unpackBlocks, unpackThere } = makeUnpack();

/**
 * Engines know the place of an array that is a constant of the function and only indexed there, and look it up anew at each step
 * otherwise: so bytes are brought here block by block, and ints taken away, by a function apart.
 */
function makeUnpack() {
  const input = unpacked;
  const output = new Int32Array(unpacked.length);

  let made = 0;
  let isUsual = true;

  /** Unpacks the ints that begin up to `stop`; returns where it stopped. */
  function unpack(stop: number): number {
    let at = 0;
    let count = 0;
    while (at <= stop) {
      let byte = input[at]!;
      if (byte < 0x80) {
        output[count++] = (byte & 0x3f) ^ ((byte << 25) >> 31);
        at++;
        continue;
      }
      const flip = (byte << 25) >> 31;
      let value = byte & 0x3f;
      let next = at + 2;
      byte = input[at + 1]!;
      value |= (byte & 0x7f) << 6;
      if (byte & 0x80) {
        byte = input[next++]!;
        value |= (byte & 0x7f) << 13;
        if (byte & 0x80) {
          byte = input[next++]!;
          value |= (byte & 0x7f) << 20;
          if (byte & 0x80) {
            byte = input[next++]!;
            value |= byte << 27;
          }
        }
      }
      // Overlong, or padded.
      isUsual = byte !== 0 && (next - at < maxVarintBytes || byte < 0x10);
      if (!isUsual) break;
      output[count++] = value ^ flip;
      at = next;
    }
    made = count;
    return at;
  }

  function take(into: IntBuffer, at: number): void {
    copyInts(output, 0, made, into.ints, at);
    into.length = at + made;
  }

  function unpackBlocks(src: Uint8Array, start: number, end: number, into: IntBuffer): number {
    let pos = start;
    isUsual = true;
    into.length = 0;
    while (isUsual && end - pos >= maxVarintBytes) {
      const held = Math.min(end - pos, block);
      input.set(src.subarray(pos, pos + held));
      pos += unpack(held - maxVarintBytes);
      take(into, into.length);
    }
    return pos;
  }

  function unpackThere(length: number, into: IntBuffer): boolean {
    isUsual = true;
    if (unpack(length - 1) !== length || !isUsual) return false;
    into.reserve(made);
    take(into, 0);
    return true;
  }

  return { unpackBlocks, unpackThere };
}
