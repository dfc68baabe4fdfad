import { ByteBuffer } from '../bytes/buffers.ts';
import { attempt, DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { u32 } from '../bytes/fixed-int.ts';
import { decompress, decompressWhole } from '../codec/huffman.ts';

/** The layout of a packet. */
export type PacketVersion = '0.6' | '0.7';

/**
 * A part of a packet that contains one message.
 *
 * Source: `CNetChunkHeader::Unpack` in `src/engine/shared/network.cpp` of the games.
 */
export interface PacketChunk {
  /** Offsets in the payload: of its head, of its message, and of its end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
  readonly vital: boolean;
  readonly resend: boolean;
  /** The sequence number of a vital chunk, 0 to 1023; counted per connection and direction. */
  readonly sequence: number;
}

/** A packet of a connection, or a connectionless one. */
export interface Packet {
  readonly version: PacketVersion;
  readonly kind: 'chunks' | 'control' | 'connless';
  readonly headSize: number;
  /** The flags of the header, in the order of 0.7: 8 connless, 4 compressed, 2 resend, 1 control. */
  readonly flags: number;
  readonly compressed: boolean;
  readonly resend: boolean;
  readonly ack: number;
  readonly numChunks: number;
  /** In 0.7 and 0.6.5 it is in the header, in DDNet's 0.6 after the last chunk. */
  readonly token: number | undefined;
  /** The second token of a connectionless packet of 0.7: the one that an answer has to begin with. */
  readonly responseToken?: number;
  /** The decompressed payload if it was compressed; otherwise a view of the packet's bytes. */
  readonly payload: Uint8Array;
  readonly chunks: readonly PacketChunk[];
  /** The chunk that continues after the payload's end; its `start` may be after it, too. */
  readonly cut: PacketChunk | undefined;
  readonly control: number | undefined;
  /** The size of the payload's content in bytes, without DDNet's token after the chunks. */
  readonly contentEnd: number;
}

/**
 * What the first byte of a control packet says. In 0.6, `accept` is called `connectaccept`, and the client answers it
 * with `accept06`; in 0.7 it has no answer.
 */
export const controlCode = { keepAlive: 0, connect: 1, accept: 2, accept06: 3, close: 4, token: 5 } as const;

const controlNames: Readonly<Record<PacketVersion, Readonly<Record<number, string>>>> = {
  '0.6': { 0: 'keepalive', 1: 'connect', 2: 'connectaccept', 3: 'accept', 4: 'close' },
  '0.7': { 0: 'keepalive', 1: 'connect', 2: 'accept', 4: 'close', 5: 'token' },
};

/** Follows `connect` and its answer if their sender knows DDNet's tokens, before a token: `TKEN`. */
export const tokenMagic = [0x54, 0x4b, 0x45, 0x4e] as const;

export const controlsOf = (version: PacketVersion) => controlNames[version];

const flagNames = { 4: 'compressed', 2: 'resend', 8: 'connless', 1: 'control' } as const;

export function flagsOf({ flags }: Packet): string[] {
  return ([4, 2, 8, 1] as const).filter((bit) => flags & bit).map((bit) => flagNames[bit]);
}

/** The longest decompressed payload that is read; the games have a lower limit. */
const maxPayload = 4096;

export interface PartOfPacket {
  readonly packet: Packet | undefined;
  readonly error: DecodeError | undefined;
}

/**
 * Reads a packet in the layout of a version:
 * ```
 * 0.6   FFFF T.AA  AAAA AAAA  NNNN NNNN  [token[4]]   F 8 compressed 4 resend 2 connless 1 control · T token follows (0.6.5)
 * 0.7   ..FF FFAA  AAAA AAAA  NNNN NNNN  token[4]     F 8 connless 4 compressed 2 resend 1 control
 * A ack · N number of chunks
 * connless   0.6: six bytes ff, or DDNet's extended one: "xe" and four bytes · 0.7: 0x21 and two tokens
 * ```
 * Offsets are in bytes of the packet as if its payload had not been compressed; those of the Huffman code in bytes of
 * the packet as it is.
 *
 * Source: `CNetBase::UnpackPacket` in `src/engine/shared/network.cpp` of the games.
 *
 * @throws DecodeError `truncated_packet`, `missing_chunks`, `truncated_packet_chunk`, or a code of the Huffman decoder
 */
export function readPacket(bytes: Uint8Array, version: PacketVersion, warn: Warn): Packet {
  const { packet, error } = readPartOfPacket(bytes, version, warn);
  if (error) throw error;
  return packet!;
}

/**
 * Reads a packet that may be damaged: also returns the part before an error.
 * @param options.unpacked for our own dumps: the payload is decompressed, whatever the flags say
 * @param options.into the buffer for the decompressed payload, which is then valid only until the buffer is filled
 *   again
 * @param options.token the token that ends each packet of this connection. DDNet takes it off before it reads chunks
 *   (`CNetConnection::Feed`), so that it is none of them, however many are
 *   announced; from the packet alone that can't be known
 */
export function readPartOfPacket(
  bytes: Uint8Array,
  version: PacketVersion,
  warn: Warn,
  options: { readonly unpacked?: boolean; readonly into?: ByteBuffer; readonly token?: number | undefined } = {},
): PartOfPacket {
  const first = bytes[0] ?? 0;
  const isWithoutConnection = isConnless(bytes);
  const hasHeaderToken = version === '0.7' || (first & tokenFlag) !== 0;
  const ownHeadSize = hasHeaderToken ? 7 : 3;
  const headSize = isWithoutConnection ? connlessHeadSize(version) : ownHeadSize;
  if (bytes.length < headSize) {
    const error = new DecodeError('truncated_packet', bytes.length, { found: bytes.length, expected: headSize });
    return { packet: undefined, error };
  }
  if (isWithoutConnection) return { packet: connless(bytes, version), error: undefined };

  const flags = flagsIn(first, version);
  const isControl = (flags & 1) !== 0;
  const resend = (flags & 2) !== 0;
  const compressed = (flags & 4) !== 0 && options.unpacked !== true;
  const unused = version === '0.7' ? first & 0xc0 : first & 0x04;
  if (unused) warn('packet_padding', 0, { found: unused });
  if (version === '0.6' && hasHeaderToken) warn('header_token', 0);
  if (compressed && isControl) warn('compressed_control', 0);

  const into = compressed ? (options.into ?? new ByteBuffer()) : undefined;
  const damage = into && decompressInto(into, bytes, headSize, warn);
  const payload = into ? into.bytes.subarray(0, into.length) : bytes.subarray(headSize);

  const numChunks = bytes[2]!;
  if (isControl && resend) warn('resend_in_control', 0);
  if (isControl && numChunks > 0) warn('chunks_in_control', 2, { found: numChunks });
  // Bots acknowledge with packets without chunks.
  if (!isControl && numChunks === 0 && !resend) warn('no_chunks', 2);
  let read: ReadChunks = isControl ? { chunks: [] } : readChunks(payload, version, headSize, numChunks);

  // DDNet's token is after the last chunk, inside the compressed part.
  const mayHaveToken = !isControl && !hasHeaderToken;
  let hasToken = mayHaveToken && !damage && !read.error && endOf(read.chunks) === payload.length - tokenBytes;
  if (mayHaveToken && !hasToken && endsWith(payload, options.token)) {
    read = readChunks(payload.subarray(0, -tokenBytes), version, headSize, numChunks);
    hasToken = true;
  }
  const content = hasToken ? payload.length - tokenBytes : payload.length;
  const tokenInPayload = hasToken ? u32(payload, content, false) : undefined;

  const { chunks, cut } = read;
  const error = damage ?? read.error;
  const end = isControl ? payload.length : endOf(chunks);
  const left = content - end;
  if (left > 0 && chunks.length === numChunks && !error) {
    const more = wholeChunks(payload.subarray(0, content), version, end);
    warn('packet_excess', headSize + end, { bytes: left, chunks: more });
  }

  const packet: Packet = {
    version,
    kind: isControl ? 'control' : 'chunks',
    headSize,
    flags,
    compressed,
    resend,
    ack: ((first & 3) << 8) | bytes[1]!,
    numChunks,
    token: hasHeaderToken ? u32(bytes, 3, false) : tokenInPayload,
    payload,
    chunks,
    cut,
    control: isControl ? payload[0] : undefined,
    contentEnd: end,
  };
  return { packet, error };
}

const endOf = (chunks: readonly PacketChunk[]): number => chunks.at(-1)?.end ?? 0;

const endsWith = (payload: Uint8Array, token: number | undefined): boolean =>
  token !== undefined && payload.length >= tokenBytes && u32(payload, payload.length - tokenBytes, false) === token;

/** The number of chunks that bytes are up to their end; 0 if something else is there. */
function wholeChunks(payload: Uint8Array, version: PacketVersion, from: number): number {
  const { chunks, error } = readChunks(payload.subarray(from), version, 0, payload.length);
  const isEnd = error?.code === 'missing_chunks' && chunks.every(({ start, end }) => end > start);
  return isEnd ? chunks.length : 0;
}

interface ReadChunks {
  readonly chunks: PacketChunk[];
  readonly cut?: PacketChunk;
  readonly error?: DecodeError;
}

/**
 * ```
 * 0.6   FFss ssss  SSSS ssss  [SSSS SSSS]     F 2 resend 1 vital: only then the third byte
 * 0.7   FFss ssss  SSss ssss  [SSSS SSSS]     s size · S sequence: bits from 9 down, then from 7 down
 * ```
 */
function readChunks(payload: Uint8Array, version: PacketVersion, headSize: number, count: number): ReadChunks {
  // Of the right length from the beginning: one that grows has room for 16 more.
  const chunks: PacketChunk[] = new Array(count);
  const low = version === '0.7' ? 6 : 4;
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at >= payload.length) {
      chunks.length = i;
      return { chunks, error: new DecodeError('missing_chunks', headSize + at, { found: i, expected: count }) };
    }
    const first = payload[at]!;
    const vital = (first & 0x40) !== 0;
    const start = at + (vital ? 3 : 2);
    const second = payload[at + 1] ?? 0;
    const size = ((first & 0x3f) << low) | (second & ((1 << low) - 1));
    // In 0.6 the upper four bits contain sequence bits 6 to 9: two of them occur twice.
    const sequence = vital ? (((second >> low) << (low + 2)) | (payload[at + 2] ?? 0)) & 0x3ff : 0;
    const end = start + size;
    const chunk = { head: at, start, end, vital, resend: (first & 0x80) !== 0, sequence };
    if (end > payload.length) {
      chunks.length = i;
      const [from, expected] = start > payload.length ? [at, start - at] : [start, size];
      const args = { found: payload.length - from, expected };
      const error = new DecodeError('truncated_packet_chunk', headSize + payload.length, args);
      return { chunks, cut: chunk, error };
    }
    chunks[i] = chunk;
    at = end;
  }
  return { chunks };
}

