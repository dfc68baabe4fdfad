import { AppendBuffer, ByteBuffer } from '../bytes/buffers.ts';
import { compress } from '../codec/huffman.ts';
import { packInts } from '../codec/varint.ts';
import { isInt, type MessageField, type MessageFieldType } from '../protocol/message.ts';
import { messagesOf } from '../protocol/registry.ts';
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
 * @param fields its values by name; optional ones at the end may be missing
 * @throws TypeError if no message has this name, or a value is missing or of another kind
 */
export function messageBytes(
  protocol: MessageProtocol,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): Uint8Array {
  const [version, schema] = typeof protocol === 'string' ? [protocol] : [protocol.version, protocol.schema];
  const type = messagesOf(version, schema).all.find((one) => one.name === name);
  if (!type) throw new TypeError(`${version} has no message ${JSON.stringify(name)}`);
  const into = new AppendBuffer(64);
  into.bytes(intBytes(((type.id ?? 0) << 1) | (type.system ? 1 : 0)));
  if (type.uuid !== undefined) for (const int of intsOfUuid(type.uuid)) into.i32be(int);
  appendFields(into, type.fields, fields, `${name}.`);
  return into.flush();
}

function appendFields(
  into: AppendBuffer,
  fields: readonly MessageField[],
  values: Readonly<Record<string, unknown>>,
  path: string,
): void {
  for (const { name, type, optional } of fields) {
    if (optional && values[name] === undefined) return;
    append(into, type, values[name], path + name);
  }
}

function append(into: AppendBuffer, type: MessageFieldType, value: unknown, path: string): void {
  const { kind } = type;
  if (kind === 'string' && typeof value === 'string') into.bytes(textBytes(value));
  else if (kind === 'raw_uuid' && typeof value === 'string') for (const int of intsOfUuid(value)) into.i32be(int);
  else if (/^(data|rest|sha256)$/.test(kind) && value instanceof Uint8Array) into.bytes(value);
  else if (kind === 'repeat' && Array.isArray(value)) {
    for (const [i, one] of value.entries()) append(into, type.of, one, `${path}[${i}]`);
  } else if (kind === 'record' && typeof value === 'object' && value) {
    appendFields(into, type.fields, value as Record<string, unknown>, `${path}.`);
  } else if (isInt(type) && Number.isInteger(value)) into.bytes(intBytes(value as number));
  else throw new TypeError(`${path} is ${value === undefined ? 'missing' : `a ${typeof value}`}; expected its ${kind}`);
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
  readonly version: PacketVersion;
  readonly ack?: number;
  readonly resend?: boolean;
  readonly chunks?: readonly SentChunk[];
  readonly control?: Uint8Array;
  /** In 0.7 that of the receiver, always; in DDNet's 0.6 after the chunks, if there is one. */
  readonly token?: number | undefined;
}

/** The bytes of a packet, as `readPacket` reads them; compressed if that is shorter, as the games do. */
export function writePacket(packet: SentPacketContent): Uint8Array {
  const { version, ack = 0, resend = false, chunks = [], control, token } = packet;
  const is07 = version === '0.7';
  const content = new AppendBuffer(1400);
  if (control) content.bytes(control);
  for (const chunk of chunks) appendChunk(content, chunk, is07 ? 6 : 4);
  if (!is07 && token !== undefined) content.i32be(token);
  const payload = content.view();
  compress(payload, 0, payload.length, packed, 'none');
  const compressed = !control && packed.length < payload.length;
  // 0.6: 8 compressed, 4 resend, 1 control; 0.7: 4 compressed, 2 resend, 1 control
  const flags = is07
    ? (compressed ? 0x10 : 0) | (resend ? 0x08 : 0) | (control ? 0x04 : 0)
    : (compressed ? 0x80 : 0) | (resend ? 0x40 : 0) | (control ? 0x10 : 0);
  const bytes = new AppendBuffer(1400);
  for (const byte of [flags | (ack >> 8), ack & 0xff, chunks.length]) bytes.byte(byte);
  if (is07) bytes.i32be(token ?? noToken);
  if (compressed) bytes.bytes(packed.bytes, 0, packed.length);
  else bytes.bytes(payload);
  return bytes.flush();
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
