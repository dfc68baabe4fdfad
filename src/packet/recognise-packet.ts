import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { RecognisedPayload } from '../decode/recognise.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import {
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from './packet-contents.ts';
import { isText, packetEvidence } from './packet-evidence.ts';
import { flawPenalty, packetPenalty } from './version.ts';

/** A reading as a packet or a message. */
export interface RecognisedPacket {
  readonly wire: PacketContents;
  /** How little it makes sense, on the scale of `oddity`: 0 is in order. */
  readonly odd: number;
  /** How much the bytes speak for it, in bits. */
  readonly evidence: number;
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
    return { wire, odd: penaltyOfContents(wire), evidence: packetEvidence(wire) };
  });
  readings.sort((a, b) => a.odd - b.odd);
  if (readings[0]!.odd > 0) readings.sort((a, b) => b.evidence - a.evidence || a.odd - b.odd);
  const [best, ...rest] = readings as [(typeof readings)[0], ...typeof readings];
  // A base that is the wrong one makes the bytes no less of a packet.
  const wire = options.base ? read(file, best.wire.protocol, options) : best.wire;
  return { ...best, wire, equals: rest.filter(({ odd }) => odd === best.odd).map(({ wire }) => wire) };
}

/** Whether bytes are a packet rather than the snapshot or delta as which they make most sense. */
export function isLikelyPacket({ odd, evidence }: RecognisedPacket, payload: RecognisedPayload): boolean {
  if (payload.odd === 0) return false;
  return odd === 0 || evidence > payload.evidence;
}

/** Readings as a snapshot or delta above this make so little sense that a message is looked for. */
const senseless = 100;

/** Whether bytes are a message rather than the packet, and the snapshot or delta, as which they make most sense. */
export function isLikelyMessage(
  { odd, evidence }: RecognisedPacket,
  packet: RecognisedPacket,
  payload: RecognisedPayload,
): boolean {
  return odd === 0 && payload.odd >= senseless && packet.odd > 0 && evidence > packet.evidence;
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
    return type.kind === 'rest' || (typeof value === 'string' && !isText(value));
  });
}

/** Of DDNet's own, known by UUID, there may always be newer ones. */
const isUnknown = ({ message }: MessageContents) => !message.type && message.uuid === undefined;
