import { ByteBuffer } from '../bytes/buffers.ts';
import { type Code, type Diagnostic, ignore } from '../bytes/diagnostic.ts';
import { type Recognised, type RecognisedPayload, recognise, type Stated } from '../decode/recognise.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { isText } from './message.ts';
import { readPartOfPacket } from './packet.ts';
import {
  type Base,
  layoutOf,
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from './packet-contents.ts';
import { packetEvidence } from './packet-evidence.ts';
import { flawPenalty, packetPenalty } from './version.ts';

/** A reading of bytes: as a snapshot or delta (`payload`), or as a packet or message (`packet`). */
export type RecognisedInput = Recognised | RecognisedPacket;

/**
 * Recognises bytes without any statement about them: as a snapshot, delta, packet or message, in the most plausible encoding and
 * version.
 */
export function recogniseInput(
  file: Uint8Array,
  stated: Pick<Stated, 'protocol'>,
  protocolOf: (version: Version) => Protocol,
  base?: Base,
): RecognisedInput {
  const payload = recognise(file, stated, protocolOf, base instanceof Snapshot ? base : undefined);
  if (payload.penalty === 0) return payload;
  const packet = recognisePacket(file, 'packet', stated.protocol, protocolOf, { base });
  const message = recognisePacket(file, 'message', stated.protocol, protocolOf, { base });
  if (isLikelyMessage(message, packet, payload)) return message;
  return isLikelyPacket(packet, payload) ? packet : payload;
}

/** A reading as a packet or a message. */
export interface RecognisedPacket {
  readonly kind: 'packet';
  readonly contents: PacketContents;
  /** How implausible it is, on the scale of `penaltyOf`: 0 is a clean reading. */
  readonly penalty: number;
  /** How strongly the bytes support it, in bits. */
  readonly evidence: number;
  /** Readings in the other version with the same penalty. */
  readonly equals: readonly PacketContents[];
  /** The bit of the header without whose damage the packet would have no flaw. */
  readonly wrongBit?: WrongHeaderBit;
}

/** The penalty for a single message that any bytes would fit. */
const anyBytesCost = 40;

/** Warnings that are normal for a delta without its base. */
const expectedWarnings: ReadonlySet<Code> = new Set(['missing_registration']);

const versions: readonly Version[] = ['0.6', '0.7'];

/** Reads bytes as a packet or as one message, in the more plausible version unless it is stated. */
export function recognisePacket(
  file: Uint8Array,
  kind: PacketContents['kind'],
  version: Version | undefined,
  protocolOf: (version: Version) => Protocol,
  options: PacketContentsOptions = {},
): RecognisedPacket {
  const read = kind === 'packet' ? readPacketContents : readMessageContents;
  let readings: Omit<RecognisedPacket, 'kind' | 'equals'>[] = (version ? [version] : versions).map((one) => {
    const contents = read(file, protocolOf(one), { ...options, base: undefined });
    return { contents, penalty: penaltyOfContents(contents), evidence: packetEvidence(contents) };
  });
  readings.sort((a, b) => a.penalty - b.penalty);
  if (readings[0]!.penalty > 0) {
    if (kind === 'packet') readings = readings.map((reading) => withWrongBit(reading, file));
    readings.sort((a, b) => b.evidence - a.evidence || a.penalty - b.penalty);
  }
  const [best, ...rest] = readings as [(typeof readings)[number], ...typeof readings];
  // A wrong base is no evidence against the packet, so the base is used only after the choice.
  const contents = options.base ? read(file, best.contents.protocol, options) : best.contents;
  return {
    kind: 'packet',
    ...best,
    contents,
    equals: rest.filter(({ penalty }) => penalty === best.penalty).map(({ contents }) => contents),
  };
}

/** A reading with the wrong bit that explains its flaws better than the bytes support it. */
function withWrongBit<Reading extends Omit<RecognisedPacket, 'kind' | 'equals'>>(
  reading: Reading,
  file: Uint8Array,
): Reading {
  const isFlawless = (other: PacketContents) => penaltyOfContents(other) === 0;
  const wrongBit = findWrongHeaderBit(file, reading.contents.protocol, isFlawless);
  return wrongBit && wrongBit.evidence > reading.evidence
    ? { ...reading, evidence: wrongBit.evidence, wrongBit }
    : reading;
}

/** Whether bytes are more likely a packet than the most plausible snapshot or delta. */
export function isLikelyPacket({ penalty, evidence }: RecognisedPacket, payload: RecognisedPayload): boolean {
  if (payload.penalty === 0) return false;
  return penalty === 0 || evidence > payload.evidence;
}

/** A message is tried only if the reading as a snapshot or delta has at least this penalty. */
const minPayloadPenalty = 100;

/** Whether bytes are more likely a message than the most plausible packet, snapshot or delta. */
export function isLikelyMessage(
  { penalty, evidence }: RecognisedPacket,
  packet: RecognisedPacket,
  payload: RecognisedPayload,
): boolean {
  return penalty === 0 && payload.penalty >= minPayloadPenalty && packet.penalty > 0 && evidence > packet.evidence;
}

/** How implausible a packet or message is. */
function penaltyOfContents(contents: PacketContents): number {
  const { error, otherErrors, warnings } = contents.diagnostics;
  const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);
  const flaws = {
    warnings: codesOf(warnings).filter((code) => !expectedWarnings.has(code)),
    errors: codesOf(error ? [error, ...otherErrors] : []),
    unknownMessages: contents.messages.filter(isUnknown).length,
  };
  if (contents.kind === 'packet') return packetPenalty(contents.packet, contents.values, flaws);
  return flawPenalty(flaws) + (acceptsAnyBytes(contents.messages[0]!) ? anyBytesCost : 0);
}