function connless(bytes: Uint8Array, version: PacketVersion): Packet {
  const headSize = connlessHeadSize(version);
  const payload = bytes.subarray(headSize);
  const tokens =
    version === '0.7' ? { token: u32(bytes, 1, false), responseToken: u32(bytes, 5, false) } : { token: undefined };
  const withoutChunks = { compressed: false, resend: false, ack: 0, numChunks: 0, chunks: [], cut: undefined };
  const content = { payload, contentEnd: payload.length, control: undefined };
  return { version, kind: 'connless', headSize, flags: 8, ...tokens, ...withoutChunks, ...content };
}

/** Decompresses `bytes` from `start` on, and returns the error where they end too early. */
function decompressInto(into: ByteBuffer, bytes: Uint8Array, start: number, warn: Warn): DecodeError | undefined {
  // Nearly every packet takes this way, which needs no closures.
  const isWhole = decompressWhole(bytes, start, bytes.length, into, maxPayload) >= 0;
  return isWhole ? undefined : decompressSlowly(into, bytes, start, warn);
}

function decompressSlowly(into: ByteBuffer, bytes: Uint8Array, start: number, warn: Warn): DecodeError | undefined {
  const inBytes: Warn = (code, bit, args) => warn(code, bit >>> 3, args);
  const end = attempt(() => decompress(bytes, start, bytes.length, into, inBytes, maxPayload));
  return end instanceof DecodeError ? new DecodeError(end.code, end.offset >>> 3, end.args) : undefined;
}

