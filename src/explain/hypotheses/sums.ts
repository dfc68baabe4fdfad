import { firstLocalType, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { chanceOf, isImplausibleValue, itemSums, keySets, sumOf } from '../evidence.ts';
import type { Failure } from '../failure.ts';
import { areNearer, contradicted, expecting, type Found, hypothesis, isSame, structuralChance } from '../hypothesis.ts';

/** A fit whose sum decides; fits with the same `about` are of one subject. */
interface Sum extends Omit<Found, 'chance'> {
  readonly sum: number;
}

/** Those that have a failure's difference, where its delta makes sense. Several of a cause are as likely as all that were tried make them. */
function* withDifference({ difference, isSound }: Failure, tried: readonly Sum[], least = 0): Iterable<Found> {
  if (difference === undefined || !isSound) return;
  const found = tried.filter(({ sum }) => sum === difference);
  if (found.length === 0) return;
  const chance = chanceOf(
    difference,
    tried.map(({ sum }) => sum),
  );
  for (const { sum: _, ...fit } of found) yield { ...fit, chance: Math.max(least, chance) };
}

/** The least chance of one difference that is that of an earlier state: if nothing has changed, the delta may be wrong instead. */
const earlierChance = 5e-4;

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
    const confirm = (next: Snapshot) => (next.checksum() === announced ? contradicted : 1);
    const tried = earlier.map((sum, i) => {
      return { about: `${i + 1}`, numbers: { before: i + 1 }, sum: (sum - now) | 0, confirm };
    });
    return withDifference(failure, tried, earlierChance);
  },
});

/** The checksum contains an item as it was. If that state was right, its update may be wrong instead: the next right snapshot tells. */
export const oldState = hypothesis({
  cause: 'old_state',
  isQuick: true,
  *find(failure: Failure): Iterable<Found> {
    const { snapshot, received } = failure;
    const { references = [], before } = received;
    if (!snapshot) return;
    const sums = itemSums(snapshot);
    for (const { when, isRight, earlier } of [...references, { when: 'base', isRight: true, earlier: before }]) {
      const tried = keysOf(snapshot).flatMap((key, i) => {
        const was = earlier.findKey(key);
        const sum = was < 0 ? 0 : (sumOf(earlier.item(was)) - sums[i]!) | 0;
        return sum === 0 ? [] : [{ about: `${when} ${key}`, keys: [key], sum }];
      });
      for (const fit of withDifference(failure, tried, earlierChance)) {
        const [key] = fit.keys!;
        const [was, is] = [earlier, snapshot].map((one) => one.item(one.findKey(key!)).slice());
        const isNew = (next: Snapshot) => areNearer(next, [{ key: key!, ints: is!, rebuilt: was! }]);
        yield isRight ? { ...fit, chance: 1, confirm: (next) => (isNew(next) ? fit.chance : 1) } : fit;
      }
    }
  },
});

