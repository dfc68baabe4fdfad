import type { Code, Warn } from '../bytes/diagnostic.ts';
import { cutCodes } from '../payload/reading-evidence.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import type { Schema, Version } from '../protocol/registry.ts';
import { type MessageValue, messageNumber } from './message.ts';
import { controlFlag, type Packet, type PacketVersion, readPartOfPacket, refusalsOf } from './packet.ts';
import { readConnless, readControl } from './packet-values.ts';

/**
 * The penalties by which the packets of a connection choose its version, where its handshake was not captured. They add
 * up over packets (`sureDifference` and `implausible` in recording/limits.ts are in the same unit), so only their
 * ratios matter: one packet that the games refuse outweighs a few oddities. Too high for oddities: a mod's connection
 * goes to the other version. Too low: two versions that read a packet alike are told apart later.
 *
 * All are guesses. scripts/recognition measures single packets, which are weighed in bits (`rules` and `worth` of
 * decode/evidence.ts), not these.
 */
const cost = {
  /** The input ends early. */
  cut: 30,
  /** The games refuse it. */
  refused: 150,
  warning: 25,
  /** A mod may have its own messages; the tables contain all messages of the games. */
  unknownMessage: 40,
  unknownConnless: 50,
  implausibleToken: 60,
} as const;

/** Codes whose penalty does not follow from their severity. */
const costOfCode: Readonly<Partial<Record<Code, number>>> = {
  unknown_control: 100,
  /** Such packets exist, but many short inputs look like one. */
  no_chunks: 60,
  chunks_in_control: 150,
  control_excess: 150,
};

/** The penalty of the errors and warnings of a packet. */
function flawPenalty(errors: readonly Code[], warnings: readonly Code[]): number {
  const forError = (code: Code) => costOfCode[code] ?? (cutCodes.has(code) ? cost.cut : cost.refused);
  const forErrors = errors.reduce((sum, code) => sum + forError(code), 0);
  return warnings.reduce((sum, code) => sum + (costOfCode[code] ?? cost.warning), forErrors);
}

/** The penalty of messages that are in no table. */
const unknownPenalty = (unknownMessages: number) => cost.unknownMessage * unknownMessages;

/**
 * How implausible a packet is in one version: 0 is a clean reading. The version with the lower penalty is the packet's.
 * @param values the values of a control packet or a connectionless one
 * @param penalty for its flaws and unknown messages
 */
function packetPenalty(packet: Packet | undefined, values: readonly MessageValue[], penalty: number): number {
  if (!packet) return penalty;
  const { kind, chunks } = packet;
  if (kind === 'connless') return values.some(({ name }) => name === 'name') ? penalty : penalty + cost.unknownConnless;
  const token = chunks.length === 0 && hasImplausibleToken(packet) ? cost.implausibleToken : 0;
  return penalty + token + (hasImplausibleFlags(packet) ? cost.refused : 0);
}

const compressedFlag = 4;

export const hasImplausibleFlags = ({ kind, flags }: Packet): boolean =>
  kind === 'control' && (flags & ~compressedFlag) !== controlFlag;

/** Tokens are random: four bytes with two zeros among them are likely something else. */
export function hasImplausibleToken({ version, payload, token = 0 }: Packet): boolean {
  const tail = payload.subarray(Math.max(0, payload.length - 4));
  const bytes = version === '0.7' ? [token >>> 24, token >>> 16, token >>> 8, token] : [...tail];
  return bytes.length === 4 && bytes.filter((byte) => (byte & 0xff) === 0).length > 1;
}

interface PacketFit {
  readonly version: PacketVersion;
  readonly packet: Packet | undefined;
  readonly penalty: number;
  /** Whether the packet is incomplete, or has bytes that no game writes. */
  readonly isDamaged: boolean;
}

/** What the user states about packets: their version, and the messages of a mod. */
export interface StatedVersion {
  readonly version?: Version | undefined;
  readonly schema?: Schema | undefined;
}

/** The stated version if it has packets; those of 0.5 are not read. */
export const packetVersionOf = ({ version }: StatedVersion): PacketVersion | undefined =>
  version === '0.5' ? undefined : version;

/** Reads a packet in both versions, as far as the numbers of its messages; the better fit first. */
export function fitPacket(bytes: Uint8Array, schema?: Schema): readonly [PacketFit, PacketFit] {
  const six = fitOf(bytes, '0.6', schema);
  const seven = fitOf(bytes, '0.7', schema);
  return seven.penalty < six.penalty ? [seven, six] : [six, seven];
}

/** Reads a packet in the stated version, otherwise in the one that fits better. */
export function bestFit(bytes: Uint8Array, stated: StatedVersion): PacketFit {
  const version = packetVersionOf(stated);
  return version ? fitOf(bytes, version, stated.schema) : fitPacket(bytes, stated.schema)[0];
}

function fitOf(bytes: Uint8Array, version: PacketVersion, schema: Schema | undefined): PacketFit {
  const warnings: Code[] = [];
  const warn: Warn = (code) => warnings.push(code);
  const { packet, error } = readPartOfPacket(bytes, version, warn);
  const values =
    packet?.kind === 'control'
      ? readControl(packet, warn)
      : packet?.kind === 'connless'
        ? readConnless(bytes, packet)
        : [];
  const unknown = packet?.chunks.filter(({ start, end }) => !isKnown(packet, start, end, schema)) ?? [];
  const errors = [...(error ? [error] : []), ...(packet ? refusalsOf(bytes, packet) : [])].map(({ code }) => code);
  const flaws = flawPenalty(errors, warnings) + unknownPenalty(unknown.length);
  const isDamaged = error !== undefined || warnings.some((code) => !ofHeader.has(code));
  return { version, packet, penalty: packetPenalty(packet, values, flaws), isDamaged };
}

/** Warnings about bits of the header. */
const ofHeader: ReadonlySet<Code> = new Set([
  'packet_padding',
  'header_token',
  'compressed_control',
  'resend_in_control',
  'chunks_in_control',
  'no_chunks',
]);

/** Messages with a UUID have the number 0. There may be newer ones than the tables have. */
function isKnown({ version, payload }: Packet, start: number, end: number, schema: Schema | undefined): boolean {
  const number = messageNumber(payload, start, end);
  if (!number) return false;
  return number.id === 0 || messagesOf(version, schema).byId(number.system, number.id) !== undefined;
}
