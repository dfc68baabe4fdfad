import { ByteBuffer } from '../../wire/bytes/buffers.ts';
import { decompressWhole } from '../../wire/codec/huffman.ts';
import { eof, single } from '../../wire/codec/huffman-tables.ts';
import type { DemoRules } from '../games/demo-rules.ts';
import { type GameBuffer, maxBytes, Unforeseen } from './memory.ts';

/** Bits that `CHuffman` looks up at once (`HUFFMAN_LUTBITS`); it walks the tree for the rest of a code. */
const lookUpBits = 10;

type CodecRules = Pick<DemoRules, 'checksCodes' | 'readsIntsPastEnd'>;

/** The 15 bits from bit `at` on, with zeros after `end`. */
function bitsAt(src: Uint8Array, at: number, end: number): number {
  const pos = at >>> 3;
  let bits = 0;
  for (let i = 0; i < 3 && pos + i < end; i++) bits |= src[pos + i]! << (8 * i);
  return (bits >>> (at & 7)) & (single.length - 1);
}

/** The bytes and ints of a chunk: `CHuffman::Decompress`, `CVariableInt::Decompress`. */
export class ChunkInts {
  readonly #rules: CodecRules;
  /** The bytes that either step may make. */
  readonly #limit: number;
  readonly #bytes: ByteBuffer;
  /** The bytes that were written so far, from the beginning. */
  #known = 0;

  constructor(rules: CodecRules, limit: number = maxBytes) {
    this.#rules = rules;
    this.#limit = limit;
    this.#bytes = new ByteBuffer(limit);
  }

  copy(rules: CodecRules): ChunkInts {
    const copy = new ChunkInts(rules, this.#limit);
    copy.#bytes.bytes.set(this.#bytes.bytes);
    copy.#known = this.#known;
    return copy;
  }

  /** Decompresses `src[start, end)`; returns the number of bytes, -1 for an error. */
  decompress(src: Uint8Array, start: number, end: number): number {
    const isWhole = decompressWhole(src, start, end, this.#bytes, this.#limit) >= 0;
    const length = isWhole ? this.#bytes.length : this.#decompress(src, start, end);
    if (length > this.#known) this.#known = length;
    return length;
  }

  /** Code by code. Zeros follow the end, where a code may end in some versions. */
  #decompress(src: Uint8Array, start: number, end: number): number {
    const { bytes } = this.#bytes;
    let isBeyond = false;
    let length = 0;
    for (let bit = start * 8; ; ) {
      const entry = single[bitsAt(src, bit, end)]!;
      const size = entry >>> 9;
      const left = end * 8 - bit;
      if (!isBeyond && left < size) {
        // The bits of a code that is walked are counted down to 0, unless the look-up took exactly the last ones.
        const isWalked = size > lookUpBits;
        if (isWalked && left > lookUpBits) return -1;
        if (!(isWalked && left === lookUpBits) && this.#rules.checksCodes) return -1;
        isBeyond = true;
      }
      bit += size;
      if ((entry & 0x1ff) === eof) return length;
      if (length === this.#limit) return -1;
      bytes[length++] = entry & 0x1ff;
    }
  }

  /** Unpacks the first bytes of what was decompressed; returns the bytes of the ints, -1 for an error. */
  unpack(end: number, into: GameBuffer): number {
    const { bytes } = this.#bytes;
    const { ints } = into;
    let count = 0;
    for (let at = 0; at < end; ) {
      if (count === this.#limit >> 2) return -1;
      let byte = bytes[at++]!;
      const flip = -((byte >>> 6) & 1);
      let value = byte & 0x3f;
      for (let shift = 6; shift <= 27 && byte & 0x80; shift += 7) {
        if (at >= end && !this.#rules.readsIntsPastEnd) return -1;
        if (at >= this.#known) throw new Unforeseen('an int beyond its buffer');
        byte = bytes[at++]!;
        value |= (byte & (shift < 27 || this.#rules.readsIntsPastEnd ? 0x7f : 0x0f)) << shift;
      }
      ints[count++] = value ^ flip;
    }
    into.know(count);
    return count * 4;
  }
}
