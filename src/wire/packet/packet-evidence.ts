import type { Payload } from '../payload/payload.ts';
import {
  cutCodes,
  Evidence,
  endSymbolEvidence,
  isImplausible,
  payloadEvidence,
  rules,
  savedInBytes,
  worth,
} from '../payload/reading-evidence.ts';
import type { Meaning } from '../protocol/meaning.ts';
import { isInt } from '../protocol/message-type.ts';
import { isSnapshotMessage, isText, type MessageValue, noText } from './message.ts';
import {
  controlCode,
  controlFlag,
  controlsOf,
  flagsIn,
  isConnless,
  isWrittenByGames,
  type Packet,
  type PacketChunk,
  type PacketVersion,
} from './packet.ts';
import { type DecodedPacket, layoutOf, type MessageContents, type PacketContents } from './packet-contents.ts';

/*
 * Could these bytes be a packet, or a message without one? Both are read in both versions, and each reading is weighed
 * in bits, as snapshots and deltas are (reading-evidence.ts), so that all of them can be compared.
 *
 *   0.6 packet     04 1a 02 │ 40 0c 2b …
 *     header       bits that are never set, flags that go together, a count of chunks that is likely
 *     chunk heads  a size that fits into what is left; in 0.6 two bits of a vital chunk's number occur twice
 *     messages     in the tables, ends with its chunk, values in their bounds, ints and texts that are short in the games' code
 *     end          the number of chunks is right, and the last one ends with the packet
 *
 * A rule that is satisfied is worth the bits by which random bytes satisfy it less often; a broken one costs what
 * experience with a whole input says. Neither is exact. Two facts go before all bits: an announced checksum that is
 * that of the snapshot (`isProven`), and a reading without a flaw (`isFlawless`).
 *
 * The numbers are in `rules` and `worth` of reading-evidence.ts; scripts/recognition measures what a change does.
 */

/** How strongly bytes support the reading as a packet or message of its version, in bits. */
export function packetEvidence(contents: PacketContents): number {
  const evidence = new Evidence();
  if (contents.kind === 'message') {
    addMessage(evidence, contents.messages[0]!, contents.layers.bytes);
    return evidence.bits;
  }
  const { packet, layers } = contents;
  if (!packet) {
    addCutHeader(evidence, layers.file, layoutOf(contents.protocol));
    return evidence.bits;
  }
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

/** What there is of a header that the input's end cuts: only that of a control packet says much. */
function addCutHeader(evidence: Evidence, file: Uint8Array, version: PacketVersion): void {
  const first = file[0] ?? 0;
  if (!isConnless(file) && flagsIn(first, version) === controlFlag) {
    addHeader(evidence, file, { version, flags: controlFlag });
    if (file.length > 2) evidence.test(rules.controlWithoutChunks, file[2] === 0);
  }
  evidence.add(worth.cutHeader);
}

function addHeader(evidence: Evidence, file: Uint8Array, { version, flags }: Pick<Packet, 'version' | 'flags'>): void {
  const first = file[0]!;
  evidence.test(rules.unusedBits, (first & unusedBits[version]) === 0);
  // A control packet is neither compressed nor asks for chunks. Connectionless packets have headers of their own.
  const isControlAlone = (flags & controlFlag) === 0 || flags === controlFlag;
  evidence.test(rules.flags, isControlAlone && (first & 0x20) === 0 && (flags & 8) === 0);
  if (flags === 0 || flags === 4) evidence.add(worth.usualFlags);
}

function addConnless(evidence: Evidence, { values, layers }: DecodedPacket, { version, payload }: Packet): void {
  evidence.add(worth.connlessMark[connlessMark(layers.file, version)]);
  evidence.test(rules.connlessMarker, isAllOnes(payload.subarray(0, 4)));
  evidence.test(rules.connlessName, values.some(isName));
}

/** How a connectionless packet begins: as 0.7 writes it, with six bytes ff or with DDNet's `xe` in 0.6, or otherwise. */
function connlessMark(file: Uint8Array, version: PacketVersion): keyof typeof worth.connlessMark {
  if (!isWrittenByGames(file, version)) return 'none';
  if (version === '0.7') return '0.7';
  return file[0] === 0xff ? 'ff' : 'xe';
}

export const isName = ({ name }: MessageValue) => name === 'name';

const isAllOnes = (bytes: Uint8Array) => bytes.length === 4 && bytes.every((byte) => byte === 0xff);

function addControl(evidence: Evidence, { values, layers }: DecodedPacket, packet: Packet): void {
  const { version, numChunks, control, headSize } = packet;
  evidence.test(rules.controlWithoutChunks, numChunks === 0);
  evidence.test(rules.controlCode, controlsOf(version)[control ?? -1] !== undefined);

  // The reason of a close is a text.
  for (const value of values) {
    if (typeof value.value === 'string') evidence.add(savedInValue(layers.file, value, false));
  }
  const rest = values.find(({ name }) => name === 'data');
  const isPartOfToken = rest !== undefined && rest.end - rest.start < 4;
  if (!isPartOfToken) evidence.test(rules.controlContents, rest === undefined);

  // 0.7 has the token in the header; DDNet's clients of 0.6 ask for one at the end of their request.
  const tokenStart = version === '0.7' ? 3 : 8;
  if (isAllOnes(layers.file.subarray(tokenStart, tokenStart + 4))) evidence.add(worth.noToken);
  const isRequest = version === '0.7' && (control === controlCode.connect || control === controlCode.token);
  if (isRequest) evidence.add(Math.min(worth.maxZeros, zerosAtEnd(layers.file.subarray(headSize))));
}

/** Clients of 0.7 fill their requests, `token` and `connect`, with zeros. */
function zerosAtEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.length - end;
}

