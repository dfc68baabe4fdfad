import type { Delta } from '../../../wire/snapshot/delta.ts';
import { idOf, typeOf } from '../../../wire/snapshot/key.ts';
import type { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot } from '../failure.ts';
import { type Expected, type Found, hypothesis, isSame, unlessContradicted } from '../hypothesis.ts';
import { itemSums, keySets, removedKeys, sumOf } from '../item-evidence.ts';
import { leastResemblance, smallDifference } from '../limits.ts';

/** The number of ids that the games give to entities (`MAX_IDS` of `CSnapIDPool` in `src/engine/server/server.h`). */
const maxIds = 16 * 1024;

interface Repeats {
  /** The sum of all but the last item of each repeated key, and that of their differences alone. */
  readonly sum: number;
  readonly differences: number;
  /** Whether each item before the last one is counted, see {@link duplicateKey}. */
  readonly keys: ReadonlyMap<number, boolean>;
}

function repeatsIn({ delta, received: { before } }: Failure): Repeats {
  const keys = new Map<number, boolean>();
  const last = new Map<number, number>();
  let sum = 0;
  let differences = 0;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const was = before.findKey(key);
    const baseSum = was < 0 ? 0 : sumOf(before.item(was));
    const previous = last.get(key);
    if (previous !== undefined) {
      const isWhole = was < 0 ? areSimilar(delta.item(previous), delta.item(i)) : baseSum !== 0;
      keys.set(key, isWhole && keys.get(key) !== false);
      differences = (differences + sumOf(delta.item(previous))) | 0;
      sum = (sum + sumOf(delta.item(previous)) + baseSum) | 0;
    }
    last.set(key, i);
  }
  return { keys, sum, differences };
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
 * An item is counted once more than it is sent. Where the delta has its key twice and the sum has both items, the bytes
 * show that the server has two items with one key, of which the client keeps the last. Where the delta has the key
 * once, the checksum may as well count one item twice.
 *
 * Two deltas that a proxy joins repeat keys too, though the server has one item: the second copy is a difference to the
 * first one then, and the client lacks the first difference. With two items it lacks the whole first item. For an item
 * of the base the sum tells one from the other; for a new one both sums are the same, and a second copy that is like
 * the first is no difference to it.
 */
export const duplicateKey = hypothesis({
  cause: 'duplicate_key',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    const { delta, difference, excess, implausible, snapshot, received } = failure;
    const { before } = received;
    if (difference === undefined || !snapshot) return;
    const repeats = repeatsIn(failure);
    if (repeats.keys.size > 0) {
      if (repeats.sum !== difference) return;
      const keys = [...repeats.keys.keys()];
      const removed = removedIn(delta);
      const isShown =
        keys.every((key) => idOf(key) < maxIds && repeats.keys.get(key) && !removed.includes(key)) &&
        // A delta that is read with wrong sizes repeats keys as well.
        excess === 0 &&
        implausible < 0;
      // Of two new items in a packet one may have a flipped bit in its id.
      const isClear = keys.every((key) => before.findKey(key) >= 0);
      yield { keys, standing: !isShown ? 'fits' : isClear ? 'shown' : 'again' };
      return;
    }
    const sums = itemSums(snapshot);
    const sumsBefore = itemSums(before);
    for (let i = 0; i < snapshot.count; i++) {
      const key = snapshot.keys[i]!;
      const was = before.findKey(key);
      if (sums[i] === 0) continue;
      if (sums[i] === difference || (was >= 0 && sumsBefore[was] === difference)) yield { keys: [key] };
    }
  },
});

/**
 * Keys are updated twice, and the sum has both differences, of which the client keeps the last. A program that joins
 * two deltas makes these bytes and this sum; so does an update of another item under a key. Of two items with one key
 * the sum has the item of the base twice, see {@link duplicateKey}.
 */
export const updatedTwice = hypothesis({
  cause: 'updated_twice',
  *find(failure: Failure): Iterable<Found> {
    const { difference, excess, snapshot } = failure;
    if (difference === undefined || !snapshot || excess > 0) return;
    const { keys, sum, differences } = repeatsIn(failure);
    if (keys.size === 0 || sum === differences || differences !== difference) return;
    const isShown = isOwnBase(failure) && Math.abs(difference) >= smallDifference;
    yield { keys: [...keys.keys()], standing: isShown ? 'shown' : 'fits' };
  },
});

