import type { Failure } from '../failure.ts';
import { partBytes } from '../health.ts';
import { type Fit, type Hypothesis, type Search, structuralChance } from '../hypothesis.ts';
import { makeAnnouncedSum, partsOf } from '../parts.ts';

/** The probability that a part has another length by chance. */
const unusualChance = 1e-3;

/**
 * The parts of a snapshot do not belong together: two have exchanged numbers, one belongs to the next snapshot, or one is too short.
 */
export const mixedParts: Hypothesis = {
  cause: 'mixed_parts',
  *find(failure: Failure, search: Search): Iterable<Fit> {
    const parts = partsOf(failure.received);
    if (parts.length < 2) return;
    const { previous } = failure.received;
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
      const before = previous?.parts[i];
      if (before && !isOneBit(parts[i]!, before) && makesSum(failure, parts.with(i, before), search)) {
        yield fitOf('of_next', { part: i });
        return;
      }
    }
    const short = parts.findIndex((part, i) => i < parts.length - 1 && part.length !== partBytes);
    if (short >= 0) yield fitOf('short', { part: short, bytes: parts[short]!.length }, unusualChance);
  },
};

function makesSum({ received }: Failure, parts: readonly Uint8Array[], search: Search): boolean {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  return search.spend(2 * bytes) && makeAnnouncedSum(received, parts);
}

/** Whether two parts differ only in one bit, which was flipped. */
function isOneBit(part: Uint8Array, other: Uint8Array): boolean {
  if (part.length !== other.length) return false;
  const differing = part.map((byte, i) => byte ^ other[i]!).filter((bits) => bits !== 0);
  return differing.length === 1 && (differing[0]! & (differing[0]! - 1)) === 0;
}