function addChunks(evidence: Evidence, contents: DecodedPacket, packet: Packet): void {
  const { chunks, messages, diagnostics, layers } = contents;
  const { payload, numChunks, compressed, contentEnd, token, version } = packet;
  if (compressed) evidence.add(endSymbolEvidence(diagnostics.codes));
  if (numChunks === 0) {
    evidence.add(withoutChunks(contents, packet));
    return;
  }

  evidence.add(worthOfCount(numChunks));
  for (const [i, chunk] of chunks.entries()) {
    addChunkHead(evidence, chunk, packet);
    const message = messages[i];
    if (message) addMessage(evidence, message, compressed ? undefined : layers.bytes);
  }
  const endsWell = contentEnd === payload.length || token !== undefined;
  evidence.test(rules.allChunks, packet.chunks.length === numChunks && endsWell);
  if (version === '0.6' && token !== undefined) evidence.add(worth.token);
}

/** A packet of chunks that has none acknowledges, or asks for chunks again. */
function withoutChunks(contents: DecodedPacket, { payload, resend, contentEnd, token, version }: Packet): number {
  if (isWrapped(contents)) return worth.wrappedChunks;
  if (resend) return 0;
  // The token of 0.6 is at the end of the payload, that of 0.7 in the header.
  const isOnlyToken = token !== undefined && contentEnd === 0 && (version === '0.6' || payload.length === 0);
  return isOnlyToken ? worth.onlyToken : worth.noChunks;
}

function worthOfCount(numChunks: number): number {
  if (numChunks <= 4) return worth.fewChunks;
  return numChunks <= 32 ? worth.someChunks : worth.manyChunks;
}

/** Whether the number of chunks, which is one byte, is too small by a multiple of 256. */
const isWrapped = ({ diagnostics: { warnings } }: DecodedPacket): boolean => {
  const { chunks = 0 } = warnings.find(({ code }) => code === 'packet_excess')?.args ?? {};
  return Number(chunks) > 0 && Number(chunks) % 256 === 0;
};

/**
 * The head of a chunk.
 * ```
 * 0.6   FFss ssss  0000 ssss              0.7   FFss ssss  00ss ssss        of chunks that are not vital
 * 0.6   FFss ssss  SSDD ssss  DDSS SSSS   the bits D occur twice            of vital ones
 * ```
 */
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

  const second = payload[head + 1] ?? 0;
  const third = payload[head + 2] ?? 0;
  if (version === '0.7') {
    if (!vital) evidence.test(rules.unusedChunkBits07, second >> 6 === 0);
    return;
  }
  const isWell = vital ? ((second >> 4) & 3) === third >> 6 : second >> 4 === 0;
  evidence.test(rules.unusedChunkBits06, isWell);
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
  evidence.test(rules.knownMessage, type !== undefined || isGamesUuid(uuid));
  if (!type) return;
  if (uuid !== undefined) evidence.add(worth.knownUuid);

  for (const value of values) {
    if (isUnlikely(value)) evidence.add(worth.implausibleValue);
    else if (value.type.kind === 'data' && !diagnostics.error) evidence.test(rules.dataInMessage, true);
  }
  // Characters that are wrong count with their text.
  const warnings = diagnostics.warnings.filter(({ code }) => code !== 'not_utf8');
  if (bytes) {
    const isPacked = isSnapshotMessage(message);
    // What follows a place that no game writes is no evidence.
    const end = Math.min(...warnings.map(({ offset }) => offset));
    for (const value of [...head, ...values]) {
      if (value.start < end) evidence.add(savedInValue(bytes, value, isPacked));
    }
  }

  const { error } = diagnostics;
  if (error && cutCodes.has(error.code)) evidence.add(worth.cut);
  else if (!isCut) evidence.test(rules.completeMessage, !error && warnings.length === 0);
  if (delta) evidence.add(deltaEvidence(delta.payload));
}

/**
 * Text saves bits, too, but not by the games' code; other data may be any bytes.
 * @param isPacked whether data are packed ints: those of a snapshot
 */
function savedInValue(bytes: Uint8Array, { type, value, start, end }: MessageValue, isPacked: boolean): number {
  if (value instanceof Uint8Array && !(isPacked && type.kind === 'data')) return 0;
  if (typeof value !== 'string' || type.kind === 'raw_uuid') return savedInBytes(bytes, start, end);
  const strange = isText(value) ? 0 : value.match(noText)!.length;
  return worth.character * (end - start) + worth.noCharacter * strange;
}

/** The evidence of the rules of the delta in a message. The bits that its bytes save count for the message. */
function deltaEvidence(payload: Payload): number {
  const layers = { ...payload.layers, encoding: 'huffman', bits: undefined } as const;
  return Math.max(worth.minDelta, payloadEvidence({ ...payload, layers }));
}

/** The UUIDs of messages are made of names: they are of version 3. */
export const isGamesUuid = (uuid: string | undefined): boolean => uuid !== undefined && /^.{14}3.{4}[89ab]/.test(uuid);

/** Whether a value is none that the games send: out of its bounds, or a text with characters that no text has. */
export function isUnlikely({ type, value }: MessageValue): boolean {
  if (typeof value === 'string') return type.kind !== 'raw_uuid' && !isText(value);
  return typeof value === 'number' && isInt(type) && isImplausible(value, type as Meaning, false);
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
