import type { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { copyInts } from '../bytes/copy.ts';
import type { Warn } from '../bytes/diagnostic.ts';
import { decompress } from './huffman.ts';
import { decodeWhole } from './huffman-blocks.ts';
import { unpacked } from './unpacked.ts';
import { unpackInts } from './varint.ts';
import { unpackDecoded } from './varint-blocks.ts';

/**
 * Decompresses and unpacks `src[start, end)`: in one step if it needs no warning and `into` has no positions, otherwise in two
 * steps, which report the warnings.
 * @param between receives the decompressed bytes of the first of two steps, at most `limit`
 * @returns the bit after the end symbol, counted from the start of `src`
 * @throws DecodeError as `decompress` and `unpackInts` do
 */
export function unpackHuffman(
  src: Uint8Array,
  start: number,
  end: number,
  between: ByteBuffer,
  into: IntBuffer,
  warn: Warn,
  limit: number,
): number {
  const whole = into.offsets ? undefined : decodeWhole(src, start, end);
  const count = whole && whole.length <= limit ? unpackDecoded(whole.length) : -1;
  if (count >= 0) {
    into.reserve(count);
    copyInts(unpacked, 0, count, into.ints, 0);
    into.length = count;
    return 8 * start + whole!.endBit;
  }
  const endBit = decompress(src, start, end, between, warn, limit);
  unpackInts(between.bytes, 0, between.length, into, warn);
  return endBit;
}
