import { attempt, DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { getOr } from '../../../wire/bytes/get-or.ts';
import { apply } from '../../../wire/snapshot/apply.ts';
import { copyOf } from '../../../wire/snapshot/builder.ts';
import type { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot, Reading } from '../failure.ts';
import { type Cause, type Found, hypothesis, isSame, type Search } from '../hypothesis.ts';
import { itemSums } from '../item-evidence.ts';
import { leastOfPairs, leastTold, maxBases, maxChanges, maxSets, smallDifference } from '../limits.ts';

/*
 * Two faults in one delta. Each elementary change of a delta has a sum that it adds to the difference of the checksums:
 *
 *     listed as removed, but counted   + the base's item        the next right snapshot has it as it was
 *     gone, but not listed             − the base's item        the next right snapshot has it no more
 *     sent in full                     − the base's item        the next right snapshot has the very ints that were sent
 *     counted once more than sent      + the item               nothing tells
 *
 * Two whose sums make the difference are looked up, and the next right snapshot judges. Thousands of pairs are tried with
 * one sum, so a pair only ever fits. And a base other than the announced one, which the next right snapshot confirms by
 * itself, is tried together with each single change.
 */

interface Change {
  readonly cause: Cause;
  readonly key: number;
  readonly sum: number;
  /** Whether the next right snapshot agrees: undefined if it can't tell. */
  readonly agrees: (next: NextSnapshot) => boolean | undefined;
}

function changesOf({ delta, base, rebuilt }: Reading): Change[] {
  const removed = new Set(Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i)));
  const sent = new Map([...delta.keys.subarray(0, delta.count)].map((key, i) => [key, i]));
  const baseSums = itemSums(base);
  const changes = [...base.keys.subarray(0, base.count)].flatMap((key, i): Change[] => {
    const sum = baseSums[i]!;
    const update = sent.get(key);
    const was = { key, ints: base.item(i) };
    if (update !== undefined) {
      const is = { key, ints: delta.item(update) };
      return [{ cause: 'sent_in_full', key, sum: -sum | 0, agrees: (next) => isSame(next, is) }];
    }
    if (removed.has(key)) return [{ cause: 'removed_unchanged', key, sum, agrees: (next) => isSame(next, was) }];
    return [{ cause: 'not_removed', key, sum: -sum | 0, agrees: ({ items }) => items.findKey(key) < 0 }];
  });
  const twice = [...itemSums(rebuilt)].flatMap((sum, i): Change[] => {
    const key = rebuilt.keys[i]!;
    const was = base.findKey(key);
    // One of the two may be as in the base: then it is not sent.
    const sums = was < 0 || baseSums[was] === sum ? [sum] : [sum, baseSums[was]!];
    return sums.map((sum) => ({ cause: 'duplicate_key', key, sum, agrees: () => undefined }));
  });
  return [...changes, ...twice].filter(({ sum }) => sum !== 0);
}

/** Whether an item has the sum of one change that makes the difference: a hundred bases are ruled out by this. */
function mayOneChangeMake({ base, rebuilt, difference }: Reading): boolean {
  const isSum = (sum: number) => sum === difference || sum === (-difference | 0);
  return itemSums(base).some(isSum) || itemSums(rebuilt).some(isSum);
}

const pairOf = (...changes: readonly Pick<Change, 'cause' | 'key'>[]): Found => ({
  about: `${changes.map(({ cause }) => cause).join('+')} ${changes.map(({ key }) => key).join()}`,
  keys: changes.map(({ key }) => key).filter((key) => key >= 0),
});

/** Pairs of changes that make a difference, and with both of which the next right snapshot agrees; none if many do. */
function pairsIn(reading: Reading, next: NextSnapshot): Found[] {
  const agreed = changesOf(reading).filter(({ agrees }) => agrees(next));
  const bySum = new Map<number, Change[]>();
  const found: Found[] = [];
  for (const change of agreed) {
    const others = bySum.get((reading.difference - change.sum) | 0) ?? [];
    for (const other of others) if (other.key !== change.key) found.push(pairOf(other, change));
    getOr(bySum, change.sum, () => []).push(change);
  }
  return found.length <= maxSets ? found : [];
}

/** Whether the next right snapshot has items as one base makes them, and none as the other does. */
function isConfirmed({ rebuilt, delta }: Reading, { rebuilt: own }: Reading, next: NextSnapshot): boolean {
  const keys = [...new Set(delta.keys.subarray(0, delta.count))];
  const item = (of: Snapshot, key: number) => ({ key, ints: of.item(of.findKey(key)) });
  const differing = keys.filter((key) => {
    const other = item(own, key);
    return item(rebuilt, key).ints.some((int, i) => int !== other.ints[i]);
  });
  const alike = differing.filter((key) => isSame(next, item(rebuilt, key))).length;
  return alike >= leastTold && !differing.some((key) => isSame(next, item(own, key)));
}

/**
 * One change on a base other than the announced one. One of a hundred bases has some sum by chance: so the next right
 * snapshot confirms the base, or the same change explains several failures.
 */
function onOtherBase(other: Reading, own: Reading, next: NextSnapshot): Found[] {
  const isAlone = isConfirmed(other, own, next);
  const fits = changesOf(other).filter(({ sum, agrees }) => sum === other.difference && agrees(next) !== false);
  return fits.map((fit) => ({
    ...pairOf({ cause: 'wrong_base', key: -1 }, fit),
    numbers: { base: other.tick },
    leastFailures: isAlone ? 1 : leastOfPairs,
  }));
}

export const twoFaults = hypothesis({
  cause: 'two_faults',
  /** What is kept for the next right snapshot: the announced base, and those on which one change makes the sum. */
  find(failure: Failure, search: Search) {
    const { difference, snapshot, delta, received, readings } = failure;
    const { base: tick, before, announced, stored = [] } = received;
    if (difference === undefined || !snapshot || before.count + delta.count > maxChanges) return [];
    readings.push({ tick, delta, base: copyOf(before), rebuilt: snapshot, difference });
    for (const [tick, base] of [...stored].slice(-maxBases)) {
      if (tick === received.base || !search.spend(base.offsets[base.count]!)) continue;
      const rebuilt = attempt(() => apply(base, delta));
      if (rebuilt instanceof DecodeError) continue;
      const other = { tick, delta, base, rebuilt, difference: (announced - rebuilt.checksum()) | 0 };
      if (other.difference === 0 || !mayOneChangeMake(other)) continue;
      readings.push({ ...other, base: copyOf(base) });
    }
    return [];
  },
  *findAfter({ difference, readings: [own, ...others] }: Failure, next: NextSnapshot): Iterable<Found> {
    if (!own || Math.abs(difference!) < smallDifference) return;
    const found = others.flatMap((other) => onOtherBase(other, own, next));
    yield* found.length > 0 ? found : pairsIn(own, next);
  },
});
