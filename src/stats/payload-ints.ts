import { codeLengths, eof } from '../codec/huffman-codes.ts';
import { PayloadReader } from '../decode/payload-reader.ts';

export const eofBits = codeLengths[eof]!;

/** The size of some bytes in bits: the length of their Huffman codes if compressed, otherwise eight bits each. */
export function bitsOfBytes(bytes: Uint8Array, start: number, end: number, compressed: boolean): number {
  if (!compressed) return 8 * (end - start);
  let bits = 0;
  for (let at = start; at < end; at++) bits += codeLengths[bytes[at]!]!;
  return bits;
}

/**
 * The sizes in bits of the end symbol, which may be cut off or missing, and of the padding after it. The padding fills the last byte
 * and can include an extra zero byte.
 */
export function endOfStream(
  streamBits: number,
  payloadBits: number,
): { readonly end: number; readonly padding: number } {
  const end = Math.max(0, Math.min(payloadBits - streamBits, eofBits));
  return { end, padding: payloadBits - streamBits - end };
}

/** The part of a payload in one packet. */
export interface PayloadPart {
  readonly length: number;
  readonly compressed: boolean;
}

/** The ints of a payload, and the bit at which each begins, in reused buffers. */
export class PayloadInts {
  readonly #reader = new PayloadReader(() => 0, {
    positions: true,
    warn: (code) => {
      if (code === 'huffman_after_eof') this.#isAll = false;
    },
  });
  /** Whether nothing but padding follows the end symbol. */
  #isAll = true;
  /** The bit at which each int begins; `bits[length]` is the end of the last one. */
  bits = new Uint32Array(1);

  get ints(): Int32Array<ArrayBuffer> {
    return this.#reader.ints.ints;
  }

  get length(): number {
    return this.#reader.ints.length;
  }

  /** Bits of all ints. */
  get streamBits(): number {
    return this.bits[this.length]!;
  }

  /** The size of the ints in bytes before compression. */
  get packedBytes(): number {
    return this.#reader.ints.offsets![this.length]!;
  }

  /**
   * @returns whether nothing but the end symbol and less than two bytes of padding follow
   * @throws DecodeError
   */
  readCompressed(payload: Uint8Array): boolean {
    this.#isAll = true;
    this.#read(payload, 'huffman');
    const { bytes, length } = this.#reader.bytes;
    this.#addPositions(bytes, 0, length, 0, true);
    return this.#isAll;
  }

  /**
   * @param parts in their order; together as long as the payload
   * @throws DecodeError
   */
  readPacked(payload: Uint8Array, parts: readonly PayloadPart[]): void {
    this.#read(payload, 'packed');
    let at = 0;
    let bit = 0;
    for (const { length, compressed } of parts) {
      bit = this.#addPositions(payload, at, at + length, bit, compressed);
      at += length;
    }
  }

  #read(payload: Uint8Array, encoding: 'huffman' | 'packed'): void {
    this.#reader.unpack(payload, encoding);
    if (this.bits.length <= this.length) this.bits = new Uint32Array(2 * this.length + 1);
  }

  /** Sets the positions of the ints that begin in `bytes[start, end)`, and returns the bit after these bytes. */
  #addPositions(bytes: Uint8Array, start: number, end: number, first: number, compressed: boolean): number {
    const { bits } = this;
    const offsets = this.#reader.ints.offsets!;
    const count = this.length;
    let int = start === 0 ? 0 : this.#firstFrom(start);
    let bit = first;
    for (let at = start; at < end; at++) {
      if (int < count && offsets[int] === at) bits[int++] = bit;
      bit += compressed ? codeLengths[bytes[at]!]! : 8;
    }
    bits[count] = bit;
    return bit;
  }

  /** The index of the first int that begins at this byte or after it. */
  #firstFrom(at: number): number {
    const offsets = this.#reader.ints.offsets!;
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (offsets[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
