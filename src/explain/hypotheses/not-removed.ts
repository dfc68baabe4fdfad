import type { Failure } from '../failure.ts';
import type { Fit, Hypothesis } from '../hypothesis.ts';
import { chanceOf, sumOf } from '../sums.ts';

/**
 * The server dropped an item without listing it as removed. The client keeps it, so its checksum is larger by the
 * item's sum.
 */
export const notRemoved: Hypothesis = {
  cause: 'not_removed',
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Fit> {
    if (difference === undefined || !snapshot) return;
    const updated = new Set(delta.keys.subarray(0, delta.count));
    const target = -difference | 0;
    const kept: number[] = [];
    for (let i = 0; i < before.count; i++) {
      const key = before.keys[i]!;
      if (!updated.has(key) && snapshot.findKey(key) >= 0) kept.push(i);
    }
    const sums = kept.map((i) => sumOf(before.item(i)));
    for (const [k, i] of kept.entries()) {
      if (sums[k] !== target) continue;
      const key = before.keys[i]!;
      const chance = chanceOf(target, sums);
      yield { cause: 'not_removed', about: String(key), keys: [key], chance, isStructural: false };
    }
  },
};
