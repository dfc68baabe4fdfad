import { codeLengths, eof } from '../../wire/codec/huffman-tables.ts';
import type { Packet } from '../../wire/packet/packet.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
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
 * Counts the end symbol of a stream, which may be cut off or missing, and the padding after it. The padding fills the
 * last byte and can include an extra zero byte.
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
  readCompressed(payload: Uint8Array, start = 0, end = payload.length): boolean {
    this.#isAll = true;
    this.#read(payload, 'huffman', start, end);
    const { bytes, length } = this.#reader.bytes;
    this.#setPositions(bytes, [{ length, compressed: true }]);
    return this.#isAll;
  }

  /**
   * @param parts in their order; together as long as the payload
   * @throws DecodeError
   */
  readPacked(payload: Uint8Array, parts: readonly PayloadPart[]): void {
    this.#read(payload, 'packed');
    this.#setPositions(payload, parts);
  }

  #read(payload: Uint8Array, encoding: 'huffman' | 'packed', start = 0, end = payload.length): void {
    this.#reader.unpack(payload, encoding, start, end);
    if (this.bits.length <= this.length) this.bits = new Uint32Array(2 * this.length + 1);
  }

  #setPositions(bytes: Uint8Array, parts: readonly PayloadPart[]): void {
    const { bits, length: count } = this;
    const offsets = this.#reader.ints.offsets!;
    let at = 0;
    let int = 0;
    let bit = 0;
    for (const { length, compressed } of parts) {
      for (const end = at + length; at < end; at++) {
        if (int < count && offsets[int] === at) bits[int++] = bit;
        bit += compressed ? codeLengths[bytes[at]!]! : 8;
      }
    }
    bits[count] = bit;
  }
}
