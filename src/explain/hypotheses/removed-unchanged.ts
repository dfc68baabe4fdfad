import { typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Failure } from '../failure.ts';
import { expecting, type Fit, type Hypothesis } from '../hypothesis.ts';
import { keySets, removedKeys } from '../key-sets.ts';
import { chanceOf, sumOf } from '../sums.ts';

/**
 * The delta lists items as removed that are still in the server's snapshot, unchanged. The client drops them, so the
 * announced checksum is larger by their sum. DDNet did this until August 2022 if a bucket of its hash table was full.
 */
export const removedUnchanged: Hypothesis = {
  cause: 'removed_unchanged',
  *find(failure: Failure): Iterable<Fit> {
    const { delta, difference, snapshot, received } = failure;
    const { before } = received;
    if (difference === undefined || !snapshot) return;
    for (const { keys, tried } of keySets(before, removedKeys(delta, before, snapshot), difference)) {
      const chance = chanceOf(difference, tried);
      const fit: Fit = { cause: 'removed_unchanged', about: keys.join(), keys, chance, isStructural: false };
      if (keys.some((key) => hasTwin(failure, snapshot, key))) yield fit;
      else
        yield {
          ...fit,
          confirm: expecting(new Map(keys.map((key) => [key, before.item(before.findKey(key)).slice()]))),
        };
    }
  },
};

/**
 * Whether two items of a type may have shared a key: another one has the same sum, and also the same values unless the delta
 * changes it.
 */
function hasTwin({ delta, received: { before } }: Failure, snapshot: Snapshot, key: number): boolean {
  const item = before.item(before.findKey(key));
  const updated = delta.keys.subarray(0, delta.count);
  for (let i = 0; i < before.count; i++) {
    const other = before.keys[i]!;
    if (other === key || typeOf(other) !== typeOf(key) || snapshot.findKey(other) < 0) continue;
    const twin = before.item(i);
    if (sumOf(twin) !== sumOf(item)) continue;
    if (updated.includes(other) || twin.every((int, k) => int === item[k])) return true;
  }
  return false;
}
