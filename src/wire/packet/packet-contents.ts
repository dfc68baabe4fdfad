import type { Args, Code, Place, Warn } from '../bytes/diagnostic.ts';
import { bitOffsets } from '../codec/huffman.ts';
import { Diagnostics } from '../payload/diagnostics.ts';
import { type EncodingLayers, placeOfByte, unwrap } from '../payload/encoding-layers.ts';
import { type Payload, readPayload } from '../payload/payload.ts';
import type { Protocol } from '../protocol/registry.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { type Message, type MessageValue, readMessage, snapshotMessage } from './message.ts';
import { mayBeMixed, readMixedMessage } from './mixed-message.ts';
import { type Packet, type PacketChunk, type PacketVersion, readPartOfPacket, refusalsOf } from './packet.ts';
import { readConnless, readControl } from './packet-values.ts';

/** A message and the delta in it; positions are offsets in `layers.bytes` of the packet. */
export interface MessageContents {
  readonly message: Message;
  readonly delta: EmbeddedDelta | undefined;
  /** Whether the packet ends inside the message. */
  readonly isCut: boolean;
  /** Whether the delta continues in bytes that do not exist here: those of further parts, or cut off. */
  readonly isContinued: boolean;
}

/** What packets and single messages have in common. */
export interface Sent {
  readonly protocol: Protocol;
  /** The bytes as sent, the same without compression, and the bit of the former for each of the latter. */
  readonly layers: Pick<EncodingLayers, 'file' | 'bytes' | 'bits'>;
  readonly messages: readonly MessageContents[];
  /** Those of all layers, with positions in the file. */
  readonly diagnostics: Diagnostics;
}

/** A packet: the payload of a UDP datagram. */
export interface DecodedPacket extends Sent {
  readonly kind: 'packet';
  /** Undefined if the header is incomplete. Positions of its chunks are offsets after the header. */
  readonly packet: Packet | undefined;
  /** `messages[i]` is in `chunks[i]`. The last chunk may be cut, and then has no message. */
  readonly chunks: readonly PacketChunk[];
  /** The values of a control packet or a connectionless one, after the header. */
  readonly values: readonly MessageValue[];
}

/** One message, as in a chunk. */
export interface DecodedMessage extends Sent {
  readonly kind: 'message';
}

/** A packet or a message, read to the last value of the deltas inside. */
export type PacketContents = DecodedPacket | DecodedMessage;

/** A snapshot, or what finds it by its tick. */
export type Base = Snapshot | ((tick: number) => Snapshot | undefined);

export interface PacketContentsOptions {
  /** The base of a delta, if it is known, or what finds it by its tick. */
  readonly base?: Base | undefined;
  /** For our own dumps: the payload is already decompressed. */
  readonly unpacked?: boolean;
}

/** Reads a packet with its messages and the deltas in them. Warnings and errors are in `diagnostics`. */
export function readPacketContents(
  file: Uint8Array,
  protocol: Protocol,
  options: PacketContentsOptions = {},
): DecodedPacket {
  const { base } = options;
  const diagnostics = new Diagnostics();
  const warnings: (readonly [Code, number, Args])[] = [];
  // What the header says of compression decides where the warnings are: they wait until it was read.
  const keep: Warn = (code, offset, args = {}) => warnings.push([code, offset, args]);
  const { packet, error } = readPartOfPacket(file, layoutOf(protocol), keep, options);

  const layers = packet ? unwrapped(file, packet) : { file, bytes: file, bits: undefined };
  const unpacked = layers.bytes.length;
  const inFile = (offset: number): Place => (layers.bits ? { offset, unpacked } : { offset });
  const place = (byte: number) => placeOfByte(layers, byte);
  // Those of compression have offsets in the file, all others in the bytes after it.
  const placeFor = (code: Code) => (/^huffman|^packet_too_large$/.test(code) ? inFile : place);

  for (const [code, offset, args] of warnings) diagnostics.run(placeFor(code), (warn) => warn(code, offset, args));
  if (error) diagnostics.stop(placeFor(error.code), error);

  const whole = { kind: 'packet', protocol, layers, packet, diagnostics } as const;
  if (!packet) return { ...whole, chunks: [], messages: [], values: [] };
  for (const { code, offset, args } of refusalsOf(file, packet)) {
    diagnostics.addError({ severity: 'error', code, ...placeFor(code)(offset), args });
  }

  let values: MessageValue[] = [];
  if (packet.kind === 'connless') values = readConnless(file, packet);
  else if (packet.kind === 'control') diagnostics.run(place, (warn) => (values = readControl(packet, warn)));

  const chunks = packet.cut ? [...packet.chunks, packet.cut] : packet.chunks;
  const messages: MessageContents[] = [];
  for (const chunk of chunks) {
    const start = packet.headSize + chunk.start;
    if (start > unpacked) continue;
    const end = Math.min(packet.headSize + chunk.end, unpacked);
    messages.push(contentsOf(readOne(layers.bytes, start, end, protocol), protocol, base, chunk === packet.cut));
  }

  for (const message of messages) addDiagnostics(diagnostics, message, place);
  return { ...whole, chunks, messages, values };
}

