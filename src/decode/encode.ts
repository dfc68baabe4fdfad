import { ByteBuffer } from '../bytes/buffers.ts';
import { compress, type LastByte } from '../codec/huffman.ts';
import { writeInts } from '../codec/int32.ts';
import { packInts } from '../codec/varint.ts';
import type { Delta } from '../snapshot/delta.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { BinaryEncoding } from './encoding-layers.ts';

/**
 * The bytes of a snapshot or delta.
 * @param lastByte how a compressed stream ends: `extra` as in the games and all recordings at hand, `none` as in newer DDNet
 * @example
 * ```ts
 * import { encode, Snapshot } from 'tw-snap';
 *
 * console.log(encode(new Snapshot(), 'packed')); // the bytes 0 0: no data, no items
 * ```
 */
export function encode(
  body: Snapshot | Delta,
  encoding: BinaryEncoding = 'huffman',
  lastByte: LastByte = 'extra',
): Uint8Array<ArrayBuffer> {
  const ints = body instanceof Snapshot ? body.toInts() : body.ints;
  const length = body instanceof Snapshot ? ints.length : body.length;
  const out = new ByteBuffer();
  if (encoding === 'ints') writeInts(ints, 0, length, out);
  else packInts(ints, 0, length, out);
  if (encoding !== 'huffman') return out.bytes.slice(0, out.length);
  const compressed = new ByteBuffer();
  compress(out.bytes, 0, out.length, compressed, lastByte);
  return compressed.bytes.slice(0, compressed.length);
}
