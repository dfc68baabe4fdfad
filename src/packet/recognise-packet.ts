import type { Code } from '../bytes/diagnostic.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import { controlsOf, type Packet } from './packet.ts';
import {
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from './packet-contents.ts';

/** A reading as a packet or a message. */
export interface RecognisedPacket {
  readonly wire: PacketContents;
  /** How little it makes sense, on the scale of `oddity`: 0 is in order. */
  readonly odd: number;
  /** Readings in the other version that make as much sense. */
  readonly equals: readonly PacketContents[];
}

/** What each oddity costs. */
const cost = {
  warning: 25,
  cut: 30,
  refused: 150,
  /** A mod may have its own; the tables know all of the games. */
  unknownMessage: 40,
  unknownControl: 100,
  unknownConnless: 50,
  /** A message alone that is whatever there is. */
  anything: 40,
  oddToken: 60,
  /** Nothing in it, and nothing asked for: it happens, but anything short looks so. */
  nothing: 60,
} as const;

const cutCodes: ReadonlySet<Code> = new Set([
  'truncated_packet',
  'truncated_packet_chunk',
  'missing_chunks',
  'truncated_message',
  'unterminated_string',
  'truncated_delta',
  'truncated_varint',
  'huffman_no_eof',
]);

/** Warnings that a delta without its base has in good order. */
const usual: ReadonlySet<Code> = new Set(['missing_registration']);

const versions: readonly Version[] = ['0.6', '0.7'];

/** Reads bytes as a packet or as one message, in the version that makes most sense unless it is stated. */
export function recognisePacket(
  file: Uint8Array,
  kind: PacketContents['kind'],
  version: Version | undefined,
  protocolOf: (version: Version) => Protocol,
  options: PacketContentsOptions = {},
): RecognisedPacket {
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  const readings = (version ? [version] : versions).map((one) => {
    const wire = read(file, protocolOf(one), { ...options, base: undefined });
    return { wire, odd: wireOddity(wire) };
  });
  readings.sort((a, b) => a.odd - b.odd);
  const [best, ...rest] = readings as [(typeof readings)[0], ...typeof readings];
  // A base that is the wrong one makes the bytes no less of a packet.
  const wire = options.base ? read(file, best.wire.protocol, options) : best.wire;
  return { ...best, wire, equals: rest.filter(({ odd }) => odd === best.odd).map(({ wire }) => wire) };
}

/** A packet that lacks no more than its end, or that has one message of a mod. */
const slightly = 40;
/** How much less sense the bytes have to make as a snapshot or delta, then. */
const clearly = 20;

/** Whether bytes are a packet rather than a snapshot or delta, which they are with `payloadOdd`. */
export function isLikelyPacket({ wire, odd }: RecognisedPacket, payloadOdd: number): boolean {
  if (odd === 0) return payloadOdd > 0;
  // Any bytes have some chunks: what tells a packet is that nothing is left, and that a message makes sense.
  if (odd > slightly || odd + clearly > payloadOdd || wire.diagnostics.warnings.length > 0) return false;
  return wire.messages.some(({ message }) => message.type !== undefined && message.diagnostics.all.length === 0);
}

/** Readings as a snapshot or delta above this make so little sense that a message is looked for. */
const senseless = 100;

/** Whether bytes that are no packet are a message. */
export function isLikelyMessage({ odd }: RecognisedPacket, payloadOdd: number): boolean {
  return odd === 0 && payloadOdd >= senseless;
}

/** How little a packet or message makes sense. */
function wireOddity(wire: PacketContents): number {
  const { error, otherErrors, warnings } = wire.diagnostics;
  let odd = 0;
  for (const { code } of error ? [error, ...otherErrors] : []) odd += cutCodes.has(code) ? cost.cut : cost.refused;
  odd += cost.warning * warnings.filter(({ code }) => !usual.has(code)).length;
  odd += cost.unknownMessage * wire.messages.filter(isUnknown).length;
  if (wire.kind === 'message') return takesAnything(wire.messages[0]!) ? odd + cost.anything : odd;
  if (!wire.packet) return odd;
  const { packet, values } = wire;
  if (packet.chunks.length === 0 && hasOddToken(wire.layers.bytes, packet)) odd += cost.oddToken;
  if (packet.kind === 'chunks') return packet.numChunks === 0 && !packet.resend ? odd + cost.nothing : odd;
  const names = values.map(({ name }) => name);
  if (packet.kind === 'connless') return names.includes('name') ? odd : odd + cost.unknownConnless;
  const code = controlsOf(packet.version)[packet.control ?? -1];
  if (code === undefined) odd += cost.unknownControl;
  if (names.includes('data') || packet.flags !== controlFlag || packet.numChunks > 0) odd += cost.refused;
  return odd;
}

const controlFlag = 1;

/** Tokens are random: with two zeros among four bytes it rather is something else that ends there. */
function hasOddToken(bytes: Uint8Array, { version, kind, headSize }: Packet): boolean {
  if (kind === 'connless') return false;
  const token = version === '0.7' ? bytes.subarray(3, headSize) : bytes.subarray(Math.max(headSize, bytes.length - 4));
  return token.length === 4 && token.filter((byte) => byte === 0).length > 1;
}

/** Whether a message has fields that any bytes fill, or text that is none. */
function takesAnything({ message }: MessageContents): boolean {
  return message.values.some(({ type, value }) => {
    return type.kind === 'rest' || (typeof value === 'string' && noText.test(value));
  });
}

/** Control characters other than line ends and tabs, and what was no UTF-8. */
const noText = /[^\P{Cc}\n\t]|\ufffd/u;

/** Of DDNet's own, known by UUID, there may always be newer ones. */
const isUnknown = ({ message }: MessageContents) => !message.type && message.uuid === undefined;
