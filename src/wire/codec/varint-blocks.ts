import type { IntBuffer } from '../bytes/buffers.ts';
import { copyBytes } from '../bytes/copy.ts';
import { decoded } from './huffman-blocks.ts';
import { type UserOfUnpacked, unpacked, useUnpacked } from './unpacked.ts';

/** Bytes of input that are unpacked at once. */
const blockSize = 4096;
export const maxVarintBytes = 5;

/**
 * `unpackBlocks` unpacks varints from `src[start, end)` into `into`, while they need no warning and five bytes are
 * left. It returns the offset where it stopped.
 *
 * `unpackDecoded` unpacks the first `length` bytes of {@link decoded} into {@link unpacked}, for `user`. It returns the
 * number of ints, -1 if these are not whole ints that need no warning.
 *
 * `unpackWhole` does the same with `src[start, end)`; also -1 if that is long.
 */
export const { unpackBlocks, unpackDecoded, unpackWhole } = makeUnpacker(decoded, unpacked);

/** The arrays are closure constants: see "Hot loops" in src/wire/README.md. */
function makeUnpacker(input: Uint8Array, output: Int32Array) {
  const fours = new DataView(input.buffer);

  /** Where the last `unpack` stopped, and its number of ints. */
  const done = { at: 0, count: 0 };

  /**
   * Unpacks the ints that begin up to `last`, or before one that needs a warning. Most have one byte, so four are tried
   * at once.
   */
  function unpack(last: number): void {
    let at = 0;
    let count = 0;
    while (at <= last) {
      const four = fours.getInt32(at, true);
      if ((four & 0x80808080) === 0) {
        output[count] = (four & 0x3f) ^ ((four << 25) >> 31);
        output[count + 1] = ((four >>> 8) & 0x3f) ^ ((four << 17) >> 31);
        output[count + 2] = ((four >>> 16) & 0x3f) ^ ((four << 9) >> 31);
        output[count + 3] = ((four >>> 24) & 0x3f) ^ ((four << 1) >> 31);
        count += 4;
        at += 4;
        continue;
      }
      let byte = four & 0xff;
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
      if (isOverlong || isPadded) break;
      output[count++] = value ^ flip;
      at = next;
    }
    done.at = at;
    done.count = count;
  }

  function append(count: number, into: IntBuffer): void {
    into.ints.set(output.subarray(0, count), into.length);
    into.length += count;
  }

  function unpackBlocks(src: Uint8Array, start: number, end: number, into: IntBuffer): number {
    let pos = start;
    into.length = 0;
    useUnpacked(undefined);
    while (end - pos >= maxVarintBytes) {
      const size = Math.min(end - pos, blockSize);
      input.set(src.subarray(pos, pos + size));
      const last = size - maxVarintBytes;
      unpack(last);
      pos += done.at;
      append(done.count, into);
      if (done.at <= last) break;
    }
    return pos;
  }

  function unpackDecoded(length: number, user?: UserOfUnpacked): number {
    useUnpacked(user);
    // The beginning of a longer int, so that none of the four is beyond the end.
    input[length] = 0x80;
    unpack(length - 1);
    return done.at === length ? done.count : -1;
  }

  function unpackWhole(src: Uint8Array, start: number, end: number, user?: UserOfUnpacked): number {
    if (end - start > blockSize) return -1;
    copyBytes(src, start, end, input);
    return unpackDecoded(end - start, user);
  }

  return { unpackBlocks, unpackDecoded, unpackWhole };
}
