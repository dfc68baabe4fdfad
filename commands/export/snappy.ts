/**
 * Snappy's block format, written into a given array. hyparquet-writer has it too, but loads each byte by a call that V8
 * has to compile again where it first reads beyond the end, and makes arrays for each page.
 * ```
 * varint      number of bytes before compression
 * element     bits 0 and 1 of its first byte say which kind:
 *   00        literal: bits 2 to 7 are its length - 1; from 60 on, 1 to 4 bytes with it follow; then its bytes
 *   01        copy of 4 to 11 bytes (bits 2 to 4), from up to 2047 bytes before (bits 5 to 7, and a byte)
 *   10        copy of 1 to 64 bytes (bits 2 to 7, minus 1), from up to 65535 bytes before (two bytes)
 * ```
 * Source: `format_description.txt` of Snappy.
 */
import { writeVarint } from './varint.ts';

const tableBits = 14;
/** The last place of each hash of four bytes, counted through all pages, so that it need not be emptied for each. */
const table = new Int32Array(1 << tableBits);
let earlier = 1;

const most = 1 << 30;

/** The most bytes that `length` bytes can take. */
export const snappyRoom = (length: number): number => 32 + length + Math.ceil(length / 6);

/** Compresses the first `length` bytes to `into[at, …)`, which has {@link snappyRoom}. @returns the end */
export function compressSnappy(bytes: Uint8Array, length: number, into: Uint8Array, at: number): number {
  if (earlier > most - length) {
    table.fill(0);
    earlier = 1;
  }
  const base = earlier;
  earlier += length;
  let end = writeVarint(into, at, length);
  let literal = 0;
  let place = 0;
  const last = length - 4;
  while (place <= last) {
    const four = bytes[place]! | (bytes[place + 1]! << 8) | (bytes[place + 2]! << 16) | (bytes[place + 3]! << 24);
    const slot = Math.imul(four, 0x1e35a7bd) >>> (32 - tableBits);
    const from = table[slot]! - base;
    table[slot] = base + place;
    const isSame =
      from >= 0 &&
      place - from <= 0xffff &&
      (bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24)) === four;
    if (!isSame) {
      // What has had no copy for long will hardly have one.
      place += 1 + ((place - literal) >> 6);
      continue;
    }
    end = writeLiteral(bytes, literal, place, into, end);
    const offset = place - from;
    literal = place + 4;
    while (literal < length && bytes[literal] === bytes[literal - offset]) literal++;
    end = writeCopy(offset, literal - place, into, end);
    place = literal;
  }
  return writeLiteral(bytes, literal, length, into, end);
}

function writeLiteral(bytes: Uint8Array, from: number, to: number, into: Uint8Array, at: number): number {
  let end = at;
  const rest = to - from - 1;
  if (rest < 0) return end;
  if (rest < 60) into[end++] = rest << 2;
  else {
    const size = rest < 1 << 8 ? 1 : rest < 1 << 16 ? 2 : rest < 1 << 24 ? 3 : 4;
    into[end++] = (59 + size) << 2;
    for (let i = 0; i < size; i++) into[end++] = rest >>> (8 * i);
  }
  for (let i = from; i < to; i++) into[end++] = bytes[i]!;
  return end;
}

function writeCopy(offset: number, length: number, into: Uint8Array, at: number): number {
  let end = at;
  let rest = length;
  while (rest > 0) {
    if (rest >= 4 && rest < 12 && offset < 1 << 11) {
      into[end] = 1 | ((rest - 4) << 2) | ((offset >> 8) << 5);
      into[end + 1] = offset;
      return end + 2;
    }
    const some = Math.min(rest, 64);
    into[end] = 2 | ((some - 1) << 2);
    into[end + 1] = offset;
    into[end + 2] = offset >> 8;
    end += 3;
    rest -= some;
  }
  return end;
}
