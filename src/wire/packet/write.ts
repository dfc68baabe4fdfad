import { AppendBuffer, ByteBuffer } from '../bytes/buffers.ts';
import { expects } from '../bytes/expects.ts';
import { compress } from '../codec/huffman.ts';
import { packInts } from '../codec/varint.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import { isInt, type MessageField, type MessageFieldType, type MessageType } from '../protocol/message-type.ts';
import type { Version } from '../protocol/registry.ts';
import { intsOfUuid } from '../protocol/texts.ts';
import type { MessageProtocol } from './message.ts';
import type { PacketVersion } from './packet.ts';

const utf8 = new TextEncoder();
const zeros = new RegExp(String.fromCharCode(0), 'g');
const packed = new ByteBuffer();

export function intBytes(int: number): Uint8Array {
  packInts(Int32Array.of(int), 0, 1, packed);
  return packed.bytes.slice(0, packed.length);
}

export const textBytes = (text: string): Uint8Array => utf8.encode(`${text.replace(zeros, '')}\0`);

/**
 * The bytes of a message, as `readMessage` reads them.
 * @param fields its values by name; optional ones at the end may be missing, yes and no may be `true` and `false`
 * @throws TypeError if no message has this name, or a value is missing, of another kind or of no field
 * @throws RangeError for an int that 32 bits don't hold, a text with a NUL, or a list or bytes of another length than
 *   expected
 */
export function messageBytes(
  protocol: MessageProtocol,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): Uint8Array {
  const [version, schema] = typeof protocol === 'string' ? [protocol] : [protocol.version, protocol.schema];
  const type = messagesOf(version, schema).all.find((type) => type.name === name);
  if (!type) throw new TypeError(`${version} has no message ${JSON.stringify(name)}`);
  return bytesOfType(type, fields);
}

/** The same of a message whose type is known. */
export function bytesOfType(type: MessageType, fields: Readonly<Record<string, unknown>>): Uint8Array {
  const into = new AppendBuffer(64);
  into.bytes(intBytes(((type.id ?? 0) << 1) | (type.system ? 1 : 0)));
  if (type.uuid !== undefined) for (const int of intsOfUuid(type.uuid)) into.i32be(int);
  new MessageWriter(into).fields(type.fields, fields, type.name);
  return into.flush();
}

/** Writes values, and refuses those that would be read as others. */
class MessageWriter {
  readonly #into: AppendBuffer;
  /** The last int, which may say how long what follows is. */
  #int = 0;

  constructor(into: AppendBuffer) {
    this.#into = into;
  }

  fields(fields: readonly MessageField[], values: Readonly<Record<string, unknown>>, path: string): void {
    if (typeof values !== 'object' || values === null) wrong(path, values, 'an object with its fields');
    const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
    if (unknown !== undefined) {
      const known = fields.map(({ name }) => name).join(', ');
      throw new TypeError(`${path} has no field ${JSON.stringify(unknown)}; it has ${known || 'none'}`);
    }
    const last = fields.findLastIndex(({ name }) => values[name] !== undefined);
    for (const [i, { name, type, optional }] of fields.entries()) {
      if (optional && i > last) return;
      this.#value(type, values[name], `${path}.${name}`);
    }
  }

  #value(type: MessageFieldType, value: unknown, path: string): void {
    const into = this.#into;
    if (isInt(type)) this.#intOf(type.kind === 'boolean' && typeof value === 'boolean' ? Number(value) : value, path);
    else if (type.kind === 'string') into.bytes(textBytes(textOf(value, path)));
    else if (type.kind === 'raw_uuid') {
      const uuid = textOf(value, path);
      if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) wrong(path, value, 'a UUID');
      for (const int of intsOfUuid(uuid)) into.i32be(int);
    } else if (type.kind === 'repeat') this.#repeat(type, value, path);
    else if (type.kind === 'record') this.fields(type.fields, value as Record<string, unknown>, path);
    else {
      if (!(value instanceof Uint8Array)) wrong(path, value, 'a Uint8Array');
      if (type.kind === 'sha256') checkLength(path, value.length, 32, 'bytes');
      if (type.kind === 'data') checkLength(path, value.length, this.#int, 'bytes');
      into.bytes(value);
    }
  }

  #intOf(value: unknown, path: string): void {
    if (typeof value !== 'number') wrong(path, value, 'an int');
    if (value !== (value | 0)) {
      throw new RangeError(`${path} is ${value}; it takes an int from -2147483648 to 2147483647`);
    }
    this.#int = value;
    this.#into.bytes(intBytes(value));
  }

  #repeat({ of, times }: MessageFieldType & { readonly kind: 'repeat' }, value: unknown, path: string): void {
    if (!Array.isArray(value)) wrong(path, value, 'a list');
    const before = this.#int;
    if (typeof times === 'number') checkLength(path, value.length, times, 'values');
    else if (times === 'counted') checkLength(path, value.length, before, 'values');
    else if (typeof times === 'object') checkLength(path, value.length, times[before] ?? 0, 'values');
    for (const [i, element] of value.entries()) this.#value(of, element, `${path}[${i}]`);
  }
}

function textOf(value: unknown, path: string): string {
  if (typeof value !== 'string') wrong(path, value, 'a text');
  if (value.includes('\0')) throw new RangeError(`${path} has a NUL, which ends a text`);
  return value;
}

function checkLength(path: string, found: number, expected: number, unit: string): void {
  if (found !== expected) throw new RangeError(`${path} has ${found} ${unit}; it takes ${expected}`);
}

