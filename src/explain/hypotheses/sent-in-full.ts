import type { Failure } from '../failure.ts';
import { expecting, type Fit, type Hypothesis, structuralChance } from '../hypothesis.ts';
import { keySets, removedKeys } from '../key-sets.ts';
import { chanceOf, sumOf } from '../sums.ts';

/** The number of equal ints from which two items resemble each other. */
const leastResemblance = 16;

/**
 * The delta contains full items that the base has as well. The client adds their values to the base's as if they were
 * differences, so the announced checksum is smaller by the sum of the base's items.
 */
export const sentInFull: Hypothesis = {
  cause: 'sent_in_full',
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Fit> {
    if (difference === undefined || !snapshot) return;
    const sent = new Map<number, Int32Array>();
    const alike: number[] = [];
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const was = before.findKey(key);
      if (was < 0 || sent.has(key)) continue;
      sent.set(key, delta.item(i));
      if (isAlike(delta.item(i), before.item(was))) alike.push(key);
    }
    const target = -difference | 0;
    const sumOfKeys = (keys: readonly number[]) => sumOf(keys.map((key) => sumOf(before.item(before.findKey(key)))));
    if (alike.length > 0 && sumOfKeys(alike) === target) {
      const chance = structuralChance;
      yield { cause: 'sent_in_full', about: alike.join(), keys: alike, chance, isStructural: true };
      return;
    }
    if (alike.length > 0) {
      // The same failed lookup may affect other items, which are then listed as removed.
      const rest = (difference + sumOfKeys(alike)) | 0;
      for (const { keys, tried } of keySets(before, removedKeys(delta, before, snapshot), rest)) {
        const all = [...alike, ...keys];
        const chance = chanceOf(rest, tried) * withAlike;
        yield { cause: 'sent_in_full', about: all.join(), keys: all, chance, isStructural: true };
      }
    }
    for (const { keys, tried } of keySets(before, [...sent.keys()], target)) {
      yield {
        cause: 'sent_in_full',
        about: keys.join(),
        keys,
        chance: chanceOf(target, tried),
        isStructural: false,
        confirm: expecting(new Map(keys.map((key) => [key, sent.get(key)!.slice()]))),
      };
    }
  },
};

/** If items look sent in full, it is less likely by this factor that the rest of the sum agrees by chance. */
const withAlike = 1e-3;

/** Whether differences look like the item itself: at least half of the ints that are not 0 are equal. */
function isAlike(differences: Int32Array, item: Int32Array): boolean {
  let [equal, used, size] = [0, 0, 0];
  for (let i = 0; i < item.length; i++) {
    if (item[i] === 0) continue;
    used++;
    if (item[i] !== differences[i]) continue;
    equal++;
    size += Math.abs(item[i]!);
  }
  return equal > 0 && 2 * equal >= used && size >= leastResemblance;
}