/**
 * Items are listed as removed, and the sum still has them. DDNet did this until August 2022 if a bucket of its hash
 * table was full. If the next right snapshot has them as they were, they were never removed; otherwise the checksum may
 * as well count what was.
 */
export const removedUnchanged = hypothesis({
  cause: 'removed_unchanged',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    if (failure.difference === undefined) return;
    for (const { keys, isThere } of removedWith(failure, failure.difference))
      yield { keys, after: (next) => (isThere(next) ? 'shown' : 'fits') };
  },
});

/** Sets of removed items with a sum, each with whether the next right snapshot shows that they were there all the time. */
function* removedWith(failure: Failure, sum: number) {
  const { delta, snapshot, received } = failure;
  const { before } = received;
  if (!snapshot) return;
  for (const keys of keySets(before, removedKeys(delta, before, snapshot), sum)) {
    const items = keys.map((key) => ({ key, ints: before.item(before.findKey(key)).slice() }));
    const isClear = Math.abs(sum) >= smallDifference && !keys.some((key) => hasTwin(failure, snapshot, key));
    yield { keys, isThere: (next: NextSnapshot) => isClear && items.every((item) => isSame(next, item)) };
  }
}

/**
 * Whether two items may have shared a key: another one of the type has the same sum, and the same values unless the
 * delta changes it.
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

/** An update of an item of the base. */
interface OwnUpdate {
  readonly key: number;
  readonly was: Int32Array;
  readonly sent: Int32Array;
  /** Whether the delta lists the key as removed as well. */
  readonly isRemoved: boolean;
}

function ownUpdates({ delta, received: { before } }: Failure): OwnUpdate[] {
  const removed = removedIn(delta);
  const found = new Map<number, OwnUpdate>();
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const at = before.findKey(key);
    if (at < 0 || found.has(key)) continue;
    found.set(key, { key, was: before.item(at), sent: delta.item(i), isRemoved: removed.includes(key) });
  }
  return [...found.values()];
}

const removedIn = ({ ints, removedCount }: Delta): Int32Array => ints.subarray(3, 3 + removedCount);

/**
 * Where the client lacks what the server removes, or may have what it removed, it has another base, and items are alike
 * for that reason.
 */
const isOwnBase = ({ delta, isBaseCounted, received: { before } }: Failure): boolean =>
  isBaseCounted && removedIn(delta).every((key) => before.findKey(key) >= 0);

/**
 * The delta has full items that the base has as well, and whose values the client adds to the base's. They are like
 * those of the base. An item whose key is listed as removed has to be that of the base in all ints: otherwise it may be
 * another item, see {@link removedAndUpdated}.
 */
