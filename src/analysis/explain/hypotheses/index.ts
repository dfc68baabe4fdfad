import { attempt, DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { apply } from '../../../wire/snapshot/apply.ts';
import type { Delta } from '../../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../../wire/snapshot/item-types.ts';
import { fullItems, keyOf, maxItems, typeOf } from '../../../wire/snapshot/key.ts';
import { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot } from '../failure.ts';
import {
  type Expected,
  type Found,
  type Hypothesis,
  hypothesis,
  isSame,
  type Standing,
  type Statement,
} from '../hypothesis.ts';
import { hasChecksum } from '../item-evidence.ts';
import { leastTold, maxBases, smallDifference } from '../limits.ts';
import { firstImplausibleUpdate, isSound } from '../plausible.ts';
import { damaged, textMode } from './damage.ts';
import { otherFormula } from './formulas.ts';
import { twoFaults } from './pairs.ts';
import { mixedParts } from './parts.ts';
import { otherSize } from './sizes.ts';
import { notCounted, notSent, oldState, otherChecksum, otherItem, otherSign, shiftedFields } from './sums.ts';
import {
  duplicateKey,
  notRemoved,
  removedAndUpdated,
  removedUnchanged,
  sentInFull,
  updatedTwice,
} from './wrong-items.ts';

/**
 * The server computed the delta from another snapshot than the announced base. The sum fits. It is shown where the
 * delta makes no sense on the announced base and does on this one, if the sums of another failure fit as well; or where
 * the next right snapshot has the items of the delta as they are on this base, and not as they are on the announced one.
 */
const wrongBase = hypothesis({
  cause: 'wrong_base',
  *find(failure, search): Iterable<Found> {
    const { delta, difference, error, snapshot: own, received, types, isUsual } = failure;
    const isApplied = difference !== undefined || error?.code === 'size_differs';
    if (!isApplied) return;
    const { base, announced, stored = [] } = received;
    const bases = [...stored].filter(([tick]) => tick !== base).slice(-maxBases);
    if (base !== -1) bases.push([-1, new Snapshot()]);
    const hasSenseOn = (on: Snapshot) =>
      isSound(on, delta, received.protocol) && firstImplausibleUpdate(on, delta, { types, tick: received.tick }) < 0;
    const updated = new Set(delta.keys.subarray(0, delta.count));
    const removed = delta.ints.subarray(3, 3 + delta.removedCount);
    const repeatsKeys = new Set([...removed, ...updated]).size < delta.removedCount + delta.count;
    const found: { tick: number; hasSense: boolean; differing: Expected[] }[] = [];
    for (const [tick, snapshot] of bases) {
      if (!search.spend(snapshot.offsets[snapshot.count]!)) return;
      // Nearly all are ruled out by their sum, without a snapshot.
      if (!repeatsKeys && !hasChecksum(snapshot, delta, announced)) continue;
      const rebuilt = attempt(() => apply(snapshot, delta));
      if (rebuilt instanceof DecodeError || rebuilt.checksum() !== announced) continue;
      const differing = own ? differingItems(own, rebuilt) : [];
      found.push({ tick, hasSense: hasSenseOn(snapshot), differing });
    }
    const isLarge = difference === undefined || Math.abs(difference) >= smallDifference;
    const hasOwnSense = failure.isSound && failure.implausible < 0;
    for (const { tick, hasSense, differing } of found) {
      const isOnly = found.length === 1;
      const fit = { about: 'base', ...(isOnly && { numbers: { base: tick } }) };
      // What one of them lacks may have another key. And if one item makes the sum, only its base may be another.
      const isOfOne = own !== undefined && isMadeByOne(differing);
      // Of many bases, one may have the sum of small differences by chance.
      if (hasSense && !hasOwnSense && isLarge && !isOfOne) yield { ...fit, standing: 'again' };
      else if (!isOnly || !isUsual || isOfOne) yield fit;
      else {
        const told = differing.filter(({ key }) => updated.has(key));
        yield { ...fit, after: (next) => standingBy(next, told) };
      }
    }
  },
});

/** The items that two snapshots have with other ints: as the one has them, and as the client rebuilt them. */
function differingItems(own: Snapshot, other: Snapshot): Expected[] {
  return [...own.keys.subarray(0, own.count)].flatMap((key, i) => {
    const at = other.findKey(key);
    const ints = at < 0 ? own.item(i) : other.item(at);
    const rebuilt = own.item(i);
    return ints.every((int, k) => int === rebuilt[k]) ? [] : [{ key, ints: ints.slice(), rebuilt: rebuilt.slice() }];
  });
}

/** Whether one item makes the whole difference, but for what small sums make by chance. */
function isMadeByOne(differing: readonly Expected[]): boolean {
  const sum = (ints: ArrayLike<number> = []) => Array.from(ints).reduce((all, int) => (all + int) | 0, 0);
  const differences = differing.map(({ ints, rebuilt }) => (sum(ints) - sum(rebuilt)) | 0);
  const whole = sum(differences);
  return differing.length === 0 || differences.some((own) => Math.abs((whole - own) | 0) < smallDifference);
}

function standingBy(next: NextSnapshot, differing: readonly Expected[]): Standing {
  if (differing.some(({ key, rebuilt = empty }) => isSame(next, { key, ints: rebuilt }))) return 'fits';
  const alike = differing.filter((item) => isSame(next, item)).length;
  return alike >= leastTold ? 'shown' : alike > 0 ? 'repeats' : 'fits';
}

const empty = new Int32Array();

/**
 * The snapshot exceeds the 1,024 items or 64 KiB that a client accepts, or has reached that limit and the base has not.
 */
const tooLarge = hypothesis({
  cause: 'too_large',
  *find({ error, snapshot, received: { before } }: Failure): Iterable<Found> {
    if (snapshot && snapshot.count >= fullItems && before.count < fullItems) {
      const numbers = { found: snapshot.count, limit: maxItems };
      yield { about: 'items', numbers, standing: 'shown' };
    }
    if (error?.code !== 'too_many_items' && error?.code !== 'snapshot_too_large') return;
    const { found, limit } = error.args;
    const numbers = { found: Number(found), limit: Number(limit) };
    yield { about: error.code, numbers, standing: 'shown' };
  },
});

/** Items that no game sends: with another size, or a type without registration, unless the base has them too. */
export function* invalidItems(failure: Failure): Iterable<Statement> {
  const { delta, types, snapshot, received } = failure;
  const { before, protocol } = received;
  // A flipped bit in its type makes such an item, too, though not the same in two deltas.
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const type = delta.type(i);
    const found = delta.sizes[i]!;
    const expected = types.of(type)?.size;
    // Extended items may grow in newer versions. Registrations have one size always: another one is damage.
    if (type === 0 || expected === undefined || found === expected || types.isLocal(type) || before.findKey(key) >= 0)
      continue;
    yield { cause: 'other_size', about: `${key}`, keys: [key], numbers: { found, expected }, standing: 'again' };
  }
  const missing = unregisteredIn(snapshot ?? delta, types);
  const known = missing.length === 0 ? [] : unregisteredIn(before, new ItemTypes(protocol).onSnapshot(before));
  // In healthy recordings, too, one or two snapshots may lack a registration.
  for (const type of missing.filter((type) => !known.includes(type)))
    yield { cause: 'unregistered', about: `${type}`, keys: [keyOf(type, 0)], standing: 'fits' };
}

