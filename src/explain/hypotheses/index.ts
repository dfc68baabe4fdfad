import { attempt, DecodeError } from '../../bytes/diagnostic.ts';
import { apply } from '../../snapshot/apply.ts';
import { maxItems } from '../../snapshot/key.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { chanceOf } from '../evidence.ts';
import { type Failure, isSound } from '../failure.ts';
import {
  type Cause,
  type Found,
  type Hypothesis,
  hypothesis,
  type Search,
  shownChance,
  structuralChance,
} from '../hypothesis.ts';
import { damaged } from './damage.ts';
import { otherItem, shiftedFields } from './fields.ts';
import { duplicateKey, notRemoved, removedUnchanged, sentInFull } from './items.ts';
import { mixedParts, stalePart } from './parts.ts';
import { otherSize } from './sizes.ts';
import { notCounted, notSent, oldState, otherChecksum, otherSign } from './sums.ts';

/** The maximum number of stored snapshots that are tried as the base. */
const maxBases = 100;

/**
 * The maximum number of items in a server's snapshot: in vanilla, and in DDNet until 2025, one less than clients
 * accept.
 */
export const fullItems = maxItems - 1;

/** The server computed the delta from another snapshot than the announced base. */
export const wrongBase = hypothesis({
  cause: 'wrong_base',
  *find({ delta, difference, error, received, isSound: wasSound }: Failure, search: Search): Iterable<Found> {
    const isApplied = difference !== undefined || error?.code === 'size_differs';
    if (!isApplied) return;
    const { base, announced, stored = [] } = received;
    const bases = [...stored].filter(([tick]) => tick !== base).slice(-maxBases);
    if (base !== -1) bases.push([-1, new Snapshot()]);
    const sums: number[] = [];
    const found: { tick: number; isSound: boolean }[] = [];
    for (const [tick, snapshot] of bases) {
      if (!search.spend(snapshot.offsets[snapshot.count]!)) return;
      const rebuilt = attempt(() => apply(snapshot, delta));
      if (rebuilt instanceof DecodeError) continue;
      const sum = rebuilt.checksum();
      sums.push((sum - announced + (difference ?? 0)) | 0);
      if (sum === announced) found.push({ tick, isSound: isSound(snapshot, delta, received.protocol) });
    }
    const chance = difference === undefined ? structuralChance : chanceOf(difference, sums);
    for (const { tick, isSound } of found) {
      // The announced base contradicts the delta, and this one does not.
      const isStructural = isSound && !wasSound;
      const isOnly = found.length === 1;
      // Which of several it was is not known. If nothing else shows the base, items may as well be again as they were for some time.
      const chanceOfBase = isStructural ? chance * 1e-3 : isOnly ? chance : 1;
      yield { about: 'base', ...(isOnly && { numbers: { base: tick } }), chance: chanceOfBase, isStructural };
    }
  },
});

/** The snapshot exceeds the 1,024 items or 64 KiB that a client accepts, or has reached that limit and the base has not. */
export const tooLarge = hypothesis({
  cause: 'too_large',
  *find({ error, snapshot, received: { before } }: Failure): Iterable<Found> {
    if (snapshot && snapshot.count >= fullItems && before.count < fullItems) {
      const numbers = { found: snapshot.count, limit: maxItems };
      yield { about: 'items', numbers, chance: shownChance, isStructural: true };
    }
    if (error?.code !== 'too_many_items' && error?.code !== 'snapshot_too_large') return;
    const { found, limit } = error.args;
    const numbers = { found: Number(found), limit: Number(limit) };
    yield { about: error.code, numbers, chance: structuralChance, isStructural: true };
  },
});

/**
 * All hypotheses in the order of their tests, those without a search first. A new cause is an entry here, with its texts in
 * `view/explain/causes.ts`.
 */
export const hypotheses: readonly Hypothesis[] = [
  duplicateKey,
  removedUnchanged,
  sentInFull,
  tooLarge,
  notRemoved,
  wrongBase,
  mixedParts,
  stalePart,
  otherSize,
  damaged,
  otherChecksum,
  oldState,
  notCounted,
  otherSign,
  otherItem,
  shiftedFields,
  notSent,
];

/** The cause with which this one is mixed, or itself. */
export const familyOf = (cause: Cause): Cause => hypotheses.find((one) => one.cause === cause)?.family ?? cause;
