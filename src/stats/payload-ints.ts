import { codeLengths, eof } from '../codec/huffman-tables.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { Packet } from '../packet/packet.ts';
import type { Tally } from './tally.ts';

export const eofBits = codeLengths[eof]!;

/** The bit at which each byte of a packet's payload begins, in a reused buffer. */
export class PayloadBits {
  #offsets = new Uint32Array(1);

  /** Each byte has the length of its Huffman code if the payload is compressed, otherwise eight bits. */
  read({ payload, compressed }: Pick<Packet, 'payload' | 'compressed'>): this {
    if (this.#offsets.length <= payload.length) this.#offsets = new Uint32Array(2 * payload.length + 1);
    const offsets = this.#offsets;
    let bit = 0;
    for (let at = 0; at < payload.length; at++) {
      offsets[at] = bit;
      bit += compressed ? codeLengths[payload[at]!]! : 8;
    }
    offsets[payload.length] = bit;
    return this;
  }

  between(start: number, end: number): number {
    return this.#offsets[end]! - this.#offsets[start]!;
  }
}

/**
 * Counts the end symbol of a stream, which may be cut off or missing, and the padding after it. The padding fills the last
 * byte and can include an extra zero byte.
 */
export function countEnd(tally: Tally, streamBits: number, payloadBits: number): void {
  const end = Math.max(0, Math.min(payloadBits - streamBits, eofBits));
  tally.part('end_symbols', end);
  tally.part('padding', payloadBits - streamBits - end);
}

export interface PayloadPart {
  readonly length: number;
  readonly compressed: boolean;
}

export function allParts(
  parts: readonly (PayloadPart | undefined)[],
  expected: number,
  payload: Uint8Array | undefined,
): PayloadPart[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  const length = known.reduce((sum, part) => sum + part.length, 0);
  return known.length === expected && length === payload?.length ? known : undefined;
}

export class PayloadInts {
  readonly #reader = new PayloadReader(() => 0, {
    positions: true,
    warn: (code) => {
      if (code === 'huffman_after_eof') this.#isAll = false;
    },
  });
  #isAll = true;
  /** The bit at which each int begins; `bits[length]` is the end of the last one. */
  bits = new Uint32Array(1);

  get ints(): Int32Array<ArrayBuffer> {
    return this.#reader.ints.ints;
  }

  get length(): number {
    return this.#reader.ints.length;
  }

  get streamBits(): number {
    return this.bits[this.length]!;
  }

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
