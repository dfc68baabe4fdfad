import { ByteBuffer } from '../../src/wire/bytes/buffers.ts';
import { compress } from '../../src/wire/codec/huffman.ts';
import { packInts } from '../../src/wire/codec/varint.ts';
import type { MessageType } from '../../src/wire/protocol/message-type.ts';
import type { Bytes } from './bytes.ts';

// Parts of packets, byte by byte; the readers share none of this code.

interface ChunkOptions {
  readonly vital?: boolean;
  readonly resend?: boolean;
  readonly sequence?: number;
  /** Replaces the correct value. */
  readonly size?: number;
}

/** `FFss ssss  SSSS ssss  [SSSS SSSS]` */
export const chunk06 = (message: Bytes, options: ChunkOptions = {}): Bytes => chunk(message, options, 4);
/** `FFss ssss  SSss ssss  [SSSS SSSS]` */
export const chunk07 = (message: Bytes, options: ChunkOptions = {}): Bytes => chunk(message, options, 6);

function chunk(
  message: Bytes,
  { vital, resend, sequence = 0, size = message.length }: ChunkOptions,
  low: number,
): Bytes {
  const first = (resend ? 0x80 : 0) | (vital ? 0x40 : 0) | (size >> low);
  const upper = vital ? (sequence >> 2) & (0xff << low) & 0xff : 0;
  const second = upper | (size & ((1 << low) - 1));
  return [first, second, ...(vital ? [sequence & 0xff] : []), ...message];
}

interface PacketOptions {
  readonly compressed?: boolean;
  readonly resend?: boolean;
  readonly ack?: number;
  /** Replaces the correct number. */
  readonly count?: number;
  /** The token is in the header in 0.7, and after the chunks in 0.6. */
  readonly token?: Bytes;
  /** Bytes after the chunks. */
  readonly excess?: Bytes;
}

export function packet06(chunks: readonly Bytes[], options: PacketOptions = {}): Uint8Array {
  const { ack = 0, count = chunks.length, token = [], excess = [] } = options;
  const flags = (options.compressed ? 0x80 : 0) | (options.resend ? 0x40 : 0);
  const payload = [...chunks.flat(), ...excess, ...token];
  return Uint8Array.from([flags | (ack >> 8), ack & 0xff, count, ...packed(payload, options)]);
}

export function packet07(chunks: readonly Bytes[], options: PacketOptions = {}): Uint8Array {
  const { ack = 0, count = chunks.length, token = someToken, excess = [] } = options;
  const flags = (options.compressed ? 0x10 : 0) | (options.resend ? 0x08 : 0);
  const payload = [...chunks.flat(), ...excess];
  return Uint8Array.from([flags | (ack >> 8), ack & 0xff, count, ...token, ...packed(payload, options)]);
}

export const someToken: Bytes = [0x12, 0x34, 0x56, 0x78];

export const control06 = (...content: number[]): Uint8Array => Uint8Array.from([0x10, 0, 0, ...content]);
export const control07 = (...content: number[]): Uint8Array => Uint8Array.from([0x04, 0, 0, ...someToken, ...content]);

/** Ints as varints. */
export function ints(...values: number[]): Bytes {
  const into = new ByteBuffer();
  packInts(Int32Array.from(values), 0, values.length, into);
  return [...into.bytes.subarray(0, into.length)];
}

/** The head of a message: its number with the system bit, and the UUID of an extended message. */
export const messageHead = ({ id = 0, system, uuid }: MessageType): Bytes => [
  ...ints((id << 1) | Number(system)),
  ...(uuid?.replaceAll('-', '').match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16)),
];

/** `snap_single`; 7 in 0.6, 8 in 0.7. */
export const snapSingle = (id: number, tick: number, delta: number, crc: number, data: Bytes): Bytes => [
  ...ints((id << 1) | 1, tick, delta, crc, data.length),
  ...data,
];

/** `snap`, a part of several; 5 in 0.6, 6 in 0.7. */
export const snapPart = (id: number, tick: number, parts: number, part: number, data: Bytes): Bytes => [
  ...ints((id << 1) | 1, tick, tick + 1, parts, part, 12345, data.length),
  ...data,
];

function packed(payload: Bytes, { compressed }: PacketOptions): Bytes {
  if (!compressed) return payload;
  const into = new ByteBuffer();
  compress(Uint8Array.from(payload), 0, payload.length, into, 'extra');
  return [...into.bytes.subarray(0, into.length)];
}

/** Formats bytes as `tcpdump -x` does. */
export function tcpdump(bytes: Bytes): string {
  const rows = ['12:00:00.000000 IP 127.0.0.1.8303 > 127.0.0.2.50000: UDP, length 20'];
  for (let at = 0; at < bytes.length; at += 16) {
    const digits = bytes.slice(at, at + 16).map((byte) => byte.toString(16).padStart(2, '0'));
    const groups = Array.from({ length: Math.ceil(digits.length / 2) }, (_, i) =>
      digits.slice(2 * i, 2 * i + 2).join(''),
    );
    rows.push(`\t0x${at.toString(16).padStart(4, '0')}:  ${groups.join(' ')}`);
  }
  return `${rows.join('\n')}\n`;
}

/**
 * A packed delta of 0.7 with this many updates of `obj_game_data`, five bytes each after five of its head: over 8192 of
 * them.
 */
export function payloadOfUpdates(updates: number): Uint8Array {
  const head: Bytes = [...ints(0, updates, 0)];
  const bytes = new Uint8Array(head.length + 5 * updates);
  bytes.set(head);
  for (let at = head.length; at < bytes.length; at += 5) bytes.set([6, 0, 1, 2, 3], at);
  return bytes;
}
