import type { ByteBuffer } from '../bytes/buffers.ts';
import { DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { decoded, decodeWhole, decompressBlocks } from './huffman-blocks.ts';
import { codeBits, codeLengths, eof, single, singleBits } from './huffman-tables.ts';

const singleMask = (1 << singleBits) - 1;

/**
 * How an encoder ends a stream whose last bit ends a byte: all recordings at hand have one more zero byte, newer DDNet
 * has none.
 */
export type LastByte = 'extra' | 'none';

/**
 * Decompresses `src[start, end)` into `out`, to the end symbol. Bits fill each byte from the lowest up.
 *
 * Lenient at the end, like the games: missing zeros of the end symbol, padding bits that are set, and bytes after it
 * are warnings.
 *
 * Source: `CHuffman` in `src/engine/shared/huffman.cpp` of the games; the frequencies of its codes in
 * `src/engine/shared/network.cpp`.
 *
 * @param limit maximum number of output bytes
 * @returns the bit after the end symbol, counted from the start of `src`
 * @throws DecodeError with a bit offset, `out` contains the bytes before: `huffman_no_eof` if the bits end first,
 * `huffman_output_full` beyond `limit`.
 */
export function decompress(
  src: Uint8Array,
  start: number,
  end: number,
  out: ByteBuffer,
  warn: Warn,
  limit: number,
): number {
  const endBit = decompressWhole(src, start, end, out, limit);
  if (endBit >= 0) return endBit;
  // At most one byte of output per bit of input.
  out.reserve(Math.min((end - start) * 8, limit));
  const { bytes } = out;
  let at = decompressBlocks(src, start, end, out, limit);
  let { length } = out;
  // The rest is decoded symbol by symbol, with zeros after the last byte.
  const last = end * 8;
  while (at < last) {
    const entry = single[peek(src, at, end)]!;
    const symbol = entry & 0x1ff;
    const next = at + (entry >>> 9);
    // The games want all bits of the end symbol, also its last two, which are 0.
    if (next > last) break;
    if (symbol === eof) return finish(src, next, end, out, length, warn);
    if (length >= limit) {
      out.length = length;
      throw new DecodeError('huffman_output_full', at, { limit });
    }
    bytes[length++] = symbol;
    at = next;
  }
  out.length = length;
  throw new DecodeError('huffman_no_eof', last, { bytes: length });
}

/** The same for a stream that needs no warning; -1 for any other, and for a long one. */
export function decompressWhole(src: Uint8Array, start: number, end: number, out: ByteBuffer, limit: number): number {
  const whole = decodeWhole(src, start, end);
  if (!whole || whole.length > limit) return -1;
  out.reserve(whole.length);
  out.bytes.set(decoded.subarray(0, whole.length));
  out.length = whole.length;
  return 8 * start + whole.endBit;
}

/** The 15 bits from bit `at` on, with zeros after `end`. */
function peek(src: Uint8Array, at: number, end: number): number {
  const pos = at >>> 3;
  let bits = src[pos]!;
  if (pos + 1 < end) bits |= src[pos + 1]! << 8;
  if (pos + 2 < end) bits |= src[pos + 2]! << 16;
  return (bits >>> (at & 7)) & singleMask;
}

function finish(src: Uint8Array, bit: number, end: number, out: ByteBuffer, length: number, warn: Warn): number {
  out.length = length;
  let pos = bit >>> 3;
  if (bit & 7 && src[pos++]! >>> (bit & 7)) warn('huffman_padding', bit);
  else if (!(bit & 7) && src[pos] === 0) pos++;
  if (pos < end) warn('huffman_after_eof', pos * 8, { bytes: end - pos });
  return bit;
}

/** Compresses `src[start, end)` into `out`. */
export function compress(src: Uint8Array, start: number, end: number, out: ByteBuffer, lastByte: LastByte): void {
  out.reserve((((end - start + 1) * singleBits) >>> 3) + 2);
  const { bytes } = out;
  let length = 0;
  let bits = 0;
  let have = 0;
  for (let pos = start; pos <= end; pos++) {
    const symbol = pos < end ? src[pos]! : eof;
    bits |= codeBits[symbol]! << have;
    have += codeLengths[symbol]!;
    while (have >= 8) {
      bytes[length++] = bits;
      bits >>>= 8;
      have -= 8;
    }
  }
  if (have || lastByte === 'extra') bytes[length++] = bits;
  out.length = length;
}

/**
 * The bit of the input at which each byte of output begins, and the end symbol; `first` is that of the stream. It
 * follows from code lengths.
 */
export function bitOffsets(output: Uint8Array, first = 0): Uint32Array {
  const offsets = new Uint32Array(output.length + 1);
  let bit = first;
  for (let i = 0; i < output.length; i++) {
    offsets[i] = bit;
    bit += codeLengths[output[i]!]!;
  }
  offsets[output.length] = bit;
  return offsets;
}

/**
 * Whether `src[start, end)` can be a whole stream, by its last bytes. Fast; wrong for one of some thousand random
 * inputs.
 */
export function endsWithEof(src: Uint8Array, start: number, end: number): boolean {
  const bits = lastBits(src, end);
  // The code ends in 1 0 0: its last set bit is the highest of the stream, even if the two zeros are in the next byte.
  const last = 31 - Math.clz32(bits);
  const first = last - eofTop;
  return last >= 16 && first >= 8 * (start - end) + 32 && ((bits >>> first) & eofMask) === eofBits;
}

function lastBits(src: Uint8Array, end: number): number {
  if (end >= 4) return src[end - 4]! | (src[end - 3]! << 8) | (src[end - 2]! << 16) | (src[end - 1]! << 24);
  let bits = 0;
  for (let at = 0; at < end; at++) bits |= src[at]! << (8 * (at - end + 4));
  return bits;
}

const eofBits = codeBits[eof]!;
/** The highest set bit of the end symbol's code, and the bits up to it. */
const eofTop = 31 - Math.clz32(eofBits);
const eofMask = (1 << (eofTop + 1)) - 1;

/**
 * How the encoder of a whole stream ends streams; undefined where the last bit does not end a byte, as in seven of
 * eight.
 */
export function lastByteOf(src: Uint8Array, start: number, end: number): LastByte | undefined {
  const hasZero = src[end - 1] === 0;
  const at = hasZero ? end - 2 : end - 1;
  // The code of the end symbol ends in 1 0 0: where these bits end a byte, bit 5 is its highest set bit.
  if (at < start || src[at]! >>> 5 !== 1) return undefined;
  return hasZero ? 'extra' : 'none';
}
