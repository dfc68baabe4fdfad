import { type ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { maxVarintBytes, unpackBlocks } from './varint-blocks.ts';

/**
 * Unpacks varints ("packed ints") from `src[start, end)` into `into`, all of them.
 *
 * ```
 * ESDD DDDD   EDDD DDDD   EDDD DDDD   EDDD DDDD   PPPP DDDD
 * E more follows · S sign, flips all bits · D data, low bits first · P padding, masked off: a sixth byte is never read
 * ```
 *
 * Source: `CVariableInt` in `src/engine/shared/compression.cpp` of the games.
 *
 * @throws DecodeError `truncated_varint` if the bytes end inside an int; the whole ints before it are in `into`.
 */
export function unpackInts(src: Uint8Array, start: number, end: number, into: IntBuffer, warn: Warn): void {
  into.reserve(end - start);
  const { ints, offsets } = into;
  let count = 0;
  let pos = start;
  if (!offsets) {
    pos = unpackBlocks(src, start, end, into);
    count = into.length;
  }
  while (pos < end) {
    const first = pos;
    let byte = src[pos++]!;
    const flip = -((byte >>> 6) & 1);
    let value = byte & 0x3f;
    if (byte & 0x80) {
      byte = pos < end ? src[pos++]! : truncated(into, count, first, end);
      value |= (byte & 0x7f) << 6;
      if (byte & 0x80) {
        byte = pos < end ? src[pos++]! : truncated(into, count, first, end);
        value |= (byte & 0x7f) << 13;
        if (byte & 0x80) {
          byte = pos < end ? src[pos++]! : truncated(into, count, first, end);
          value |= (byte & 0x7f) << 20;
          if (byte & 0x80) {
            byte = pos < end ? src[pos++]! : truncated(into, count, first, end);
            value |= (byte & 0x0f) << 27;
            if (byte & 0xf0) warn('varint_padding', first, { byte });
          }
        }
      }
      if (byte === 0) warn('overlong_varint', first, { bytes: pos - first, value: value ^ flip });
    }
    if (offsets) offsets[count] = first;
    ints[count++] = value ^ flip;
  }
  if (offsets) offsets[count] = end;
  into.length = count;
}

function truncated(into: IntBuffer, count: number, first: number, end: number): never {
  if (into.offsets) into.offsets[count] = first;
  into.length = count;
  throw new DecodeError('truncated_varint', first, { bytes: end - first });
}

/** The one int that `src[start, end)` consists of; most are a byte. */
export function unpackInt(src: Uint8Array, start: number, end: number, warn: Warn): number {
  const byte = src[start]!;
  if (byte < 0x80) return byte & 0x40 ? ~(byte & 0x3f) : byte;
  // In up to four bytes there is nothing to warn of but a last one of zero.
  if (end - start < maxVarintBytes && src[end - 1] !== 0) {
    let value = byte & 0x3f;
    for (let at = start + 1, shift = 6; at < end; at++, shift += 7) value |= (src[at]! & 0x7f) << shift;
    return byte & 0x40 ? ~value : value;
  }
  unpackInts(src, start, end, single, warn);
  return single.ints[0]!;
}

// With positions, ints are read one by one instead of in blocks.
const single = new IntBuffer({ positions: true });

/** The offset after the int at `pos`, for readers of single ints; -1 if the bytes end first. */
export function endOfInt(src: Uint8Array, pos: number, end: number): number {
  for (let at = pos; at < end; at++) {
    if (src[at]! < 0x80 || at - pos === maxVarintBytes - 1) return at + 1;
  }
  return -1;
}

/** Packs `ints[start, end)` into `into`, each int in the fewest bytes possible. */
export function packInts(ints: Int32Array, start: number, end: number, into: ByteBuffer): void {
  into.reserve((end - start) * maxVarintBytes);
  const { bytes } = into;
  let pos = 0;
  for (let i = start; i < end; i++) {
    const int = ints[i]!;
    const flip = int >> 31;
    let rest = int ^ flip;
    let byte = (flip & 0x40) | (rest & 0x3f);
    rest >>>= 6;
    while (rest) {
      bytes[pos++] = byte | 0x80;
      byte = rest & 0x7f;
      rest >>>= 7;
    }
    bytes[pos++] = byte;
  }
  into.length = pos;
}
