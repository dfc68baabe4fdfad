import { idOf } from '../../snapshot/key.ts';
import type { Failure } from '../failure.ts';
import type { Fit, Hypothesis } from '../hypothesis.ts';
import { firstImplausibleUpdate } from '../implausible.ts';
import { chanceOf, itemSums, sumOf } from '../sums.ts';

/** Only this cause makes a delta repeat a key. */
const repeatedChance = 1e-12;
/** The number of ids that the games give to entities (`MAX_IDS` of `CSnapIDPool` in `src/engine/server/server.h`). */
const maxIds = 16 * 1024;
/** The probability of a repeated key in a delta that makes no sense. */
const implausibleChance = 1e-2;

/**
 * The server's snapshot contains a key twice. The server adds both items to its checksum; the client keeps only the
 * last. The announced checksum is therefore larger by the sum of the others. Both items are in the delta if both differ
 * from the base.
 */
export const duplicateKey: Hypothesis = {
  cause: 'duplicate_key',
  *find({ delta, difference, excess, snapshot, types, received: { before, tick } }: Failure): Iterable<Fit> {
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
        // A delta that is read with wrong sizes repeats keys as well.
        const isPlausible =
          keys.every((key) => idOf(key) < maxIds) &&
          excess === 0 &&
          firstImplausibleUpdate(before, delta, { types, tick }) < 0;
        const chance = isPlausible ? repeatedChance : implausibleChance;
        yield { cause: 'duplicate_key', about: keys.join(), keys, chance, isStructural: isPlausible };
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