/** The announced checksum lacks all items of a type, or the extended ones, as the next right snapshot has them. */
export const notCounted = hypothesis({
  cause: 'not_counted',
  *find(failure: Failure): Iterable<Found> {
    const { snapshot, received, delta } = failure;
    if (!snapshot) return;
    const keys = keysOf(snapshot);
    const sums = itemSums(snapshot);
    const itemsOf = new Map<string, readonly number[]>();
    const lacking = (about: string, isLacking: (key: number) => boolean, numbers?: Sum['numbers']): Sum => {
      const items = keys.flatMap((key, i) => (isLacking(key) ? [i] : []));
      itemsOf.set(about, items);
      return { about, ...(numbers && { numbers }), sum: -sumOf(items.map((i) => sums[i]!)) | 0 };
    };
    const found = withDifference(failure, [
      ...[...new Set(keys.map(typeOf))].map((type) => lacking(`${type}`, (key) => typeOf(key) === type, { type })),
      lacking('new', (key) => received.before.findKey(key) < 0, { new: 1 }),
      lacking('extended', (key) => typeOf(key) >= firstLocalType),
      lacking('extended with registrations', (key) => typeOf(key) >= firstLocalType || typeOf(key) === 0),
    ]);
    for (const fit of found) {
      const items = itemsOf.get(fit.about!)!.map((i) => {
        const ints = snapshot.item(i).slice();
        return { key: keys[i]!, ints, rebuilt: new Int32Array(ints.length) };
      });
      // Items that are not sent may as well be gone, if the next right snapshot has others there.
      const isSent = items.some(({ key }) => delta.keys.subarray(0, delta.count).includes(key));
      const areThere = (next: Snapshot) =>
        isSent ? areNearer(next, items) : 2 * items.filter((one) => isSame(next, one)).length > items.length;
      const isNear = (sum: number) => Math.abs(sum + failure.difference!) < Math.abs(sum);
      // One item shows nothing of its type, nor do new ones alone. A type that nobody registered may be one with a flipped bit.
      const { type = 0 } = fit.numbers ?? {};
      const areNew = type > 0 && items.every(({ key }) => received.before.findKey(key) < 0);
      const isUnknown = items.length < 2 || areNew || (type >= firstLocalType && !failure.types.of(type));
      const known = isUnknown ? { ...fit, chance: 1, rivalChance: fit.chance } : fit;
      const sumThere = (next: Snapshot) => sumOf(items.map(({ key }) => sumIn(next, key)));
      yield { ...known, confirm: (next) => (areThere(next) && isNear(sumThere(next)) ? 1 : contradicted) };
    }
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
    return [...withDifference(failure, [...sums.values()])].map((fit): Found => {
      const int = fit.numbers?.int;
      const expected = updates
        .filter(({ key }) => fit.keys!.includes(key))
        .map(({ key, was, is }) => {
          const ints = is.map((value, i) => (int === undefined || i === int ? 2 * was[i]! - value : value));
          return { key, ints, rebuilt: is.slice() };
        });
      const context = { types: failure.types, tick: failure.received.tick };
      const isOdd = expected.some(({ key, ints }) => ints.some((_, at) => isImplausibleValue(context, key, ints, at)));
      return { ...fit, chance: isOdd ? 1 : fit.chance, confirm: (next) => Math.max(1, expecting(expected)(next)) };
    });
  },
});

/** The announced checksum counts items, or states of items, that the delta does not bring. The next right snapshot has them. */
export const notSent = hypothesis({
  cause: 'not_sent',
  family: 'sent_in_full',
  find: () => [],
  *findAfter(failure: Failure, next: Snapshot): Iterable<Found> {
    const { difference, snapshot, old, isSound } = failure;
    if (difference === undefined || !snapshot || !isSound) return;
    const keys = keysOf(next);
    const changes = keys.map((key) => ({ keys: [key], sum: (sumIn(next, key) - sumIn(snapshot, key)) | 0 }));
    const tried = changes.filter(({ keys: [key], sum }) => sum !== 0 && old.has(key!));
    yield* withDifference(failure, tried);
    const missing = keys.filter((key) => snapshot.findKey(key) < 0);
    for (const { keys: lacking, tried } of keySets(next, missing, difference))
      yield { keys: lacking, chance: chanceOf(difference, tried) };
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
    const [was, is] = [before.findKey(key), snapshot.findKey(key)];
    return was < 0 || is < 0 ? [] : [{ key, was: before.item(was), is: snapshot.item(is) }];
  });
}

/** The number of ints from which a likeness is no coincidence, and the greatest chance of one: ints of an item are often near each other. */
const [leastAlike, maxIntChance] = [2, 0.5];

/** The probability that an update has the ints that a fault makes of an unchanged item. Only ints that it changes count, and not to 0; 1 if most are others. */
function likeness({ was, is }: Update, intOf: (at: number) => number): number {
  let [alike, others, chance] = [0, 0, 1];
  for (let at = 0; at < is.length; at++) {
    const expected = intOf(at);
    if (expected === was[at]) continue;
    if (is[at] !== expected) others++;
    else if (expected !== 0) {
      alike++;
      chance *= Math.min(maxIntChance, 1 / Math.sqrt(Math.abs(expected - was[at]!)));
    }
  }
  return alike >= leastAlike && alike >= others ? chance : 1;
}

/** Where the int of a shifted item comes from, and whether its difference was taken from the shifted base. */
const shifts = [1, -1].flatMap((step) => [false, true].map((isOfBase) => ({ step, isOfBase })));

