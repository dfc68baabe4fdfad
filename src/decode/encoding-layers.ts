import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, type Place } from '../bytes/diagnostic.ts';
import { bitOffsets, decompress } from '../codec/huffman.ts';
import { readInts } from '../codec/int32.ts';
import { packInts, unpackInts } from '../codec/varint.ts';
import { Diagnostics } from './diagnostics.ts';

export type Encoding = 'huffman' | 'packed' | 'ints' | 'json';
export type BinaryEncoding = Exclude<Encoding, 'json'>;

/** Bytes of input, and of decompressed output, at most: a snapshot of the games has 64 KiB, packed up to 80, so nothing real comes near. */
export const maxPayloadBytes = 1 << 18;

/** The ints of an input, and the way to them: where each came from. */
export interface EncodingLayers {
  readonly encoding: Encoding;
  /** The input as it was given, at most its first {@link maxPayloadBytes}. */
  readonly file: Uint8Array;
  /** The bytes that hold the ints: `file` itself, unless that is compressed or JSON. */
  readonly bytes: Uint8Array;
  /** Of compressed input: the bit of `file` where each of `bytes` begins, and last where the end symbol does. */
  readonly bits: Uint32Array | undefined;
  readonly ints: IntBuffer;
  readonly diagnostics: Diagnostics;
}

/** Takes an input apart into ints, as far as it goes: what stopped it is `diagnostics.error`. */
export function unwrap(file: Uint8Array, encoding: BinaryEncoding): EncodingLayers {
  const diagnostics = new Diagnostics();
  const read = file.subarray(0, maxPayloadBytes);
  if (file.length > read.length) {
    diagnostics.run(inBytes, () => {
      throw new DecodeError('input_too_large', read.length, { limit: read.length });
    });
  }
  if (encoding !== 'huffman') return readLayer(encoding, read, read, undefined, diagnostics);

  const out = new ByteBuffer();
  const inBits = (bit: number): Place => ({ offset: bit >>> 3, bit: bit & 7, unpacked: out.length });
  diagnostics.run(inBits, (warn) => decompress(read, 0, read.length, out, warn, maxPayloadBytes));
  const bytes = out.bytes.subarray(0, out.length);
  return readLayer(encoding, read, bytes, bitOffsets(bytes), diagnostics);
}

/** The layers of ints that came from no bytes: as if they had been packed. */
export function layersOfInts(ints: Int32Array, encoding: Encoding = 'packed', file?: Uint8Array): EncodingLayers {
  const packed = new ByteBuffer();
  packInts(ints, 0, ints.length, packed);
  const bytes = packed.bytes.subarray(0, packed.length);
  return readLayer(encoding, file ?? bytes, bytes, undefined, new Diagnostics());
}

/** The place of an int of these layers; behind the last one, that of the bytes' end or of a cut int. */
export function placeOfInt(layers: EncodingLayers, int: number): Place {
  const at = Math.min(int, layers.ints.length);
  return placeOfByte(layers, layers.ints.offsets![at]!);
}

/** The place of one of `bytes`. */
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
