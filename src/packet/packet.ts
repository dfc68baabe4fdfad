import { ByteBuffer } from '../bytes/buffers.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import { decompress } from '../codec/huffman.ts';

/** Which of the two ways a packet is laid out. */
export type PacketVersion = '0.6' | '0.7';

/** Bytes that a packet, and its decompressed payload, have at most in the games; a little more is still looked at. */
export const maxPacketBytes = 1400;
const maxPayload = 4096;

/** A part of a packet that holds one message. */
export interface PacketChunk {
  /** In the payload: where its head begins, its message, and its end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
  readonly vital: boolean;
  readonly resend: boolean;
  /** Of vital chunks, 0 to 1023; counted per connection and direction. */
  readonly sequence: number;
}

/** A packet of a connection, or one without. */
export interface Packet {
  readonly version: PacketVersion;
  readonly kind: 'chunks' | 'control' | 'connless';
  /** Bytes of the header; what follows is the payload. */
  readonly headSize: number;
  /** As the header has them, in the order of 0.7: 8 connless, 4 compressed, 2 resend, 1 control. */
  readonly flags: number;
  /** Whether the payload came compressed: of control packets it never does. */
  readonly compressed: boolean;
  /** Whether the sender asks for chunks again. */
  readonly resend: boolean;
  /** The last vital sequence number that the sender has. */
  readonly ack: number;
  readonly numChunks: number;
  /** 0.7: of the header. 0.6 of DDNet: behind the last chunk. */
  readonly token: number | undefined;
  /** Decompressed, where it was compressed; else the packet's own bytes. */
  readonly payload: Uint8Array;
  readonly chunks: readonly PacketChunk[];
  /** The chunk that goes on behind the payload's end; its `start` may lie there, too. */
  readonly cut: PacketChunk | undefined;
  /** Of control packets: the code; what follows it is the rest of the payload. */
  readonly control: number | undefined;
  /** Bytes of the payload that are its content: without DDNet's token. */
  readonly contentEnd: number;
}

const controlNames: Readonly<Record<PacketVersion, Readonly<Record<number, string>>>> = {
  '0.6': { 0: 'keepalive', 1: 'connect', 2: 'connectaccept', 3: 'accept', 4: 'close' },
  '0.7': { 0: 'keepalive', 1: 'connect', 2: 'accept', 4: 'close', 5: 'token' },
};

/** What the codes of control packets say. */
export const controlsOf = (version: PacketVersion) => controlNames[version];

const flagNames = { 4: 'compressed', 2: 'resend', 8: 'connless', 1: 'control' } as const;

/** The names of the flags of a packet's header. */
export function flagsOf({ flags }: Packet): string[] {
  return ([4, 2, 8, 1] as const).filter((bit) => flags & bit).map((bit) => flagNames[bit]);
}

/** A packet as far as it could be read, and what stopped the reading. */
export interface PartOfPacket {
  /** Undefined where not even the header is whole. */
  readonly packet: Packet | undefined;
  readonly error: DecodeError | undefined;
}

/**
 * Reads a packet, laid out as one version does:
 * ```
 * 0.6   FFFF ..AA  AAAA AAAA  NNNN NNNN            F 8 compressed 4 resend 2 connless 1 control
 * 0.7   ..FF FFAA  AAAA AAAA  NNNN NNNN  token[4]  F 8 connless 4 compressed 2 resend 1 control
 * A ack · N number of chunks
 * connless: 0.6 six bytes ff, DDNet's extended "xe" and four bytes · 0.7 0x21 and two tokens
 * ```
 * Warnings have the byte as if the payload had not been compressed; those of the Huffman code that of the packet as it is.
 * @throws DecodeError with the byte where reading stopped: `truncated_packet`, or of the Huffman code, then in bytes too
 */
export function readPacket(bytes: Uint8Array, version: PacketVersion, warn: Warn): Packet {
  const { packet, error } = readPartOfPacket(bytes, version, warn);
  if (error) throw error;
  return packet!;
}

/**
 * The same for one that may be damaged: gives what was read before the error, too.
 * @param options.unpacked of our own dumps: the payload was decompressed, whatever the flags say
 * @param options.into what the payload is decompressed into: it is then valid only until that is filled again
 */
