import type { Args, Code, Place, Warn } from '../bytes/diagnostic.ts';
import { bitOffsets } from '../codec/huffman.ts';
import { Diagnostics } from '../decode/diagnostics.ts';
import { type EncodingLayers, placeOfByte } from '../decode/encoding-layers.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readConnless } from './connectionless.ts';
import { readControl } from './control.ts';
import { type Message, readMessage } from './message.ts';
import type { MessageValue } from './message-reader.ts';
import type { Packet, PacketChunk, PacketVersion } from './packet.ts';
import { readPartOfPacket } from './read-packet.ts';
import { refusalsOf } from './refusals.ts';
import { type EmbeddedDelta, isContinued, readEmbeddedDelta } from './snap-message.ts';

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
interface Sent {
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

export interface PacketContentsOptions {
  /** The base of a delta, if it is known. */
  readonly base?: Snapshot | undefined;
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
  const keep: Warn = (code, offset, args = {}) => warnings.push([code, offset, args]);
  const { packet, error } = readPartOfPacket(file, layoutOf(protocol), keep, options);
  const layers = packet ? unwrapped(file, packet) : { file, bytes: file, bits: undefined };
  const unpacked = layers.bytes.length;
  const inFile = (offset: number): Place => (layers.bits ? { offset, unpacked } : { offset });
  const place = (byte: number) => placeOfByte(layers, byte);
  const placeFor = (code: Code) => (code.startsWith('huffman') ? inFile : place);
  for (const [code, offset, args] of warnings) diagnostics.run(placeFor(code), (warn) => warn(code, offset, args));
  if (error) {
    diagnostics.run(placeFor(error.code), () => {
      throw error;
    });
  }
  const whole = { kind: 'packet', protocol, layers, packet, diagnostics } as const;
  if (!packet) return { ...whole, chunks: [], messages: [], values: [] };
  for (const { code, offset, args } of refusalsOf(file, packet)) {
    diagnostics.addError({ severity: 'error', code, ...inFile(offset), args });
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
    messages.push(readInside(layers.bytes, start, end, protocol, base, chunk === packet.cut));
  }
  for (const message of messages) addDiagnostics(diagnostics, message, place);
  return { ...whole, chunks, messages, values };
}

/** Reads a single message and the delta in it. */
export function readMessageContents(
  file: Uint8Array,
  protocol: Protocol,
  { base }: PacketContentsOptions = {},
): DecodedMessage {
  const diagnostics = new Diagnostics();
  const layers = { file, bytes: file, bits: undefined };
  const message = readInside(file, 0, file.length, protocol, base, false);
  addDiagnostics(diagnostics, message, (byte) => placeOfByte(layers, byte));
  return { kind: 'message', protocol, layers, messages: [message], diagnostics };
}

function readInside(
  bytes: Uint8Array,
  start: number,
  end: number,
  protocol: Protocol,
  base: Snapshot | undefined,
  isCut: boolean,
): MessageContents {
  const message = readMessage(bytes, start, end, protocol);
  const delta = readEmbeddedDelta(message, protocol, base);
  return {
    message,
    delta,
    isCut,
    isContinued: delta !== undefined && isContinued(delta, isCut || !!message.diagnostics.error),
  };
}

/** Adds the diagnostics of a message, without the errors that only repeat that the packet is cut. */
function addDiagnostics(diagnostics: Diagnostics, one: MessageContents, place: (byte: number) => Place): void {
  const { message, delta, isCut } = one;
  diagnostics.addPart(isCut ? withoutError(message.diagnostics) : message.diagnostics, place);
  if (!delta) return;
  const deltaDiagnostics = one.isContinued ? withoutError(delta.payload.diagnostics) : delta.payload.diagnostics;
  diagnostics.addPart(deltaDiagnostics, (byte) => place(delta.at + byte));
}

function withoutError(diagnostics: Diagnostics): Diagnostics {
  const copy = diagnostics.copy();
  copy.error = undefined;
  return copy;
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
const layoutOf = ({ version }: Protocol): PacketVersion => (version === '0.7' ? '0.7' : '0.6');