/** The fields of an item, or of the item in the base, are one place off. */
export const shiftedFields = hypothesis({
  cause: 'shifted_fields',
  *find(failure: Failure): Iterable<Found> {
    const { difference } = failure;
    const updates = updatesOf(failure).filter(({ is }) => is.length > 2);
    for (const { step, isOfBase } of shifts) {
      // The checksum differs by the ints that have no place any more. Those that are sent may have changed a little.
      const lostBy = ({ was }: Update) => was.at(step === 1 ? 0 : -1)! * (isOfBase ? -1 : 1);
      const isExplained = (of: readonly Update[]) =>
        Math.abs(difference! - sumOf(of.map(lostBy))) <=
        (isOfBase ? 0 : Math.min(maxChange * of.length, Math.abs(difference!) / 2));
      const shifted = ({ was }: Update, at: number) => was[at + step] ?? 0;
      const byType = new Map<number, { keys: number[]; chance: number }>();
      for (const update of updates) {
        const { was, key } = update;
        const chance = likeness(update, (at) =>
          isOfBase ? (2 * was[at]! - shifted(update, at)) | 0 : shifted(update, at),
        );
        if (chance === 1) continue;
        const { keys = [], chance: before = 1 } = byType.get(typeOf(key)) ?? {};
        // What another fault makes of one item it makes of others: the clearest counts.
        byType.set(typeOf(key), { keys: [...keys, key], chance: Math.min(before, chance) });
      }
      for (const [type, { keys, chance }] of byType) {
        const ofType = updates.filter(({ key }) => typeOf(key) === type);
        if (!isExplained(ofType) && !isExplained(ofType.filter(({ key }) => keys.includes(key)))) continue;
        const isStructural = chance <= shiftedChance;
        const expected = ofType.flatMap((one) => {
          if (!keys.includes(one.key)) return [];
          const ints = one.was.map((int, at) => (isOfBase ? (one.is[at]! - int + shifted(one, at)) | 0 : int));
          return [{ key: one.key, ints, rebuilt: one.is.slice() }];
        });
        yield {
          about: `${type} ${step} ${isOfBase}`,
          keys,
          numbers: { type, step },
          chance: Math.max(chance, structuralChance),
          isStructural,
          // It confirms nothing: the fields may be as they were before.
          confirm: (next) => Math.max(1, expecting(expected)(next)),
        };
      }
    }
  },
});

/** The likeness that no sound delta has, and the change of an int from the base that is no contradiction. */
const [shiftedChance, maxChange] = [1e-4, 64];

/** The difference of an item was taken from another item of its type in the base. A new item is then sent as a difference; a sum does not show which. */
export const otherItem = hypothesis({
  cause: 'other_item',
  *find(failure: Failure): Iterable<Found> {
    const { difference, delta, received } = failure;
    const { before } = received;
    if (difference === undefined) return;
    const others = [...before.keys.subarray(0, before.count)].map((key, i) => ({ key, ints: before.item(i) }));
    for (const update of updatesOf(failure)) {
      const { was, key } = update;
      for (const other of others) {
        if (other.key === key || typeOf(other.key) !== typeOf(key) || other.ints.length !== was.length) continue;
        if (((sumOf(other.ints) - sumOf(was)) | 0) !== difference) continue;
        const alike = likeness(update, (at) => (2 * was[at]! - other.ints[at]!) | 0);
        if (alike === 1) continue;
        const chance = Math.max(structuralChance, alike / Math.abs(difference));
        // An item that is sent in full looks like this where the other one has only zeros.
        const rivalChance = structuralChance * chanceOf(difference, []);
        yield { keys: [key, other.key], chance, rivalChance, isStructural: true };
      }
    }
    const added = new Set(delta.keys.subarray(0, delta.count).filter((key) => before.findKey(key) < 0));
    const chance = chanceOf(
      difference,
      others.map(({ ints }) => sumOf(ints)),
    );
    for (const key of added) {
      for (const other of others)
        if (typeOf(other.key) === typeOf(key) && sumOf(other.ints) === difference)
          yield { about: `${other.key}`, keys: [key, other.key], chance: 1, rivalChance: chance };
    }
  },
});