export function readPartOfPacket(
  bytes: Uint8Array,
  version: PacketVersion,
  warn: Warn,
  options: { readonly unpacked?: boolean; readonly into?: ByteBuffer } = {},
): PartOfPacket {
  const connless = readConnless(bytes, version);
  if (connless) return { packet: connless, error: undefined };
  const headSize = version === '0.7' ? 7 : 3;
  if (bytes.length < headSize) {
    const error = new DecodeError('truncated_packet', bytes.length, { found: bytes.length, expected: headSize });
    return { packet: undefined, error };
  }
  const first = bytes[0]!;
  const flags = version === '0.7' ? (first >> 2) & 0x0f : flags06(first >> 4);
  const unused = version === '0.7' ? first & 0xc0 : first & 0x0c;
  if (unused) warn('packet_padding', 0, { found: unused });
  const isControl = (flags & 1) !== 0;
  const compressed = (flags & 4) !== 0 && !isControl && options.unpacked !== true;
  const { payload, error } = compressed
    ? decompressed(bytes, headSize, warn, options.into ?? new ByteBuffer())
    : { payload: bytes.subarray(headSize), error: undefined };
  const numChunks = bytes[2]!;
  const { chunks, cut } = isControl
    ? { chunks: [], cut: undefined }
    : readChunks(payload, version, { headSize, numChunks }, error ? ignore : warn);
  const end = isControl ? payload.length : (chunks.at(-1)?.end ?? 0);
  const left = payload.length - end;
  const isWhole = chunks.length === numChunks && !error;
  // DDNet's token lies behind the last chunk, inside what is compressed.
  const hasToken = version === '0.6' && left === 4 && isWhole;
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
    token: version === '0.7' ? u32(bytes, 3) : hasToken ? u32(payload, end) : undefined,
    payload,
    chunks,
    cut,
    control: isControl ? payload[0] : undefined,
    contentEnd: end,
  };
  return { packet, error };
}

/**
 * ```
 * 0.6   FFss ssss  SSSS ssss  [SSSS SSSS]     F 2 resend 1 vital: only then the third byte
 * 0.7   FFss ssss  SSss ssss  [SSSS SSSS]     s size · S sequence: bits from 9 down, then from 7 down
 * ```
 */
function readChunks(
  payload: Uint8Array,
  version: PacketVersion,
  { headSize, numChunks: count }: { headSize: number; numChunks: number },
  warn: Warn,
): { chunks: PacketChunk[]; cut: PacketChunk | undefined } {
  const chunks: PacketChunk[] = [];
  const low = version === '0.7' ? 6 : 4;
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at >= payload.length) {
      warn('missing_chunks', headSize + at, { found: i, expected: count });
      break;
    }
    const first = payload[at]!;
    const vital = (first & 0x40) !== 0;
    const start = at + (vital ? 3 : 2);
    const second = payload[at + 1] ?? 0;
    const size = ((first & 0x3f) << low) | (second & ((1 << low) - 1));
    // Of 0.6 the upper four bits hold sequence bits 6 to 9: two of them stand twice.
    const sequence = vital ? (((second >> low) << (low + 2)) | (payload[at + 2] ?? 0)) & 0x3ff : 0;
    const end = start + size;
    const chunk = { head: at, start, end, vital, resend: (first & 0x80) !== 0, sequence };
    if (end > payload.length) {
      const [from, expected] = start > payload.length ? [at, start - at] : [start, size];
      warn('truncated_packet_chunk', headSize + payload.length, { found: payload.length - from, expected });
      return { chunks, cut: chunk };
    }
    chunks.push(chunk);
    at = end;
  }
  return { chunks, cut: undefined };
}

function readConnless(bytes: Uint8Array, version: PacketVersion): Packet | undefined {
  const none = {
    flags: 8,
    compressed: false,
    resend: false,
    ack: 0,
    numChunks: 0,
    chunks: [],
    cut: undefined,
    control: undefined,
  } as const;
  const size = connlessHead(bytes, version);
  if (size === undefined) return undefined;
  const payload = bytes.subarray(size);
  const token = version === '0.7' ? u32(bytes, 1) : undefined;
  return { ...none, version, kind: 'connless', headSize: size, token, payload, contentEnd: payload.length };
}

function connlessHead(bytes: Uint8Array, version: PacketVersion): number | undefined {
  if (version === '0.7') return bytes.length >= 9 && bytes[0] === 0x21 ? 9 : undefined;
  if (bytes.length < 6) return undefined;
  const isExtended = bytes[0] === 0x78 && bytes[1] === 0x65;
  return isExtended || bytes.subarray(0, 6).every((byte) => byte === 0xff) ? 6 : undefined;
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

/** The flags of 0.6 in the order of 0.7: 4 compressed, 2 resend, 1 control. */
function flags06(flags: number): number {
  return ((flags & 8) >> 1) | ((flags & 4) >> 1) | (flags & 1);
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
