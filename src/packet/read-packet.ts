import { ByteBuffer } from '../bytes/buffers.ts';
import { DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { decompress } from '../codec/huffman.ts';
import { connlessHeadSize, isConnless } from './connectionless.ts';
import type { Packet, PacketChunk, PacketVersion } from './packet.ts';

/** The longest decompressed payload that is read; the games have a lower limit, see `refusals.ts`. */
const maxPayload = 4096;

/** A packet as far as it could be read, and the error that stopped the reading. */
export interface PartOfPacket {
  /** Undefined if the header is incomplete. */
  readonly packet: Packet | undefined;
  readonly error: DecodeError | undefined;
}

/**
 * Reads a packet in the layout of a version:
 * ```
 * 0.6   FFFF T.AA  AAAA AAAA  NNNN NNNN  [token[4]]   F 8 compressed 4 resend 2 connless 1 control · T token follows (0.6.5)
 * 0.7   ..FF FFAA  AAAA AAAA  NNNN NNNN  token[4]     F 8 connless 4 compressed 2 resend 1 control
 * A ack · N number of chunks
 * connless: 0.6 six bytes ff, DDNet's extended "xe" and four bytes · 0.7 0x21 and two tokens
 * ```
 * Offsets are in bytes of the packet as if its payload had not been compressed; those of the Huffman code in bytes of the packet
 * as it is.
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
 * @param options.into the buffer for the decompressed payload, which is then valid only until the buffer is filled again
 */
export function readPartOfPacket(
  bytes: Uint8Array,
  version: PacketVersion,
  warn: Warn,
  options: { readonly unpacked?: boolean; readonly into?: ByteBuffer } = {},
): PartOfPacket {
  const first = bytes[0] ?? 0;
  const isWithoutConnection = isConnless(bytes);
  const hasHeaderToken = version === '0.7' || (first & tokenFlag) !== 0;
  const headSize = isWithoutConnection ? connlessHeadSize(version) : hasHeaderToken ? 7 : 3;
  if (bytes.length < headSize) {
    const error = new DecodeError('truncated_packet', bytes.length, { found: bytes.length, expected: headSize });
    return { packet: undefined, error };
  }
  if (isWithoutConnection) return { packet: connless(bytes, version), error: undefined };
  const flags = version === '0.7' ? (first >> 2) & 0x0f : flags06(first >> 4);
  const unused = version === '0.7' ? first & 0xc0 : first & 0x04;
  if (unused) warn('packet_padding', 0, { found: unused });
  if (version === '0.6' && hasHeaderToken) warn('header_token', 0);
  const isControl = (flags & 1) !== 0;
  const compressed = (flags & 4) !== 0 && options.unpacked !== true;
  if (compressed && isControl) warn('compressed_control', 0);
  const { payload, error: damage } = compressed
    ? decompressed(bytes, headSize, warn, options.into ?? new ByteBuffer())
    : { payload: bytes.subarray(headSize), error: undefined };
  const numChunks = bytes[2]!;
  const read: ReadChunks = isControl ? { chunks: [] } : readChunks(payload, version, headSize, numChunks);
  const { chunks, cut } = read;
  const error = damage ?? read.error;
  const end = isControl ? payload.length : (chunks.at(-1)?.end ?? 0);
  const left = payload.length - end;
  const isWhole = chunks.length === numChunks && !error;
  // DDNet's token is after the last chunk, inside the compressed part.
  const hasToken = !hasHeaderToken && left === 4 && isWhole;
  if (left > 0 && !hasToken && isWhole) warn('packet_excess', headSize + end, { bytes: left });
  const packet: Packet = {
    version,
    kind: isControl ? 'control' : 'chunks',
    headSize,
    flags,
    compressed,
    resend: (flags & 2) !== 0,
    ack: ((first & 3) << 8) | bytes[1]!,
    numChunks,
    token: hasHeaderToken ? u32(bytes, 3) : hasToken ? u32(payload, end) : undefined,
    payload,
    chunks,
    cut,
    control: isControl ? payload[0] : undefined,
    contentEnd: end,
  };
  return { packet, error };
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
  const chunks: PacketChunk[] = [];
  const low = version === '0.7' ? 6 : 4;
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at >= payload.length) {
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
      const [from, expected] = start > payload.length ? [at, start - at] : [start, size];
      const args = { found: payload.length - from, expected };
      const error = new DecodeError('truncated_packet_chunk', headSize + payload.length, args);
      return { chunks, cut: chunk, error };
    }
    chunks.push(chunk);
    at = end;
  }
  return { chunks };
}

function connless(bytes: Uint8Array, version: PacketVersion): Packet {
  const headSize = connlessHeadSize(version);
  const payload = bytes.subarray(headSize);
  const token = version === '0.7' ? u32(bytes, 1) : undefined;
  return {
    version,
    kind: 'connless',
    headSize,
    flags: 8,
    compressed: false,
    resend: false,
    ack: 0,
    numChunks: 0,
    token,
    payload,
    chunks: [],
    cut: undefined,
    control: undefined,
    contentEnd: payload.length,
  };
}

function decompressed(
  bytes: Uint8Array,
  start: number,
  warn: Warn,
  into: ByteBuffer,
): { payload: Uint8Array; error: DecodeError | undefined } {
  const inBytes: Warn = (code, bit, args) => warn(code, bit >>> 3, args);
  let failure: DecodeError | undefined;
  try {
    decompress(bytes, start, bytes.length, into, inBytes, maxPayload);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    failure = new DecodeError(error.code, error.offset >>> 3, error.args);
  }
  return { payload: into.bytes.subarray(0, into.length), error: failure };
}

/** The flag for a token, in the first byte of a packet of 0.6.5. */
const tokenFlag = 0x08;

/** The flags of 0.6 in the order of 0.7: 4 compressed, 2 resend, 1 control. */
function flags06(flags: number): number {
  return ((flags & 8) >> 1) | ((flags & 4) >> 1) | (flags & 1);
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
