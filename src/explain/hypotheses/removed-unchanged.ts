import { typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Failure } from '../failure.ts';
import type { Fit, Hypothesis } from '../hypothesis.ts';
import { keySets, removedKeys } from '../key-sets.ts';
import { chanceOf, sumOf } from '../sums.ts';

/**
 * The delta lists items as removed that are still in the server's snapshot, unchanged. The client drops them, so the
 * announced checksum is larger by their sum. DDNet did this until August 2022 if a bucket of its hash table was full.
 */
export const removedUnchanged: Hypothesis = {
  cause: 'removed_unchanged',
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Fit> {
    if (difference === undefined || !snapshot) return;
    for (const { keys, tried } of keySets(before, removedKeys(delta, before, snapshot), difference)) {
      const chance = chanceOf(difference, tried);
      const fit: Fit = { cause: 'removed_unchanged', about: keys.join(), keys, chance, isStructural: false };
      if (keys.some((key) => hasTwin(before, snapshot, key))) yield fit;
      else yield { ...fit, expected: new Map(keys.map((key) => [key, before.item(before.findKey(key)).slice()])) };
    }
  },
};

/** Whether another item of the type has the same sum: the two may have shared a key. */
function hasTwin(before: Snapshot, snapshot: Snapshot, key: number): boolean {
  const sum = sumOf(before.item(before.findKey(key)));
  for (let i = 0; i < before.count; i++) {
    const other = before.keys[i]!;
    const isAlike = other !== key && typeOf(other) === typeOf(key) && sumOf(before.item(i)) === sum;
    if (isAlike && snapshot.findKey(other) >= 0) return true;
  }
  return false;
}