/** The flag for a token, in the first byte of a packet of 0.6.5. */
const tokenFlag = 0x08;

/**
 * The flags in the first byte of a packet of a connection, in the order of 0.7: 8 connless, 4 compressed, 2 resend, 1
 * control.
 */
export function flagsIn(first: number, version: PacketVersion): number {
  const flags = first >> 4;
  return version === '0.7' ? (first >> 2) & 0x0f : ((flags & 8) >> 1) | ((flags & 4) >> 1) | (flags & 1);
}

export const controlFlag = 1;

export const tokenBytes = 4;

/** `NET_MAX_PACKETSIZE`, and the same without the header of 0.6: the room that the games have for a payload. */
export const maxPacketBytes = 1400;
const maxPayloadBytes = 1397;

const none: readonly DecodeError[] = [];

/**
 * The reasons for which the games drop a readable packet. If versions differ, DDNet 20 decides; refusals of 0.7 alone
 * apply to packets of 0.7. Offsets are those in the packet as sent.
 */
export function refusalsOf(bytes: Uint8Array, packet: Packet): readonly DecodeError[] {
  const isOfUsualSize = bytes.length <= maxPacketBytes && packet.payload.length <= maxPayloadBytes;
  return packet.kind === 'chunks' && isOfUsualSize ? none : findRefusals(bytes, packet);
}

