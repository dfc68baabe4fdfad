/**
 * Snappy's block format, written into one array. hyparquet-writer has it too, and takes this one in its place. With its
 * own, which appends each byte by a call to a buffer that grows, the three exports of docs/speed.md take 1.59, 1.41 and
 * 1.13 times as long as with all encodings of our own, with this one 1.51, 1.38 and 1.11; 1.5 is the limit.
 * `scripts/bench/hyparquet-writer.patch` has what the library lacks so that this file can go.
 * ```
 * varint      number of bytes before compression
 * element     bits 0 and 1 of its first byte say which kind:
 *   00        literal: bits 2 to 7 are its length - 1; from 60 on, 1 to 4 bytes with it follow; then its bytes
 *   01        copy of 4 to 11 bytes (bits 2 to 4), from up to 2047 bytes before (bits 5 to 7, and a byte)
 *   10        copy of 1 to 64 bytes (bits 2 to 7, minus 1), from up to 65535 bytes before (two bytes)
 * ```
 * Source: `format_description.txt` of Snappy.
 */

const tableBits = 14;
/** The last place of each hash of four bytes, counted through all pages, so that it need not be emptied for each. */
const table = new Int32Array(1 << tableBits);
let earlier = 1;

const most = 1 << 30;

/** The most bytes that `length` bytes can take. */
const roomFor = (length: number): number => 32 + length + Math.ceil(length / 6);

let room = new Uint8Array(1 << 16);

/** Compresses bytes. The result is valid until the next call. */
export function snappy(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (room.length < roomFor(length)) room = new Uint8Array(2 * roomFor(length));
  return room.subarray(0, compress(bytes, room));
}

/** @returns the end of what it wrote */
function compress(bytes: Uint8Array, into: Uint8Array): number {
  const { length } = bytes;
  if (earlier > most - length) {
    table.fill(0);
    earlier = 1;
  }
  const base = earlier;
  earlier += length;
  let end = writeVarint(into, length);
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

/** Seven bits a byte, lowest first. */
function writeVarint(into: Uint8Array, value: number): number {
  let end = 0;
  let rest = value;
  while (rest > 0x7f) {
    into[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[end++] = rest;
  return end;
}