/** Whether a message has a field that any bytes fit, or a text with characters that no text has. */
function acceptsAnyBytes({ message }: MessageContents): boolean {
  return message.values.some(({ type, value }) => {
    return type.kind === 'rest' || (typeof value === 'string' && !isText(value));
  });
}

/** Messages with a UUID are DDNet's; a newer version may have added some, so they do not count as unknown. */
const isUnknown = ({ message }: MessageContents) => !message.type && message.uuid === undefined;

/** A bit of a packet's header without whose damage the packet would have no flaw. */
export interface WrongHeaderBit {
  readonly byte: number;
  /** From the lowest bit. */
  readonly bit: number;
  readonly field: 'flags' | 'num_chunks';
  /** How strongly the bytes support the packet with the other bit, in bits. */
  readonly evidence: number;
}

/**
 * ```
 * FFFF FFaa  aaaa aaaa  nnnn nnnn          F flags, n num_chunks
 * ```
 * These bits decide how all bytes after the header are read. One wrong bit among them makes the rest look like anything
 * but a packet, although nothing else is damaged.
 */
const decidingBits = [
  ...[2, 3, 4, 5, 6, 7].map((bit) => ({ byte: 0, bit, field: 'flags' }) as const),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bit) => ({ byte: 2, bit, field: 'num_chunks' }) as const),
];

/** What the assumption costs that one of these bits is wrong, in bits. */
const assumptionCost = 10;
const decompressed = new ByteBuffer();
/** The sizes between which an input may be a packet. */
const [minBytes, maxBytes] = [3, 1400];

/**
 * The wrong bit in the header of a damaged packet, if the packet is flawless with the other bit.
 * @param isFlawless whether a reading has no penalty
 */
export function findWrongHeaderBit(
  file: Uint8Array,
  protocol: Protocol,
  isFlawless: (contents: PacketContents) => boolean,
): WrongHeaderBit | undefined {
  if (file.length < minBytes || file.length > maxBytes) return undefined;
  const changed = file.slice();
  let best: WrongHeaderBit | undefined;
  for (const one of decidingBits) {
    changed[one.byte]! ^= 1 << one.bit;
    // Most bits are not the one, and most of those already make the chunks wrong.
    const isPacket = !readPartOfPacket(changed, layoutOf(protocol), ignore, { into: decompressed }).error;
    const contents = isPacket ? readPacketContents(changed, protocol) : undefined;
    if (contents && isFlawless(contents)) {
      const evidence = packetEvidence(contents) - assumptionCost;
      if (!best || evidence > best.evidence) best = { ...one, evidence };
    }
    changed[one.byte]! ^= 1 << one.bit;
  }
  return best;
}