function findRefusals(bytes: Uint8Array, packet: Packet): readonly DecodeError[] {
  let found: readonly DecodeError[] = none;
  const refuse = (code: DecodeError['code'], offset: number, args: DecodeError['args'] = {}) => {
    found = [...found, new DecodeError(code, offset, args)];
  };
  const { kind, version, headSize, payload, control } = packet;
  if (bytes.length > maxPacketBytes) {
    refuse('packet_too_large', maxPacketBytes, { found: bytes.length, limit: maxPacketBytes });
  } else if (payload.length > maxPayloadBytes) {
    refuse('payload_too_large', headSize, { found: payload.length, limit: maxPayloadBytes });
  }
  if (kind === 'connless') {
    const found = connlessVersionNumber(bytes);
    if (version === '0.7' && found !== 1) refuse('connless_version', 0, { found });
  } else if (kind === 'control') {
    if (control === undefined) refuse('missing_control', headSize);
    else if (controlsOf(version)[control] === undefined) refuse('unknown_control', headSize, { found: control });
    else if (control === controlCode.token && payload.length < 1 + tokenBytes) refuse('missing_token', headSize);
  }
  return found;
}

/**
 * The version of a connectionless packet, by the flag and the version in its first byte, as DDNet reads them; undefined
 * for any other datagram and for one shorter than its header.
 * ```
 * 0.6   ..1. ....  any[5]      written as ff ff ff ff ff ff, or "xe" extra[4] by DDNet
 * 0.7   ..1. ..VV  token[4]  response_token[4]                  V version, 1
 * then  ff ff ff ff  name[4]  data
 * ```
 */
export function connlessVersion(packet: Uint8Array): PacketVersion | undefined {
  const first = packet[0] ?? 0;
  if ((first & connlessFlag) === 0) return undefined;
  const version = (first & versionBits) === 1 ? '0.7' : '0.6';
  return packet.length >= connlessHeadSize(version) ? version : undefined;
}

/**
 * Whether a packet is connectionless and begins as the games of this version, or of either, write it. A datagram of
 * another program may have the flag by chance.
 */
export function isWrittenByGames(packet: Uint8Array, version = connlessVersion(packet)): boolean {
  if (version === undefined || connlessVersion(packet) !== version) return false;
  if (packet[0] === 0x21 || isExtended(packet)) return true;
  return packet.subarray(0, 6).every((byte) => byte === 0xff);
}

/** Whether the flag marks a packet as connectionless. The flag is the same bit in both versions. */
export const isConnless = (packet: Uint8Array): boolean => ((packet[0] ?? 0) & connlessFlag) !== 0;

/** The version number of a connectionless packet; the games of 0.7 refuse any other than 1. */
export const connlessVersionNumber = (packet: Uint8Array): number => (packet[0] ?? 0) & versionBits;

const connlessFlag = 0x20;
const versionBits = 3;

export const connlessHeadSize = (version: PacketVersion): number => (version === '0.7' ? 9 : 6);

export function connlessMarkSize(packet: Uint8Array, version: PacketVersion): number {
  if (version === '0.7') return 1;
  return isExtended(packet) ? extended.length : 6;
}

export const isExtended = (packet: Uint8Array) => packet[0] === extended[0] && packet[1] === extended[1];

const extended = [0x78, 0x65] as const;