export const sentInFull = hypothesis({
  cause: 'sent_in_full',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    const { difference, snapshot, received } = failure;
    const { before } = received;
    if (difference === undefined || !snapshot) return;
    const updates = new Map(ownUpdates(failure).map((update) => [update.key, update]));
    const isLike = ({ was, sent, isRemoved }: OwnUpdate) => (isRemoved ? areEqual(was, sent) : isAlike(sent, was));
    const alike = [...updates.values()].filter(isLike).map(({ key }) => key);
    // A difference to another item makes the same sum where that one has the sum 0, and looks the same where it has
    // only zeros.
    const types = new Set((alike.length > 0 ? alike : [...updates.keys()]).map(typeOf));
    const others = [...before.keys.subarray(0, before.count)].flatMap((key, i) =>
      types.has(typeOf(key)) && !updates.has(key) ? [before.item(i)] : [],
    );
    const proven = isOwnBase(failure) && !others.some((ints) => ints.every((int) => int === 0)) ? 'shown' : 'fits';
    const likely = proven === 'shown' && !others.some((ints) => sumOf(ints) === 0) ? 'shown' : 'fits';
    const target = -difference | 0;
    const isLarge = Math.abs(target) >= smallDifference;
    /** The next right snapshot has the very ints that were sent, or at least none that are nearer to the sums. */
    const fitOf = (keys: readonly number[]) => {
      const all = keys.map((key) => updates.get(key)!);
      const items = all.map(({ key, sent }): Expected => {
        return { key, ints: sent.slice(), rebuilt: snapshot.item(snapshot.findKey(key)).slice() };
      });
      // What is nothing like the base's item is another one: the server's base lacks it, though the sums were right.
      const isOwn = isLarge && all.every((update) => !mayBeOther(update) && isAlike(update.sent, update.was, 1));
      // Under a key that is removed a new item may come which is the same in all ints.
      const standing = isLarge && all.every((update) => isLike(update) && !update.isRemoved) ? likely : 'fits';
      // A new item that gets the id of another one is soon gone, or has its own id then. It is not the same in all ints.
      const isWhole = all.every(({ was, sent }) => areEqual(was, sent));
      const after = (next: NextSnapshot) => {
        if (isOwn && items.every((item) => isSame(next, item))) return proven;
        const isThere = isWhole || keys.every((key) => next.items.findKey(key) >= 0);
        return unlessContradicted(isThere ? standing : 'fits', items)(next);
      };
      return { keys, standing: isWhole ? standing : 'fits', after } satisfies Found;
    };
    const ofAlike = fitOf(alike);
    const rest = (sumOf(alike.map((key) => sumOf(updates.get(key)!.was))) - target) | 0;
    if (alike.length > 0 && rest === 0) {
      yield ofAlike;
      return;
    }
    // The same failed lookup may affect other items, which are then listed as removed.
    if (alike.length > 0 && Math.abs(rest) >= smallDifference)
      for (const { keys, isThere } of removedWith(failure, rest))
        yield { keys: [...alike, ...keys], after: (next) => (isThere(next) ? ofAlike.after(next) : 'fits') };
    for (const keys of keySets(before, [...updates.keys()], target)) yield fitOf(keys);
  },
});

/** Whether an update whose key is removed as well may be that of another item: its ints are not those of the base. */
const mayBeOther = ({ was, sent, isRemoved }: OwnUpdate): boolean => isRemoved && !areEqual(was, sent);

const areEqual = (ints: Int32Array, others: Int32Array): boolean => ints.every((int, i) => int === others[i]);

/**
 * A key is listed as removed and updated, and the sum has what is sent without the item of the base. An item that is
 * sent in full makes these bytes and this sum; so does the update of another item under the key of one that is gone.
 */
export const removedAndUpdated = hypothesis({
  cause: 'removed_and_updated',
  *find(failure: Failure): Iterable<Found> {
    const { difference, snapshot } = failure;
    if (difference === undefined || !snapshot) return;
    const contested = ownUpdates(failure).filter(mayBeOther);
    if (contested.length === 0 || sumOf(contested.map(({ was }) => sumOf(was))) !== (-difference | 0)) return;
    const isShown = isOwnBase(failure) && Math.abs(difference) >= smallDifference;
    yield { keys: contested.map(({ key }) => key), standing: isShown ? 'shown' : 'fits' };
  },
});

/** Whether differences look like the item itself: at least half of the ints that are not 0 are equal, and not too small. */
function isAlike(differences: Int32Array, item: Int32Array, leastSize = leastResemblance): boolean {
  let equal = 0;
  let used = 0;
  let size = 0;
  for (let i = 0; i < item.length; i++) {
    if (item[i] === 0) continue;
    used++;
    if (item[i] !== differences[i]) continue;
    equal++;
    size += Math.abs(item[i]!);
  }
  return 2 * equal >= used && size >= leastSize;
}

/** The server dropped an item without listing it as removed: the client keeps it. */
export const notRemoved = hypothesis({
  cause: 'not_removed',
  isQuick: true,
  *find({ delta, difference, snapshot, received: { before } }: Failure): Iterable<Found> {
    if (difference === undefined || !snapshot) return;
    const updated = new Set(delta.keys.subarray(0, delta.count));
    for (const [i, sum] of itemSums(before).entries()) {
      const key = before.keys[i]!;
      if (sum !== -difference || updated.has(key) || snapshot.findKey(key) < 0) continue;
      const ints = before.item(i).slice();
      // What the next right snapshot has as it was, is not gone.
      yield { keys: [key], after: (next) => (isSame(next, { key, ints }) ? undefined : 'fits') };
    }
  },
});