function unregisteredIn({ keys, count }: Snapshot | Delta, types: ItemTypes): number[] {
  const all = new Set(keys.subarray(0, count).map(typeOf));
  return [...all].filter((type) => types.isLocal(type) && types.uuidOf(type) === undefined);
}

/**
 * They are a cause by themselves where the rest of the delta makes sense: a delta that is read wrongly has such items
 * as well.
 */
export const invalid: Pick<Hypothesis, 'find'> = {
  *find(failure) {
    const { excess, error, implausible } = failure;
    const isRead = excess === 0 && (!error || error.code === 'size_differs');
    if (!isRead || implausible >= 0) return;
    for (const fit of invalidItems(failure)) yield { ...fit, numbers: { ...fit.numbers, type: typeOf(fit.keys[0]!) } };
  },
};

/** All hypotheses in the order of their tests. Their texts are in `view/explain/causes.ts`. */
export const hypotheses: readonly Hypothesis[] = [
  duplicateKey,
  removedUnchanged,
  sentInFull,
  removedAndUpdated,
  updatedTwice,
  tooLarge,
  notRemoved,
  wrongBase,
  mixedParts,
  textMode,
  otherSize,
  damaged,
  otherChecksum,
  oldState,
  notCounted,
  otherFormula,
  otherSign,
  otherItem,
  shiftedFields,
  notSent,
  twoFaults,
];
