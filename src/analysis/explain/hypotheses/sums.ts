import { firstLocalType, typeOf } from '../../../wire/snapshot/key.ts';
import type { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot } from '../failure.ts';
import { type Found, hypothesis, unlessContradicted } from '../hypothesis.ts';
import { itemSums, keySets, sumOf } from '../item-evidence.ts';
import { leastAlike, maxChange } from '../limits.ts';
import { implausibleInts } from '../plausible.ts';

/** A statement whose sum decides; those with the same `about` are of one subject. */
interface Sum extends Found {
  readonly sum: number;
}

/** Those that have a failure's difference, where its delta makes sense. */
const withDifference = ({ difference, isSound }: Failure, tried: readonly Sum[]): Found[] =>
  isSound ? tried.flatMap(({ sum, ...found }) => (sum === difference ? [found] : [])) : [];

function sumIn(snapshot: Snapshot, key: number): number {
  const at = snapshot.findKey(key);
  return at < 0 ? 0 : sumOf(snapshot.item(at));
}

const keysOf = ({ keys, count }: Snapshot): number[] => [...keys.subarray(0, count)];

/** The announced checksum is that of an earlier snapshot. */
export const otherChecksum = hypothesis({
  cause: 'other_checksum',
  find(failure: Failure) {
    const { snapshot, received } = failure;
    const { announced, earlier = [] } = received;
    const now = snapshot?.checksum() ?? 0;
    // If nothing has changed, it is the right one, and the delta is wrong.
    const after: Found['after'] = (next) => (next.checksum === announced ? undefined : 'fits');
    return withDifference(
      failure,
      earlier.map((sum, i) => ({ about: `${i + 1}`, numbers: { before: i + 1 }, sum: (sum - now) | 0, after })),
    );
  },
});

/**
 * The checksum contains an item as it was. If that state was right, its update may be wrong instead: the next right
 * snapshot tells.
 */
export const oldState = hypothesis({
  cause: 'old_state',
  isQuick: true,
  find(failure: Failure) {
    const { snapshot, received } = failure;
    const { references = [], before } = received;
    if (!snapshot) return [];
    const sums = itemSums(snapshot);
    const all = [...references, { when: 'base', earlier: before }].flatMap(({ when, earlier }) => {
      const earlierSums = itemSums(earlier);
      return keysOf(snapshot).flatMap((key, i) => {
        const was = earlier.findKey(key);
        const sum = was < 0 ? 0 : (earlierSums[was]! - sums[i]!) | 0;
        return sum === 0 ? [] : [{ about: `${when} ${key}`, keys: [key], sum }];
      });
    });
    return withDifference(failure, all);
  },
});

/** The announced checksum lacks an item, all items of a type, the new items, or the extended ones. */
export const notCounted = hypothesis({
  cause: 'not_counted',
  find(failure: Failure) {
    const { snapshot, received } = failure;
    if (!snapshot) return [];
    const keys = keysOf(snapshot);
    const sums = itemSums(snapshot);
    const lacking = (about: string, isLacking: (key: number) => boolean, more: Found = {}): Sum => {
      const own = keys.filter(isLacking);
      // What the next right snapshot has not got any more is gone instead.
      const after: Found['after'] = (next) => (own.some((key) => next.items.findKey(key) >= 0) ? 'fits' : undefined);
      const sum = -sumOf(sums.filter((_, i) => isLacking(keys[i]!))) | 0;
      return { about, ...more, sum, after };
    };
    const single = keys.filter((_, i) => sums[i] === (-failure.difference! | 0));
    return withDifference(failure, [
      // With one item of a type, it is the item.
      ...[...new Set(keys.map(typeOf).filter((type, i, all) => all.indexOf(type) < i))].map((type) =>
        lacking(`${type}`, (key) => typeOf(key) === type, { numbers: { type } }),
      ),
      ...single.map((key) => lacking(`item ${key}`, (other) => other === key, { keys: [key] })),
      lacking('new', (key) => received.before.findKey(key) < 0, { numbers: { new: 1 } }),
      lacking('extended', (key) => typeOf(key) >= firstLocalType),
      lacking('extended with registrations', (key) => typeOf(key) >= firstLocalType || typeOf(key) === 0),
    ]);
  },
});

/** Differences have the other sign: of an item, of the items of a type, or of a field of these. */
export const otherSign = hypothesis({
  cause: 'sign',
  find(failure: Failure) {
    const sums = new Map<string, Sum>();
    const add = (about: string, { key, was, is }: Update, int?: number) => {
      const { sum = 0, keys = [] } = sums.get(about) ?? {};
      const value = int === undefined ? sumOf(is) - sumOf(was) : is[int]! - was[int]!;
      const numbers = int !== undefined && { numbers: { type: typeOf(key), int } };
      sums.set(about, { about, keys: [...keys, key], ...numbers, sum: (sum - 2 * value) | 0 });
    };
    const updates = updatesOf(failure);
    for (const update of updates) {
      const { key, was, is } = update;
      add(`item ${key}`, update);
      add(`type ${typeOf(key)}`, update);
      for (const int of is.keys()) if (is[int] !== was[int]) add(`int ${typeOf(key)} ${int}`, update, int);
    }
    return withDifference(failure, [...sums.values()]).flatMap((fit): Found[] => {
      const int = fit.numbers?.int;
      const expected = updates
        .filter(({ key }) => fit.keys!.includes(key))
        .map(({ key, was, is }) => {
          const ints = is.map((value, i) => (int === undefined || i === int ? 2 * was[i]! - value : value));
          return { key, ints, rebuilt: is.slice() };
        });
      const context = { types: failure.types, tick: failure.received.tick };
      const isOdd = expected.some(({ key, ints, rebuilt }) =>
        [...implausibleInts(context, key, ints)].some((at) => ints[at] !== rebuilt[at]),
      );
      return isOdd ? [] : [{ ...fit, after: unlessContradicted('fits', expected) }];
    });
  },
});

