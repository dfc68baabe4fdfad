import { IntBuffer } from '../../bytes/buffers.ts';
import { DecodeError, ignore } from '../../bytes/diagnostic.ts';
import { join } from '../../bytes/join.ts';
import { unpackInts } from '../../codec/varint.ts';
import { Delta } from '../../snapshot/delta.ts';
import type { Failure } from '../failure.ts';
import { partBytes } from '../health.ts';
import { type Fit, type Hypothesis, type Search, structuralChance } from '../hypothesis.ts';
import { isSound } from '../sound.ts';
import { hasChecksum } from '../sums.ts';

/** The size from which equal parts are significant. */
const leastBytes = 32;

/** The probability that a part has another length, or equals the preceding one, by chance. */
const unusualChance = 1e-3;

/**
 * The parts of a snapshot do not belong together: two have exchanged numbers, or one belongs to the preceding snapshot.
 */
export const mixedParts: Hypothesis = {
  cause: 'mixed_parts',
  *find(failure: Failure, search: Search): Iterable<Fit> {
    const parts = partsOf(failure);
    if (parts.length < 2) return;
    const { previousParts = [] } = failure.received;
    const fitOf = (about: string, numbers: Record<string, number>, chance = structuralChance): Fit => ({
      cause: 'mixed_parts',
      about,
      keys: [],
      numbers,
      chance,
      isStructural: true,
    });
    for (let i = 0; i < parts.length; i++) {
      for (let k = i + 1; k < parts.length; k++) {
        if (!makesSum(failure, parts.with(i, parts[k]!).with(k, parts[i]!), search)) continue;
        yield fitOf('exchanged', { part: i, with: k });
        return;
      }
      const before = previousParts[i];
      if (before && !isOneBit(parts[i]!, before) && makesSum(failure, parts.with(i, before), search)) {
        yield fitOf('of_next', { part: i });
        return;
      }
    }
    const short = parts.findIndex((part, i) => i < parts.length - 1 && part.length !== partBytes);
    if (short >= 0) yield fitOf('short', { part: short, bytes: parts[short]!.length }, unusualChance);
    const stale = parts.flatMap((part, i) => (isSame(part, previousParts[i]) ? [i] : []));
    if (stale.length === 0 || stale.length === parts.length) return;
    // Parts with unchanged items can be equal; then the delta is still sound.
    const { before, protocol, base } = failure.received;
    const isBroken = failure.error !== undefined || !isSound(before, failure.delta, protocol);
    // Successive full snapshots often have equal parts.
    const times = base === -1 ? 100 : isBroken ? 1 : 10;
    yield fitOf('stale', { part: stale[0]! }, times * unusualChance);
  },
};

function partsOf({ received: { payload, partEnds = [] } }: Failure): Uint8Array[] {
  return partEnds.map((end, i) => payload.subarray(partEnds[i - 1] ?? 0, end));
}

function makesSum({ received }: Failure, parts: readonly Uint8Array[], search: Search): boolean {
  const payload = join(parts);
  if (!search.spend(2 * payload.length)) return false;
  const ints = new IntBuffer();
  const delta = new Delta();
  try {
    unpackInts(payload, 0, payload.length, ints, ignore);
    delta.read(ints.ints, ints.length, received.protocol.sizeOf);
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
  const { before, protocol, announced } = received;
  return isSound(before, delta, protocol) && hasChecksum(before, delta, announced);
}

/** Whether two parts differ only in one bit, which was flipped. */
function isOneBit(part: Uint8Array, other: Uint8Array): boolean {
  if (part.length !== other.length) return false;
  const differing = part.map((byte, i) => byte ^ other[i]!).filter((bits) => bits !== 0);
  return differing.length === 1 && (differing[0]! & (differing[0]! - 1)) === 0;
}

const isSame = (part: Uint8Array, other: Uint8Array | undefined) =>
  part.length >= leastBytes && part.length === other?.length && part.every((byte, i) => byte === other[i]);
