import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { chanceOf, firstImplausibleUpdate, itemSums, keySets, removedKeys, sumOf } from '../evidence.ts';
import type { Failure } from '../failure.ts';
import { contradicted, expecting, type Found, hypothesis, shownChance, structuralChance } from '../hypothesis.ts';

/** Only this cause makes a delta repeat a key. */
const repeatedChance = 1e-12;
/** The number of ids that the games give to entities (`MAX_IDS` of `CSnapIDPool` in `src/engine/server/server.h`). */
const maxIds = 16 * 1024;
/** The probability of a repeated key in a delta that makes no sense: a flipped bit of an id makes one. */
const implausibleChance = 1e-2;

/** Ints below it are alike by chance. */
const leastResemblance = 16;

interface Repeats {
  /** The sum of all but the last item of each repeated key. */
  readonly sum: number;
  /** Whether each item before the last one is counted, see {@link duplicateKey}. */
  readonly keys: ReadonlyMap<number, boolean>;
}

/** The keys that a delta repeats. */
function repeatsIn({ delta, received: { before } }: Failure): Repeats {
  const keys = new Map<number, boolean>();
  const last = new Map<number, number>();
  let sum = 0;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const was = before.findKey(key);
    const baseSum = was < 0 ? 0 : sumOf(before.item(was));
    const previous = last.get(key);
    if (previous !== undefined) {
      const isWhole = was < 0 ? areSimilar(delta.item(previous), delta.item(i)) : baseSum !== 0;
      keys.set(key, isWhole && keys.get(key) !== false);
      sum = (sum + sumOf(delta.item(previous)) + baseSum) | 0;
    }
    last.set(key, i);
  }
  return { keys, sum };
}

/** Whether at least half of the ints, of those that are not small, have the same sign and about the same size. */
function areSimilar(item: Int32Array, other: Int32Array): boolean {
  const large = item.filter((int) => Math.abs(int) >= leastResemblance);
  const similar = item.filter((int, i) => {
    const ratio = Math.abs(int) >= leastResemblance ? other[i]! / int : 0;
    return ratio >= 1 / 2 && ratio <= 2;
  });
  return similar.length > 0 && 2 * similar.length >= large.length;
}

/**
 * A key occurs twice: the server counts both items, the client keeps the last. Both are in the delta if both differ from the base; what becomes
 * zeros may be counted as it was.
 *
 * Two deltas that a proxy joins repeat keys as well, though the server has one item: the second copy is a difference to the first one then, and
 * the client lacks the first difference. With two items it lacks the whole first item. For an item of the base the sum tells one from the other;
 * for a new one both sums are the same, and a second copy that is like the first is no difference to it.
 */
export const duplicateKey = hypothesis({
  cause: 'duplicate_key',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    const { delta, difference, excess, snapshot, types, received } = failure;
    const { before, tick } = received;
    if (difference === undefined || !snapshot) return;
    const repeats = repeatsIn(failure);
    if (repeats.keys.size > 0) {
      const keys = [...repeats.keys.keys()];
      if (repeats.sum === difference) {
        // A delta that is read with wrong sizes repeats keys as well.
        const isPlausible =
          keys.every((key) => idOf(key) < maxIds && repeats.keys.get(key)) &&
          excess === 0 &&
          firstImplausibleUpdate(before, delta, { types, tick }) < 0;
        const areOfBase = keys.every((key) => before.findKey(key) >= 0);
        const chance = !isPlausible ? implausibleChance : areOfBase ? repeatedChance : shownChance;
        yield { keys, chance, isStructural: isPlausible };
      }
      return;
    }
    const sums = itemSums(before);
    const chance = chanceOf(difference, sums);
    for (let i = 0; i < before.count; i++) {
      const key = before.keys[i]!;
      const is = snapshot.findKey(key);
      if (sums[i] === difference && is >= 0 && sumOf(snapshot.item(is)) !== 0) yield { keys: [key], chance };
    }
  },
});

