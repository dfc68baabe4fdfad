import { codeLengths } from '../codec/huffman-codes.ts';

/** The bits that a rule is worth where it holds, and those that it costs where it is broken. */
export type Rule = readonly [holds: number, broken: number];

/**
 * How much bytes speak for a reading: the bits that its rules save in describing the bytes, compared with random ones.
 *
 * A right reading holds up to the end, or up to where the bytes are damaged or cut; what comes after damage speaks neither for
 * it nor against it. A wrong reading breaks its rules early. So the sum counts up to its best point, and a reading that goes on
 * after that, breaking rules, loses a fixed number of bits at most.
 *
 *     const evidence = new Evidence();
 *     evidence.add(savedInInt(count));
 *     evidence.test([2, -20], count <= maxItems);
 *     evidence.bits
 */
export class Evidence {
  #sum = 0;
  #best = 0;

  add(bits: number): void {
    this.#sum += bits;
    if (this.#sum > this.#best) this.#best = this.#sum;
  }

  test([holds, broken]: Rule, isHeld: boolean): void {
    this.add(isHeld ? holds : broken);
  }

  get bits(): number {
    return Math.max(this.#sum, this.#best - damage);
  }
}

/** Most inputs are whole: damage has to be made up for by this many bits. */
const damage = 10;

/**
 * Bits by which `bytes[start]` up to `bytes[end]` are shorter in the games' Huffman code, which was made for their values.
 * Negative for bytes that are rare there. Bytes that were compressed save nothing more.
 */
export function savedInBytes(bytes: Uint8Array, start: number, end: number): number {
  let saved = 0;
  for (let at = start; at < end; at++) saved += 8 - codeLengths[bytes[at]!]!;
  return saved;
}

/** The same for a 32-bit int, which the games send as a varint: its first byte is ESDD DDDD, the others are EDDD DDDD. */
export function savedInInt(int: number): number {
  let rest = int < 0 ? ~int : int;
  const first = (rest > 0x3f ? 0x80 : 0) | (int < 0 ? 0x40 : 0) | (rest & 0x3f);
  let saved = 32 - codeLengths[first]!;
  for (rest >>>= 6; rest > 0; rest >>>= 7) saved -= codeLengths[(rest > 0x7f ? 0x80 : 0) | (rest & 0x7f)]!;
  return saved;
}

/** What the end of compressed bytes is worth: few random bits have the end symbol, and fewer have it last. */
export function endSymbolEvidence(codes: ReadonlySet<string>): number {
  if (codes.has('huffman_no_eof') || codes.has('huffman_output_full')) return -2;
  return codes.has('huffman_after_eof') ? -6 : 12;
}