/**
 * The announced checksum counts items, or states of items, that the delta does not bring, or brings with other ints.
 * The next right snapshot has them.
 */
export const notSent = hypothesis({
  cause: 'not_sent',
  find: () => [],
  *findAfter(failure: Failure, { items: next }: NextSnapshot): Iterable<Found> {
    const { difference, snapshot, old, isSound, received } = failure;
    if (difference === undefined || !snapshot || !isSound) return;
    const keys = keysOf(next);
    // What the delta changes of the base is hardly as it will be in the next snapshot: a new item often is.
    const mayStand = (key: number) => old.has(key) || (snapshot.findKey(key) >= 0 && received.before.findKey(key) < 0);
    for (const key of keys)
      if (mayStand(key) && ((sumIn(next, key) - sumIn(snapshot, key)) | 0) === difference) yield { keys: [key] };
    const missing = keys.filter((key) => snapshot.findKey(key) < 0);
    for (const lacking of keySets(next, missing, difference)) yield { keys: lacking };
  },
});

interface Update {
  readonly key: number;
  /** Its ints in the base, and in the rebuilt snapshot. */
  readonly was: Int32Array;
  readonly is: Int32Array;
}

function updatesOf({ delta, snapshot, received: { before } }: Failure): Update[] {
  if (!snapshot) return [];
  return [...new Set(delta.keys.subarray(0, delta.count))].flatMap((key) => {
    const was = before.findKey(key);
    const is = snapshot.findKey(key);
    return was < 0 || is < 0 ? [] : [{ key, was: before.item(was), is: snapshot.item(is) }];
  });
}

/**
 * Whether an update has the ints that a fault makes of an unchanged item. Only ints that it changes count, and not to 0.
 */
function isLike({ was, is }: Update, intOf: (at: number) => number): boolean {
  let alike = 0;
  let others = 0;
  for (let at = 0; at < is.length; at++) {
    const expected = intOf(at);
    if (expected === was[at]) continue;
    if (is[at] !== expected) others++;
    else if (expected !== 0) alike++;
  }
  return alike >= leastAlike && alike >= others;
}

/** Where the int of a shifted item comes from, and whether its difference was taken from the shifted base. */
const shifts = [1, -1].flatMap((step) => [false, true].map((isOfBase) => ({ step, isOfBase })));

/** The fields of an item, or of the item in the base, are one place off. */
export const shiftedFields = hypothesis({
  cause: 'shifted_fields',
  *find(failure: Failure): Iterable<Found> {
    const { difference } = failure;
    if (difference === undefined) return;
    const updates = updatesOf(failure).filter(({ is }) => is.length > 2);
    for (const { step, isOfBase } of shifts) {
      // The checksum differs by the ints that have no place any more. Those that are sent may have changed a little.
      const lostBy = ({ was }: Update) => was.at(step === 1 ? 0 : -1)! * (isOfBase ? -1 : 1);
      const isExplained = (of: readonly Update[]) =>
        Math.abs(difference - sumOf(of.map(lostBy))) <=
        (isOfBase ? 0 : Math.min(maxChange * of.length, Math.abs(difference) / 2));
      const shifted = ({ was }: Update, at: number) => was[at + step] ?? 0;
      const alike = updates.filter((update) =>
        isLike(update, (at) => (isOfBase ? (2 * update.was[at]! - shifted(update, at)) | 0 : shifted(update, at))),
      );
      for (const type of new Set(alike.map(({ key }) => typeOf(key)))) {
        const ofType = updates.filter(({ key }) => typeOf(key) === type);
        const own = alike.filter(({ key }) => typeOf(key) === type);
        if (!isExplained(ofType) && !isExplained(own)) continue;
        const expected = own.map((update) => {
          const ints = update.was.map((int, at) => (isOfBase ? (update.is[at]! - int + shifted(update, at)) | 0 : int));
          return { key: update.key, ints, rebuilt: update.is.slice() };
        });
        yield {
          about: `${type} ${step} ${isOfBase}`,
          keys: own.map(({ key }) => key),
          numbers: { type, step },
          after: unlessContradicted('fits', expected),
        };
      }
    }
  },
});

/**
 * The difference of an item was taken from another item of its type in the base. A new item is then sent as a
 * difference.
 */
export const otherItem = hypothesis({
  cause: 'other_item',
  *find(failure: Failure): Iterable<Found> {
    const { difference, delta, received } = failure;
    const { before } = received;
    if (difference === undefined) return;
    const sums = itemSums(before);
    const keys = keysOf(before);
    const othersOf = (own: number, sum: number) =>
      keys.filter((key, i) => sums[i] === sum && key !== own && typeOf(key) === typeOf(own));
    for (const update of updatesOf(failure)) {
      const { was, key } = update;
      for (const other of othersOf(key, (sumOf(was) + difference) | 0)) {
        const ints = before.item(before.findKey(other));
        if (ints.length === was.length && isLike(update, (at) => (2 * was[at]! - ints[at]!) | 0))
          yield { keys: [key, other] };
      }
    }
    const added = new Set(delta.keys.subarray(0, delta.count).filter((key) => before.findKey(key) < 0));
    for (const key of added) for (const other of othersOf(key, difference)) yield { keys: [key, other] };
  },
});
