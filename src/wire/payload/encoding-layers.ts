import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, type Place } from '../bytes/diagnostic.ts';
import { expects } from '../bytes/expects.ts';
import { bitOffsets, compress, decompress, type LastByte } from '../codec/huffman.ts';
import { readInts, writeInts } from '../codec/int32.ts';
import { packInts, unpackInts } from '../codec/varint.ts';
import { type Delta, isDelta } from '../snapshot/delta.ts';
import { isSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { Diagnostics } from './diagnostics.ts';

/** How the ints of a snapshot or delta are written. */
export type Encoding = 'huffman' | 'packed' | 'ints' | 'json';
/** The same but for text. */
export type BinaryEncoding = Exclude<Encoding, 'json'>;

/**
 * The limit for input and for decompressed output, in bytes. A snapshot has at most 64 KiB, and packed at most 80 KiB.
 */
export const maxPayloadBytes = 1 << 18;

/** The ints of an input, and the position of each in the bytes of every layer. */
export interface EncodingLayers {
  readonly encoding: Encoding;
  /** The input, at most its first 256 KiB. */
  readonly file: Uint8Array;
  /** The bytes that contain the ints: `file` itself, unless that is compressed or JSON. */
  readonly bytes: Uint8Array;
  /** For compressed input, the bit of `file` at which each of `bytes` begins, and at last the one of the end symbol. */
  readonly bits: Uint32Array | undefined;
  readonly ints: IntBuffer;
  readonly diagnostics: Diagnostics;
}

/** Decodes an input into ints, as far as possible; `diagnostics.error` says why it stopped. */
export function unwrap(file: Uint8Array, encoding: BinaryEncoding): EncodingLayers {
  const diagnostics = new Diagnostics();
  const read = file.subarray(0, maxPayloadBytes);
  if (file.length > read.length)
    diagnostics.stop(inBytes, new DecodeError('input_too_large', read.length, { limit: read.length }));
  if (encoding !== 'huffman') return readLayer(encoding, read, read, undefined, diagnostics);

  const out = new ByteBuffer();
  const inBits = (bit: number): Place => ({ offset: bit >>> 3, bit: bit & 7, unpacked: out.length });
  diagnostics.run(inBits, (warn) => decompress(read, 0, read.length, out, warn, maxPayloadBytes));
  const bytes = out.bytes.subarray(0, out.length);
  return readLayer(encoding, read, bytes, bitOffsets(bytes), diagnostics);
}

/** The layers of ints that were not read from bytes: the same as if they had been packed. */
export function layersOfInts(ints: Int32Array, encoding: Encoding = 'packed', file?: Uint8Array): EncodingLayers {
  const packed = new ByteBuffer();
  packInts(ints, 0, ints.length, packed);
  const bytes = packed.bytes.subarray(0, packed.length);
  return readLayer(encoding, file ?? bytes, bytes, undefined, new Diagnostics());
}

/** The position of an int of these layers; after the last one, the end of the bytes or the incomplete int. */
export function placeOfInt(layers: EncodingLayers, int: number): Place {
  const at = Math.min(int, layers.ints.length);
  return placeOfByte(layers, layers.ints.offsets![at]!);
}

/** The position of one of `bytes`. */
export function placeOfByte(layers: Pick<EncodingLayers, 'bits'>, byte: number): Place {
  if (!layers.bits) return inBytes(byte);
  const bit = layers.bits[byte]!;
  return { offset: bit >>> 3, bit: bit & 7, unpacked: byte };
}

const inBytes = (offset: number): Place => ({ offset });

function readLayer(
  encoding: Encoding,
  file: Uint8Array,
  bytes: Uint8Array,
  bits: Uint32Array | undefined,
  diagnostics: Diagnostics,
): EncodingLayers {
  const ints = new IntBuffer({ positions: true });
  const place = (byte: number) => placeOfByte({ bits }, byte);
  diagnostics.run(place, (warn) => {
    if (encoding === 'ints') readInts(bytes, 0, bytes.length, ints);
    else unpackInts(bytes, 0, bytes.length, ints, warn);
  });
  return { encoding, file, bytes, bits, ints, diagnostics };
}

/**
 * The bytes of a snapshot or delta.
 * @param lastByte how a compressed stream ends: `extra` as in the games and all recordings at hand, `none` as in newer
 *   DDNet
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
  if (!isSnapshot(body) && !isDelta(body)) expects('encode', 'a Snapshot or a Delta', body);
  const ints = isSnapshot(body) ? body.toInts() : body.ints;
  const length = isSnapshot(body) ? ints.length : body.length;
  const out = new ByteBuffer();
  if (!/^(huffman|packed|ints)$/.test(encoding)) expects('encode', "'huffman', 'packed' or 'ints'", encoding);
  if (!/^(extra|none)$/.test(lastByte)) expects('encode', "'extra' or 'none' as the last byte", lastByte);
  if (encoding === 'ints') writeInts(ints, 0, length, out);
  else packInts(ints, 0, length, out);
  if (encoding !== 'huffman') return out.bytes.slice(0, out.length);
  const compressed = new ByteBuffer();
  compress(out.bytes, 0, out.length, compressed, lastByte);
  return compressed.bytes.slice(0, compressed.length);
}
