import { DecodeError } from '../../bytes/diagnostic.ts';
import { apply } from '../../snapshot/apply.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import type { Failure } from '../failure.ts';
import { type Fit, type Hypothesis, type Search, structuralChance } from '../hypothesis.ts';
import { isSound } from '../sound.ts';
import { chanceOf } from '../sums.ts';

/** The maximum number of stored snapshots that are tried as the base. */
const maxBases = 100;

/** The server computed the delta from another snapshot than the announced base. */
export const wrongBase: Hypothesis = {
  cause: 'wrong_base',
  *find({ delta, difference, error, received }: Failure, search: Search): Iterable<Fit> {
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
      const sum = checksumOn(snapshot, delta);
      if (sum === undefined) continue;
      sums.push((sum - announced + (difference ?? 0)) | 0);
      if (sum === announced) found.push({ tick, isSound: isSound(snapshot, delta, received.protocol) });
    }
    const chance = difference === undefined ? structuralChance : chanceOf(difference, sums);
    // Equal checksums mostly mean equal snapshots; the newest is reported.
    for (const { tick, isSound } of found) {
      // The announced base contradicts the delta, and this one does not.
      const isStructural = isSound && !wasSound;
      yield {
        cause: 'wrong_base',
        about: 'base',
        keys: [],
        numbers: { base: tick },
        chance: isStructural ? chance * 1e-3 : chance,
        isStructural,
      };
    }
  },
};

function checksumOn(base: Snapshot, delta: Failure['delta']): number | undefined {
  try {
    return apply(base, delta).checksum();
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
