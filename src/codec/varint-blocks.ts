import type { IntBuffer } from '../bytes/buffers.ts';
import { copyInts } from '../bytes/copy.ts';
import { decoded } from './huffman-blocks.ts';

/** Bytes of input that are unpacked at once. */
const blockSize = 4096;
/** The most bytes of an int. */
export const maxVarintBytes = 5;

/**
 * `unpackBlocks` unpacks varints from `src[start, end)` into `into`, while they need no warning and five bytes are left. It returns
 * the offset where it stopped.
 *
 * `unpackDecoded` unpacks the first `length` bytes of {@link decoded}. It returns whether these are whole ints that need no warning;
 * otherwise `into` is unchanged.
 */
export const { unpackBlocks, unpackDecoded } = makeUnpacker(decoded);

/** The arrays are closure constants: see "Hot loops" in docs/ARCHITECTURE.md. */
function makeUnpacker(input: Uint8Array) {
  const output = new Int32Array(input.length);

  /** Unpacks the ints that begin up to `last`. */
  function unpack(last: number) {
    let at = 0;
    let count = 0;
    while (at <= last) {
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
      const isOverlong = byte === 0;
      const isPadded = next - at === maxVarintBytes && byte >= 0x10;
      if (isOverlong || isPadded) return { at, count, needsWarning: true };
      output[count++] = value ^ flip;
      at = next;
    }
    return { at, count, needsWarning: false };
  }

  function append(count: number, into: IntBuffer): void {
    copyInts(output, 0, count, into.ints, into.length);
    into.length += count;
  }

  function unpackBlocks(src: Uint8Array, start: number, end: number, into: IntBuffer): number {
    let pos = start;
    into.length = 0;
    while (end - pos >= maxVarintBytes) {
      const size = Math.min(end - pos, blockSize);
      input.set(src.subarray(pos, pos + size));
      const { at, count, needsWarning } = unpack(size - maxVarintBytes);
      pos += at;
      append(count, into);
      if (needsWarning) break;
    }
    return pos;
  }

  function unpackDecoded(length: number, into: IntBuffer): boolean {
    const { at, count, needsWarning } = unpack(length - 1);
    if (at !== length || needsWarning) return false;
    into.reserve(count);
    into.length = 0;
    append(count, into);
    return true;
  }

  return { unpackBlocks, unpackDecoded };
}
