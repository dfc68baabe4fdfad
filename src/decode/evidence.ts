import { codeLengths } from '../codec/huffman-tables.ts';

/** The bits that a rule adds if it is satisfied, and those (negative) if it is broken. */
export type Rule = readonly [satisfied: number, broken: number];

/**
 * How strongly bytes support a reading: the bits that its rules save in describing the bytes, compared with random ones.
 *
 * The right reading satisfies its rules up to the end, or up to where the bytes are damaged or cut; bytes after damage are no
 * evidence for or against it. A wrong reading breaks its rules early. Therefore the sum counts up to its highest point, and rules
 * broken after that cost a fixed number of bits at most.
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

  test([satisfied, broken]: Rule, isSatisfied: boolean): void {
    this.add(isSatisfied ? satisfied : broken);
  }

  get bits(): number {
    return Math.max(this.#sum, this.#best - damagePenalty);
  }
}

/** Most inputs are undamaged: a damaged reading needs this many bits more. */
const damagePenalty = 10;

/**
 * Bits by which `bytes[start]` up to `bytes[end]` are shorter in the games' Huffman code, which was made for their values.
 * Negative for bytes that are rare there. Compressed bytes save nothing more.
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

/** The evidence from the end of compressed bytes: the end symbol is rare in random bits, and even rarer at their end. */
export function endSymbolEvidence(codes: ReadonlySet<string>): number {
  if (codes.has('huffman_no_eof') || codes.has('huffman_output_full')) return -2;
  return codes.has('huffman_after_eof') ? -6 : 12;
}
