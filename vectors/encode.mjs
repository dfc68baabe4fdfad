// Bytes from meanings: what the vectors are made with. No line of tw-snap, and no decoder, is asked.
import { Buffer } from 'node:buffer';
import { codes, eof } from './huffman-codes.mjs';

export const toHex = (bytes) => Buffer.from(bytes).toString('hex');
export const fromHex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));

/**
 * An int in the fewest bytes.
 * ```
 * ESDD DDDD   EDDD DDDD …      E more follows · S sign: all bits are inverted · D data, low bits first
 * ```
 */
export function packInt(int) {
  const sign = int < 0 ? 0x40 : 0;
  let rest = int < 0 ? ~int : int;
  const bytes = [sign | (rest & 0x3f)];
  for (rest >>>= 6; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1] |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return bytes;
}

export const packInts = (ints) => ints.flatMap((int) => packInt(int | 0));
export const intsHex = (ints) => toHex(packInts(ints));

/** A text and its NUL. */
export const nulText = (text) => [...Buffer.from(text), 0];

/** Bits in the order of the stream, as bytes: the first bit is the lowest. */
export function bytesOfBits(bits) {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (let i = 0; i < bits.length; i++) if (bits[i] === '1') bytes[i >> 3] |= 1 << (i & 7);
  return bytes;
}

export const bitsOf = (bytes) => [...bytes].map((byte) => codes[byte]).join('');

/**
 * @param options.end `false` leaves the code of the end away
 * @param options.tail bits after it, in place of zeros
 */
export const compress = (bytes, { end = true, tail = '' } = {}) =>
  bytesOfBits(bitsOf(bytes) + (end ? codes[eof] : '') + tail);

/** The ints of an item, without those of a type whose size both sides know: 0 for a type whose size is sent. */
export const sizes = {
  0.5: [0, 10, 6, 5, 4, 4, 12, 15, 22, 6, 15, 2, 2, 2, 2, 3, 3, 3, 3],
  0.6: [0, 10, 6, 5, 4, 3, 8, 4, 15, 22, 5, 17, 3, 2, 2, 2, 2, 3, 3, 3, 3],
  0.7: [0, 10, 6, 5, 3, 3, 3, 2, 4, 15, 22, 3, 4, 58, 5, 32, 2, 2, 2, 2, 3, 3, 7],
};

export const keyOf = (type, id) => (type << 16) | id;

/**
 * ```
 * num_removed num_updates _zero   removed_key…   { type id [size] data… }…
 * ```
 * @param options.counts in place of the numbers of removed items and updates
 */
export function deltaInts(protocol, removed, updates, { zero = 0, counts = [] } = {}) {
  const each = updates.flatMap(([type, id, data]) => {
    const isAgreed = type >= 0 && sizes[protocol][type] > 0;
    return [type, id, ...(isAgreed ? [] : [data.length]), ...data];
  });
  return [counts[0] ?? removed.length, counts[1] ?? updates.length, zero, ...removed, ...each];
}

/**
 * ```
 * data_size num_items   offset…   { key data… }…      data_size and offsets in bytes, from the first key on
 * ```
 */
export function snapshotInts(items) {
  const offsets = [];
  const body = [];
  for (const [type, id, data] of items) {
    offsets.push(4 * body.length);
    body.push(keyOf(type, id), ...data);
  }
  return [4 * body.length, items.length, ...offsets, ...body];
}

/** The checksum: the sum of all ints of the items, in 32 bits with a sign. */
export const checksum = (items) => items.flatMap(([, , data]) => data).reduce((sum, int) => (sum + int) | 0, 0);

/** Header flags by version. */
export const flags = {
  0.6: { control: 4, connless: 8, resend: 16, compressed: 32 },
  0.7: { control: 1, resend: 2, compressed: 4, connless: 8 },
};

/**
 * ```
 * FFFF FFAA  AAAA AAAA  NNNN NNNN  [token[4]]      F flags · A ack · N number of chunks
 * ```
 */
export const packetHead = (flagBits, ack, chunks, token = '') =>
  toHex([(flagBits << 2) | (ack >> 8), ack & 0xff, chunks]) + token;

/**
 * ```
 * 0.6   RVss ssss  SSSS ssss  [SSSS SSSS]      R resend · V vital: only then the third byte
 * 0.7   RVss ssss  SSss ssss  [SSSS SSSS]      s size · S sequence: bits 9 to 6 or 9 and 8, then 7 to 0
 * ```
 * In 0.6 bits 7 and 6 of the sequence are sent twice.
 */
export function chunkHead(protocol, { vital = false, resend = false, size, sequence = 0 }) {
  const lowBits = protocol === '0.7' ? 6 : 4;
  const first = (resend ? 0x80 : 0) | (vital ? 0x40 : 0) | ((size >> lowBits) & 0x3f);
  const second = size & ((1 << lowBits) - 1);
  if (!vital) return toHex([first, second]);
  const high = (sequence >> 2) & (protocol === '0.7' ? 0xc0 : 0xf0);
  return toHex([first, second | high, sequence & 0xff]);
}

/** A message: its number, or 0 and a UUID, then its values. */
export const messageHead = ({ id = 0, system, uuid = '' }) =>
  toHex(packInt((id << 1) | (system ? 1 : 0))) + uuid.replaceAll('-', '');

/** A text in ints: four bytes each, the highest first, each plus 128; the last byte is 0. */
export function textInts(text, count) {
  const bytes = Buffer.alloc(4 * count);
  Buffer.from(text).copy(bytes);
  const ints = Array.from({ length: count }, (_, i) => bytes.readInt32BE(4 * i) ^ 0x80808080);
  ints[count - 1] &= ~0xff;
  return ints;
}

export const uuidInts = (uuid) => {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  return [0, 4, 8, 12].map((at) => bytes.readInt32BE(at));
};
