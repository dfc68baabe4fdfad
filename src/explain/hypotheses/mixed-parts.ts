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

/** Parts that equal the ones before say something from this size on. */
const leastBytes = 32;

/** How likely a part has another length, or equals the one before, by chance. */
const unusualChance = 1e-3;

/**
 * The parts of a snapshot don't belong together: two have each other's number, or one holds what the snapshot before had in its
 * place.
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
    // Parts of static items can be equal; the delta then still makes sense.
    const { before, protocol, base } = failure.received;
    const isBroken = failure.error !== undefined || !isSound(before, failure.delta, protocol);
    // Full snapshots after one another have many in common.
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

/** Whether parts differ in one bit: then it was flipped. */
function isOneBit(part: Uint8Array, other: Uint8Array): boolean {
  if (part.length !== other.length) return false;
  const differing = part.map((byte, i) => byte ^ other[i]!).filter((bits) => bits !== 0);
  return differing.length === 1 && (differing[0]! & (differing[0]! - 1)) === 0;
}

const isSame = (part: Uint8Array, other: Uint8Array | undefined) =>
  part.length >= leastBytes && part.length === other?.length && part.every((byte, i) => byte === other[i]);
