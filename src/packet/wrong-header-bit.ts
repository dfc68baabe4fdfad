import type { Protocol } from '../protocol/registry.ts';
import { type PacketContents, readPacketContents } from './packet-contents.ts';
import { packetEvidence } from './packet-evidence.ts';

/** A bit of a packet's header without whose damage the packet would have no flaw. */
export interface WrongHeaderBit {
  readonly byte: number;
  /** From the lowest bit. */
  readonly bit: number;
  readonly field: 'flags' | 'num_chunks';
  /** How strongly the bytes support the packet with the other bit, in bits. */
  readonly evidence: number;
}

/**
 * ```
 * FFFF FFaa  aaaa aaaa  nnnn nnnn          F flags, n num_chunks
 * ```
 * These bits decide how all bytes after the header are read. One wrong bit among them makes the rest look like anything
 * but a packet, although nothing else is damaged.
 */
const decidingBits = [
  ...[2, 3, 4, 5, 6, 7].map((bit) => ({ byte: 0, bit, field: 'flags' }) as const),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bit) => ({ byte: 2, bit, field: 'num_chunks' }) as const),
];

/** What the assumption costs that one of these bits is wrong, in bits. */
const assumptionCost = 10;
/** The sizes between which an input may be a packet. */
const [minBytes, maxBytes] = [3, 1400];

/**
 * The wrong bit in the header of a damaged packet, if the packet is flawless with the other bit.
 * @param isFlawless whether a reading has no penalty
 */
export function findWrongHeaderBit(
  file: Uint8Array,
  protocol: Protocol,
  isFlawless: (contents: PacketContents) => boolean,
): WrongHeaderBit | undefined {
  if (file.length < minBytes || file.length > maxBytes) return undefined;
  const changed = file.slice();
  let best: WrongHeaderBit | undefined;
  for (const one of decidingBits) {
    changed[one.byte]! ^= 1 << one.bit;
    const contents = readPacketContents(changed, protocol);
    if (isFlawless(contents)) {
      const evidence = packetEvidence(contents) - assumptionCost;
      if (!best || evidence > best.evidence) best = { ...one, evidence };
    }
    changed[one.byte]! ^= 1 << one.bit;
  }
  return best;
}
