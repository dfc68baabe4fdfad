import type { Failure } from '../failure.ts';
import type { Fit, Hypothesis } from '../hypothesis.ts';
import { chanceOf, itemSums, sumOf } from '../sums.ts';

/** Only this cause makes a delta repeat a key. */
const repeatedChance = 1e-12;

/**
 * The server's snapshot contains a key twice. The server adds both items to its checksum; the client keeps only the
 * last. The announced checksum is therefore larger by the sum of the others. Both items are in the delta if both differ
 * from the base.
 */
export const duplicateKey: Hypothesis = {
  cause: 'duplicate_key',
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Fit> {
    if (difference === undefined || !snapshot) return;
    const repeated = new Map<number, number>();
    const last = new Map<number, number>();
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const was = before.findKey(key);
      const sum = (sumOf(delta.item(i)) + (was < 0 ? 0 : sumOf(before.item(was)))) | 0;
      const previous = last.get(key);
      if (previous !== undefined) repeated.set(key, ((repeated.get(key) ?? 0) + previous) | 0);
      last.set(key, sum);
    }
    if (repeated.size > 0) {
      const keys = [...repeated.keys()];
      if (sumOf([...repeated.values()]) === difference) {
        yield { cause: 'duplicate_key', about: keys.join(), keys, chance: repeatedChance, isStructural: true };
      }
      return;
    }
    const sums = itemSums(before);
    const chance = chanceOf(difference, sums);
    for (let i = 0; i < before.count; i++) {
      const key = before.keys[i]!;
      if (sums[i] !== difference || snapshot.findKey(key) < 0) continue;
      yield { cause: 'duplicate_key', about: String(key), keys: [key], chance, isStructural: false };
    }
  },
};