function wrong(path: string, value: unknown, expected: string): never {
  throw new TypeError(`${path} is ${kindOf(value)}; it takes ${expected}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A message in a packet. A vital one has a sequence number, and is sent until it is acknowledged. */
export interface SentChunk {
  readonly message: Uint8Array;
  readonly vital?: boolean;
  readonly resend?: boolean;
  readonly sequence?: number;
}

/** A packet to be written: with chunks, or with the code of a control packet and the bytes after it. */
export interface SentPacketContent {
  readonly ack?: number;
  readonly resend?: boolean;
  readonly chunks?: readonly SentChunk[];
  readonly control?: Uint8Array;
  /** In 0.7 that of the receiver, always; in DDNet's 0.6 after the chunks, if there is one. */
  readonly token?: number | undefined;
}

/** `NET_MAX_PACKETSIZE` of the games. */
const maxPacketBytes = 1400;
/** The bytes of a message that a chunk can hold: its size has 10 bits in 0.6, and 12 in 0.7. */
export const maxMessageBytes: Readonly<Record<PacketVersion, number>> = { '0.6': 1023, '0.7': 4095 };

/** The version of packets. @throws TypeError if no packets have it */
export function packetVersion(of: PacketVersion | { readonly version: Version }): PacketVersion {
  const version = typeof of === 'object' && of ? of.version : of;
  if (version === '0.6' || version === '0.7') return version;
  throw new TypeError(
    `packets have the version 0.6 or 0.7, not ${typeof version === 'string' ? version : typeof version}`,
  );
}

/**
 * The bytes of a packet, as `readPacket` reads them; compressed if that is shorter, as the games do.
 * @throws RangeError if something does not fit: a message in a chunk, chunks in a packet of 1400 bytes, a number in its
 *   bits
 * @throws TypeError for a version without packets, or a value of another kind
 */
export function writePacket(
  protocol: PacketVersion | { readonly version: Version },
  content: SentPacketContent,
): Uint8Array {
  const version = packetVersion(protocol);
  if (typeof content !== 'object' || content === null)
    expects('writePacket', 'an object with chunks or control', content);
  const { ack = 0, resend = false, chunks = [], control, token } = content;
  const is07 = version === '0.7';
  checkRange('ack', ack, 1023);
  if (token !== undefined) checkRange('token', token, 0xffffffff);
  if (!Array.isArray(chunks)) wrong('chunks', chunks, 'a list');
  checkSize('a packet', chunks.length, 255, 'chunks');
  if (control !== undefined && !(control instanceof Uint8Array)) wrong('control', control, 'a Uint8Array');
  if (control && (chunks.length > 0 || control.length === 0)) {
    throw new TypeError('a control packet has the number of its kind, and no chunks');
  }

  const parts = new AppendBuffer(maxPacketBytes);
  if (control) parts.bytes(control);
  for (const [i, chunk] of chunks.entries()) {
    checkChunk(chunk, `chunks[${i}]`, version);
    appendChunk(parts, chunk, is07 ? 6 : 4);
  }
  if (!is07 && token !== undefined) parts.i32be(token);
  const payload = parts.view();
  // The games decompress at most this much.
  checkSize('a packet', payload.length + (is07 ? 7 : 3), maxPacketBytes, 'bytes');

  compress(payload, 0, payload.length, packed, 'none');
  const compressed = !control && packed.length < payload.length;
  // 0.6: 8 compressed, 4 resend, 1 control; 0.7: 4 compressed, 2 resend, 1 control
  const flags = is07
    ? (compressed ? 0x10 : 0) | (resend ? 0x08 : 0) | (control ? 0x04 : 0)
    : (compressed ? 0x80 : 0) | (resend ? 0x40 : 0) | (control ? 0x10 : 0);
  const bytes = new AppendBuffer(maxPacketBytes);
  for (const byte of [flags | (ack >> 8), ack & 0xff, chunks.length]) bytes.byte(byte);
  if (is07) bytes.i32be(token ?? noToken);
  if (compressed) bytes.bytes(packed.bytes, 0, packed.length);
  else bytes.bytes(payload);
  return bytes.flush();
}

function checkChunk({ message, sequence = 0 }: SentChunk, path: string, version: PacketVersion): void {
  if (!(message instanceof Uint8Array)) wrong(`${path}.message`, message, 'a Uint8Array');
  checkSize(`${path}.message`, message.length, maxMessageBytes[version], 'bytes');
  checkRange(`${path}.sequence`, sequence, 1023);
}

function checkSize(name: string, found: number, most: number, unit: string): void {
  if (found > most) throw new RangeError(`${name} has ${found} ${unit}; it takes at most ${most}`);
}

function checkRange(name: string, value: unknown, most: number): void {
  if (typeof value !== 'number') wrong(name, value, 'an int');
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new RangeError(`${name} is ${value}; it takes an int from 0 to ${most}`);
  }
}

/** The token of a sender who has none yet. */
export const noToken = 0xffffffff;

/** `FFss ssss  SSSS ssss  [SSSS SSSS]` in 0.6, `FFss ssss  SSss ssss  [SSSS SSSS]` in 0.7: see `readPacket`. */
function appendChunk(into: AppendBuffer, { message, vital, resend, sequence = 0 }: SentChunk, low: number): void {
  const size = message.length;
  into.byte((resend ? 0x80 : 0) | (vital ? 0x40 : 0) | (size >> low));
  into.byte((vital ? (sequence >> (low + 2)) << low : 0) | (size & ((1 << low) - 1)));
  if (vital) into.byte(sequence);
  into.bytes(message);
}
