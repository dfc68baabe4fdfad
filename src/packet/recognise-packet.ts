import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import {
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from './packet-contents.ts';
import { flawPenalty, packetPenalty } from './version.ts';

/** A reading as a packet or a message. */
export interface RecognisedPacket {
  readonly wire: PacketContents;
  /** How little it makes sense, on the scale of `oddity`: 0 is in order. */
  readonly odd: number;
  /** Readings in the other version that make as much sense. */
  readonly equals: readonly PacketContents[];
}

/** The penalty for a single message that consists of whatever bytes there are. */
const anyBytesCost = 40;

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
    return { wire, odd: penaltyOfContents(wire) };
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

/** How implausible a packet or message is. */
function penaltyOfContents(wire: PacketContents): number {
  const { error, otherErrors, warnings } = wire.diagnostics;
  const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);
  const flaws = {
    warnings: codesOf(warnings).filter((code) => !usual.has(code)),
    errors: codesOf(error ? [error, ...otherErrors] : []),
    unknownMessages: wire.messages.filter(isUnknown).length,
  };
  if (wire.kind === 'packet') return packetPenalty(wire.packet, wire.values, flaws);
  return flawPenalty(flaws) + (takesAnything(wire.messages[0]!) ? anyBytesCost : 0);
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
