import type { Failure } from '../failure.ts';
import { type Fit, type Hypothesis, structuralChance } from '../hypothesis.ts';

/** The snapshot exceeds the 1,024 items or 64 KiB that a client accepts. */
export const tooLarge: Hypothesis = {
  cause: 'too_large',
  *find({ error }: Failure): Iterable<Fit> {
    if (error?.code !== 'too_many_items' && error?.code !== 'snapshot_too_large') return;
    const { found, limit } = error.args;
    const numbers = { found: Number(found), limit: Number(limit) };
    yield { cause: 'too_large', about: error.code, keys: [], numbers, chance: structuralChance, isStructural: true };
  },
};
