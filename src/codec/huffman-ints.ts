import type { IntBuffer } from '../bytes/buffers.ts';
import { decompressWhole } from './huffman-blocks.ts';
import { unpackThere } from './varint-blocks.ts';

/**
 * Decompresses and unpacks `src[start, end)` in one go, where nothing is odd about it.
 * @returns false for anything else: what it is `decompress` and `unpackInts` tell
 */
export function unpackHuffman(src: Uint8Array, start: number, end: number, into: IntBuffer): boolean {
  const length = decompressWhole(src, start, end);
  return length >= 0 && unpackThere(length, into);
}
