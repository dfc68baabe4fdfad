import { ByteBuffer, type IntBuffer } from '../bytes/buffers.ts';
import { DecodeError } from '../bytes/diagnostic.ts';

/**
 * Reads 32-bit little-endian ints. @throws DecodeError `ints_not_aligned` if bytes are left over; the ints before them
 * are in `into`.
 */
export function readInts(src: Uint8Array, start: number, end: number, into: IntBuffer): void {
  const count = (end - start) >>> 2;
  into.reserve(count);
  const { ints, offsets } = into;
  for (let i = 0, pos = start; i < count; i++, pos += 4) {
    ints[i] = src[pos]! | (src[pos + 1]! << 8) | (src[pos + 2]! << 16) | (src[pos + 3]! << 24);
    if (offsets) offsets[i] = pos;
  }
  const read = start + 4 * count;
  if (offsets) offsets[count] = read;
  into.length = count;
  if (read < end) throw new DecodeError('ints_not_aligned', read, { bytes: end - read });
}

/** Writes `ints[start, end)` as 32-bit little-endian into `into`. */
export function writeInts(ints: Int32Array, start: number, end: number, into: ByteBuffer): void {
  into.reserve((end - start) * 4);
  const view = new DataView(into.bytes.buffer);
  for (let i = start; i < end; i++) view.setInt32((i - start) * 4, ints[i]!, true);
  into.length = (end - start) * 4;
}

/**
 * The ints of a buffer as 32-bit little-endian bytes: on almost all machines a view of the buffer, valid until that is
 * filled again.
 */
export function bytesOfInts({ ints, length }: IntBuffer): Uint8Array {
  if (isLittleEndian) return new Uint8Array(ints.buffer, ints.byteOffset, 4 * length);
  const bytes = new ByteBuffer();
  writeInts(ints, 0, length, bytes);
  return bytes.bytes.subarray(0, bytes.length);
}

/** Whether the first byte of an int in memory is its lowest. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
