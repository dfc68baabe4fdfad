import {
  diagnosticsPenalty,
  Evidence,
  endSymbolEvidence,
  payloadEvidence,
  type Rule,
  savedInBytes,
} from '../decode/evidence.ts';
import type { Payload } from '../decode/payload.ts';
import type { RecognisedPayload } from '../decode/recognise.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import { isText, type MessageValue } from './message.ts';
import { controlsOf, isWrittenByGames, type Packet, type PacketChunk, type PacketVersion } from './packet.ts';
import {
  type DecodedPacket,
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from './packet-contents.ts';
import { packetPenalty, unknownPenalty } from './version.ts';

const rules = {
  unusedBits: [2, -8],
  /** Flags that go together. */
  flags: [1.5, -8],
  controlWithoutChunks: [8, -12],
  controlCode: [5, -8],
  controlContents: [4, -6],
  /** `ff ff ff ff` before the name of a connectionless message. */
  connlessMarker: [32, 0],
  connlessName: [4, -4],
  /** The bits beside the size in the head of a chunk that is not vital. */
  unusedChunkBits06: [4, -6],
  unusedChunkBits07: [2, -6],
  knownMessage: [2.5, -5],
  /** A message ends with its chunk, and has no error. */
  completeMessage: [4, -5],
  /** The header has the right number of chunks, and the last one ends with the packet. */
  allChunks: [8, -8],
} as const satisfies Record<string, Rule>;

const worth = {
  /** Most packets are compressed, or have no flag at all. */
  usualFlags: 2,
  connlessMark: { ff: 48, xe: 16, '0.7': 8, none: -8 },
  /** Four bytes ff where a token would be: the sender has none yet. */
  noToken: 24,
  maxZeros: 40,
  fewChunks: 5,
  someChunks: 1,
  manyChunks: -6,
  noChunks: -12,
  emptyChunk: -6,
  /** Each byte of a text, and of a text with characters that no text has. */
  character: 2,
  noCharacter: -1,
  token: 4,
  leastDelta: -10,
  noHeader: -8,
} as const;

/** How strongly bytes support the reading as a packet or message of its version, in bits. */
function packetEvidence(contents: PacketContents): number {
  const evidence = new Evidence();
  if (contents.kind === 'message') {
    addMessage(evidence, contents.messages[0]!, contents.layers.bytes);
    return evidence.bits;
  }
  const { packet, layers } = contents;
  if (!packet) return worth.noHeader;
  if (packet.kind === 'connless') addConnless(evidence, contents, packet);
  else {
    addHeader(evidence, layers.file, packet);
    if (packet.kind === 'control') addControl(evidence, contents, packet);
    else addChunks(evidence, contents, packet);
  }
  return evidence.bits;
}

/** The bits of the first byte that no packet of a connection has. */
const unusedBits: Readonly<Record<PacketVersion, number>> = { '0.6': 0x0c, '0.7': 0xc0 };

function addHeader(evidence: Evidence, file: Uint8Array, { version, flags }: Packet): void {
  const first = file[0]!;
  evidence.test(rules.unusedBits, (first & unusedBits[version]) === 0);
  // A control packet is neither compressed nor asks for chunks. Connectionless packets have headers of their own.
  const isControlAlone = (flags & 1) === 0 || flags === 1;
  evidence.test(rules.flags, isControlAlone && (first & 0x20) === 0 && (flags & 8) === 0);
  if (flags === 0 || flags === 4) evidence.add(worth.usualFlags);
}

function addConnless(evidence: Evidence, { values, layers }: DecodedPacket, { version, payload }: Packet): void {
  const { file } = layers;
  const mark = !isWrittenByGames(file) ? 'none' : file[0] === 0x21 ? '0.7' : file[0] === 0xff ? 'ff' : 'xe';
  const isOfVersion = (mark === '0.7') === (version === '0.7');
  evidence.add(worth.connlessMark[isOfVersion ? mark : 'none']);
  evidence.test(rules.connlessMarker, isAllOnes(payload.subarray(0, 4)));
  evidence.test(rules.connlessName, values.some(isName));
}

const isName = ({ name }: MessageValue) => name === 'name';

const isAllOnes = (bytes: Uint8Array) => bytes.length === 4 && bytes.every((byte) => byte === 0xff);

function addControl(evidence: Evidence, { values, layers }: DecodedPacket, packet: Packet): void {
  const { version, numChunks, control, headSize } = packet;
  evidence.test(rules.controlWithoutChunks, numChunks === 0);
  evidence.test(rules.controlCode, controlsOf(version)[control ?? -1] !== undefined);
  const rest = values.find(({ name }) => name === 'data');
  const isPartOfToken = rest !== undefined && rest.end - rest.start < 4;
  if (!isPartOfToken) evidence.test(rules.controlContents, rest === undefined);
  // 0.7 has the token in the header; DDNet's clients of 0.6 ask for one at the end of their request.
  if (isAllOnes(layers.file.subarray(version === '0.7' ? 3 : 8, version === '0.7' ? 7 : 12)))
    evidence.add(worth.noToken);
  // Requests of 0.7 are filled with zeros.
  const zeros = layers.file.subarray(headSize).filter((byte) => byte === 0).length;
  evidence.add(Math.min(worth.maxZeros, zeros));
}

function addChunks(evidence: Evidence, contents: DecodedPacket, packet: Packet): void {
  const { chunks, messages, diagnostics, layers } = contents;
  const { payload, numChunks, compressed, resend, contentEnd, token, version } = packet;
  if (compressed) evidence.add(endSymbolEvidence(diagnostics.codes));
  if (numChunks === 0) {
    evidence.add(resend ? 0 : worth.noChunks);
    return;
  }
  evidence.add(numChunks <= 4 ? worth.fewChunks : numChunks <= 32 ? worth.someChunks : worth.manyChunks);
  for (const [i, chunk] of chunks.entries()) {
    addChunkHead(evidence, chunk, packet);
    const message = messages[i];
    if (message) addMessage(evidence, message, compressed ? undefined : layers.bytes);
  }
  const endsWell = contentEnd === payload.length || token !== undefined;
  evidence.test(rules.allChunks, packet.chunks.length === numChunks && endsWell);
  if (version === '0.6' && token !== undefined) evidence.add(worth.token);
}

/** ```
 * 0.6   FFss ssss  0000 ssss              0.7   FFss ssss  00ss ssss        of chunks that are not vital
 * 0.6   FFss ssss  SSDD ssss  DDSS SSSS   the bits D occur twice            of vital ones
 * ``` */
function addChunkHead(
  evidence: Evidence,
  { head, start, end, vital }: PacketChunk,
  { payload, version }: Packet,
): void {
  if (end === start) {
    evidence.add(worth.emptyChunk);
    return;
  }
  // Few random sizes fit into the remaining bytes.
  const sizes = version === '0.7' ? 4096 : 1024;
  if (end <= payload.length) evidence.add(Math.max(0, Math.log2(sizes / (payload.length - start + 1))));
  const [second, third] = [payload[head + 1] ?? 0, payload[head + 2] ?? 0];
  if (version === '0.7') {
    if (!vital) evidence.test(rules.unusedChunkBits07, second >> 6 === 0);
  } else evidence.test(rules.unusedChunkBits06, vital ? ((second >> 4) & 3) === third >> 6 : second >> 4 === 0);
}

/** @param bytes the bytes of the message if they were not compressed: then they save bits, too */
function addMessage(
  evidence: Evidence,
  { message, delta, isCut }: MessageContents,
  bytes: Uint8Array | undefined,
): void {
  const { id, type, uuid, head, values, diagnostics } = message;
  if (id === undefined) {
    evidence.test(rules.completeMessage, false);
    return;
  }
  evidence.test(rules.knownMessage, type !== undefined || uuid !== undefined);
  if (!type) return;
  if (bytes) for (const value of [...head, ...values]) evidence.add(savedInValue(bytes, value));
  if (!isCut) evidence.test(rules.completeMessage, diagnostics.codes.size === 0);
  if (delta) evidence.add(deltaEvidence(delta.payload));
}

/** Text saves bits, too, but not by the games' code; other data may be any bytes. */
function savedInValue(bytes: Uint8Array, { type, value, start, end }: MessageValue): number {
  if (value instanceof Uint8Array) return 0;
  if (typeof value !== 'string' || type.kind === 'raw_uuid') return savedInBytes(bytes, start, end);
  return (isText(value) ? worth.character : worth.noCharacter) * (end - start);
}

/** The evidence of the rules of the delta in a message. The bits that its bytes save count for the message. */
function deltaEvidence(payload: Payload): number {
  const layers = { ...payload.layers, encoding: 'huffman', bits: undefined } as const;
  return Math.max(worth.leastDelta, payloadEvidence({ ...payload, layers }));
}

export interface RecognisedPacket {
  readonly kind: 'packet';
  readonly contents: PacketContents;
  /** How implausible it is, on the scale of `penaltyOf`: 0 is a clean reading. */
  readonly penalty: number;
  readonly evidence: number;
  /** Readings in the other version with the same penalty. */
  readonly equals: readonly PacketContents[];
}

/** The penalty for a single message that any bytes would fit. */
const anyBytesCost = 40;

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
  const readings: Omit<RecognisedPacket, 'kind' | 'equals'>[] = (version ? [version] : versions).map((one) => {
    const contents = read(file, protocolOf(one), { ...options, base: undefined });
    return { contents, penalty: penaltyOfContents(contents), evidence: packetEvidence(contents) };
  });
  readings.sort((a, b) => a.penalty - b.penalty);
  if (readings[0]!.penalty > 0) {
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

function penaltyOfContents(contents: PacketContents): number {
  const penalty = diagnosticsPenalty(contents.diagnostics) + unknownPenalty(contents.messages.filter(isUnknown).length);
  if (contents.kind === 'packet') return packetPenalty(contents.packet, contents.values, penalty);
  return penalty + (acceptsAnyBytes(contents.messages[0]!) ? anyBytesCost : 0);
}

/** Whether a message has a field that any bytes fit, or a text with characters that no text has. */
function acceptsAnyBytes({ message }: MessageContents): boolean {
  return message.values.some(({ type, value }) => {
    return type.kind === 'rest' || (typeof value === 'string' && !isText(value));
  });
}

/** Messages with a UUID are DDNet's; a newer version may have added some, so they do not count as unknown. */
const isUnknown = ({ message }: MessageContents) => !message.type && message.uuid === undefined;
