import { attempt, DecodeError } from '../../bytes/diagnostic.ts';
import { apply } from '../../snapshot/apply.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { chanceOf, isSound } from '../evidence.ts';
import type { Failure } from '../failure.ts';
import { type Cause, type Found, type Hypothesis, hypothesis, type Search, structuralChance } from '../hypothesis.ts';
import { damaged } from './damage.ts';
import { duplicateKey, notRemoved, removedUnchanged, sentInFull, updateNotCounted } from './items.ts';
import { mixedParts, stalePart } from './parts.ts';
import { otherSize } from './sizes.ts';

/** The maximum number of stored snapshots that are tried as the base. */
const maxBases = 100;

/** The server computed the delta from another snapshot than the announced base. */
export const wrongBase = hypothesis({
  cause: 'wrong_base',
  *find({ delta, difference, error, received }: Failure, search: Search): Iterable<Found> {
    const isApplied = difference !== undefined || error?.code === 'size_differs';
    if (!isApplied) return;
    const { base, announced, stored = [], before } = received;
    const bases = [...stored].filter(([tick]) => tick !== base).slice(-maxBases);
    if (base !== -1) bases.push([-1, new Snapshot()]);
    const sums: number[] = [];
    const found: { tick: number; isSound: boolean }[] = [];
    const wasSound = isSound(before, delta, received.protocol);
    for (const [tick, snapshot] of bases) {
      if (!search.spend(snapshot.offsets[snapshot.count]!)) return;
      const rebuilt = attempt(() => apply(snapshot, delta));
      if (rebuilt instanceof DecodeError) continue;
      const sum = rebuilt.checksum();
      sums.push((sum - announced + (difference ?? 0)) | 0);
      if (sum === announced) found.push({ tick, isSound: isSound(snapshot, delta, received.protocol) });
    }
    const chance = difference === undefined ? structuralChance : chanceOf(difference, sums);
    // Equal checksums mostly mean equal snapshots; the newest is reported.
    for (const { tick, isSound } of found) {
      // The announced base contradicts the delta, and this one does not.
      const isStructural = isSound && !wasSound;
      const chanceOfBase = isStructural ? chance * 1e-3 : chance;
      yield { about: 'base', numbers: { base: tick }, chance: chanceOfBase, isStructural };
    }
  },
});

/** The snapshot exceeds the 1,024 items or 64 KiB that a client accepts. */
export const tooLarge = hypothesis({
  cause: 'too_large',
  *find({ error }: Failure): Iterable<Found> {
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
  updateNotCounted,
];

/** The properties of a cause; undefined for one without a test. */
export const hypothesisOf = (cause: Cause): Hypothesis | undefined => hypotheses.find((one) => one.cause === cause);

/** The cause with which this one is mixed, or itself. */
export const familyOf = (cause: Cause): Cause => hypothesisOf(cause)?.family ?? cause;