/** Items are listed as removed but still there, unchanged. DDNet did this until August 2022 if a bucket of its hash table was full. */
export const removedUnchanged = hypothesis({
  cause: 'removed_unchanged',
  family: 'sent_in_full',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    const { delta, difference, snapshot, received } = failure;
    const { before } = received;
    if (difference === undefined || !snapshot) return;
    for (const { keys, tried } of keySets(before, removedKeys(delta, before, snapshot), difference)) {
      const isShared = keys.some((key) => hasTwin(failure, snapshot, key) || isEvent(failure, key));
      const expected = keys.map((key) => ({ key, ints: before.item(before.findKey(key)).slice() }));
      const areGone = (next: Snapshot) => keys.some((key) => next.findKey(key) < 0);
      const confirm = (next: Snapshot) => (areGone(next) ? contradicted : expecting(expected)(next));
      yield { keys, chance: chanceOf(difference, tried), confirm: isShared ? undefined : confirm };
    }
  },
});

/** Whether an item is an event. One with the same id and values in the next snapshot is another one. */
const isEvent = ({ types }: Failure, key: number) => types.of(typeOf(key))?.event === true;

/** Whether two items may have shared a key: another one of the type has the same sum, and the same values unless the delta changes it. */
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

/** The delta has full items that the base has as well, and whose values the client adds to the base's. */
export const sentInFull = hypothesis({
  cause: 'sent_in_full',
  isQuick: true,
  *find({ delta, difference, snapshot, isBaseCounted, received: { before } }: Failure): Iterable<Found> {
    if (difference === undefined || !snapshot) return;
    // Where the client lacks what the server removes, or may have what it removed, it has another base, and items are alike for that reason.
    const removed = delta.ints.subarray(3, 3 + delta.removedCount);
    const isOwn = isBaseCounted && removed.every((key) => before.findKey(key) >= 0);
    const sent = new Map<number, Int32Array>();
    const alike: number[] = [];
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const was = before.findKey(key);
      if (was < 0 || sent.has(key)) continue;
      sent.set(key, delta.item(i));
      if (isAlike(delta.item(i), before.item(was))) alike.push(key);
    }
    const inFull = (key: number) => {
      const rebuilt = snapshot.item(snapshot.findKey(key)).slice();
      return { key, ints: sent.get(key)!.slice(), rebuilt };
    };
    const target = -difference | 0;
    const sumOfKeys = (keys: readonly number[]) => sumOf(keys.map((key) => sumOf(before.item(before.findKey(key)))));
    if (alike.length > 0 && sumOfKeys(alike) === target) {
      const chance = structuralChance * chanceOf(target, []);
      yield { keys: alike, chance, isStructural: isOwn, confirm: expecting(alike.map(inFull)) };
      return;
    }
    if (alike.length > 0) {
      // The same failed lookup may affect other items, which are then listed as removed.
      const rest = (difference + sumOfKeys(alike)) | 0;
      for (const { keys, tried } of keySets(before, removedKeys(delta, before, snapshot), rest)) {
        const chance = chanceOf(rest, tried) * withAlike;
        yield { keys: [...alike, ...keys], chance, isStructural: isOwn, confirm: expecting(alike.map(inFull)) };
      }
    }
    for (const { keys, tried } of keySets(before, [...sent.keys()], target)) {
      const areAlike = keys.every((key) => alike.includes(key));
      const chance = chanceOf(target, tried) * (areAlike ? withAlike : 1);
      yield { keys, chance, isStructural: areAlike && isOwn, confirm: expecting(keys.map(inFull)) };
    }
  },
});

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

/** The server dropped an item without listing it as removed: the client keeps it. If a key of its type is listed, it may be meant for the item. */
export const notRemoved = hypothesis({
  cause: 'not_removed',
  isQuick: true,
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Found> {
    if (difference === undefined || !snapshot) return;
    const listedTypes = new Set(delta.ints.subarray(3, 3 + delta.removedCount).map(typeOf));
    const updated = new Set(delta.keys.subarray(0, delta.count));
    const target = -difference | 0;
    const all = [...before.keys.subarray(0, before.count)];
    const kept = all.flatMap((key, i) => (!updated.has(key) && snapshot.findKey(key) >= 0 ? [i] : []));
    const sums = kept.map((i) => sumOf(before.item(i)));
    for (const [k, i] of kept.entries()) {
      if (sums[k] !== target) continue;
      const [key, ints] = [all[i]!, before.item(i).slice()];
      const confirm = (next: Snapshot) => (expecting([{ key, ints }])(next) < 1 ? contradicted : 1);
      const rivalChance = chanceOf(target, sums);
      yield { keys: [key], chance: listedTypes.has(typeOf(key)) ? 1 : rivalChance, rivalChance, confirm };
    }
  },
});