/**
 * Reads a single message and the delta in it; `options.message` is the message, if it has been read, as one that a demo
 * pads.
 */
export function readMessageContents(
  file: Uint8Array,
  protocol: Protocol,
  { base, message: read }: PacketContentsOptions & { readonly message?: Message } = {},
): DecodedMessage {
  const diagnostics = new Diagnostics();
  const layers = { file, bytes: file, bits: undefined };
  const message = contentsOf(read ?? readOne(file, 0, file.length, protocol), protocol, base, false);
  addDiagnostics(diagnostics, message, (byte) => placeOfByte(layers, byte));
  return { kind: 'message', protocol, layers, messages: [message], diagnostics };
}

/** Who sent it does not matter here: no message to a server begins like those that can be of the other version. */
const readOne = (bytes: Uint8Array, start: number, end: number, protocol: Protocol): Message =>
  mayBeMixed(protocol.version, true, bytes[start])
    ? readMixedMessage(bytes, protocol, {}, start, end)
    : readMessage(bytes, start, end, protocol);

function contentsOf(message: Message, protocol: Protocol, base: Base | undefined, isCut: boolean): MessageContents {
  const delta = readEmbeddedDelta(message, protocol, base);
  if (delta) checkAnnounced(message, delta);
  return {
    message,
    delta,
    isCut,
    isContinued: delta !== undefined && isContinued(delta, isCut || !!message.diagnostics.error),
  };
}

/** Compares the checksum that a message announces, if its snapshot could be made. */
function checkAnnounced(message: Message, { payload: { result } }: EmbeddedDelta): void {
  const crc = message.values.find(({ name }) => name === 'crc');
  if (!result || typeof crc?.value !== 'number') return;
  const found = result.checksum();
  const expected = crc.value;
  const place = (offset: number) => ({ offset });
  if (found !== expected)
    message.diagnostics.run(place, (warn) => warn('wrong_checksum', crc.start, { found, expected }));
}

/** Adds the diagnostics of a message, without the errors that only repeat that the packet is cut. */
function addDiagnostics(diagnostics: Diagnostics, entry: MessageContents, place: (byte: number) => Place): void {
  const { message, delta, isCut, isContinued } = entry;
  diagnostics.addPart(message.diagnostics, place, isCut);
  if (delta) diagnostics.addPart(delta.payload.diagnostics, (byte) => place(delta.at + byte), isContinued);
}

/** The layers of a packet, with a decompressed copy of its bytes. */
function unwrapped(file: Uint8Array, { compressed, headSize, payload }: Packet): DecodedPacket['layers'] {
  if (!compressed) return { file, bytes: file, bits: undefined };
  const bytes = new Uint8Array(headSize + payload.length);
  bytes.set(file.subarray(0, headSize));
  bytes.set(payload, headSize);
  const bits = new Uint32Array(bytes.length + 1);
  for (let i = 0; i < headSize; i++) bits[i] = 8 * i;
  bits.set(bitOffsets(payload, 8 * headSize), headSize);
  return { file, bytes, bits };
}

/** 0.5 has the layout of 0.6. */
export const layoutOf = ({ version }: Protocol): PacketVersion => (version === '0.7' ? '0.7' : '0.6');

/** The delta in a message. */
export interface EmbeddedDelta {
  /** Read from the message's data alone: its positions are relative to `at`. */
  readonly payload: Payload;
  /** The offset of the data in the bytes from which the message was read. */
  readonly at: number;
  /** The number of the part, from 0: only the first of several parts can be read. */
  readonly part: number;
  readonly parts: number;
}

/** The errors at the end of a delta that continues in another part. */
const endsEarly: ReadonlySet<Code> = new Set(['truncated_delta', 'truncated_varint']);

/**
 * Reads the delta in a snapshot message; undefined if there is none, or only a part that cannot be read separately.
 * @param base the base of the delta; ignored if the message says that the base is the empty snapshot
 */
export function readEmbeddedDelta(message: Message, protocol: Protocol, base?: Base): EmbeddedDelta | undefined {
  const { data, part, parts = 1, base: tick = -1 } = snapshotMessage(message) ?? {};
  if (!(data?.value instanceof Uint8Array) || data.value.length === 0 || part !== 0) return undefined;
  const onNothing = tick === -1;
  const given = () => (typeof base === 'function' ? base(tick) : base);
  const from = onNothing ? new Snapshot() : given();

  const payload = readPayload(unwrap(data.value, 'packed'), 'delta', protocol, from);
  const baseTick = from && !onNothing ? { baseTick: tick } : {};
  return { payload: { ...payload, ...baseTick }, at: data.start, part, parts };
}

/** Whether a delta ends early only because the rest of it is not in these bytes. */
export function isContinued({ payload, parts }: EmbeddedDelta, isCut: boolean): boolean {
  const { error } = payload.diagnostics;
  return error !== undefined && endsEarly.has(error.code) && (parts > 1 || isCut);
}
