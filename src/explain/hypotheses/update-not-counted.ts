import { valuesUpTo } from '../../annotate/values.ts';
import { typeOf } from '../../snapshot/key.ts';
import type { Failure } from '../failure.ts';
import type { Fit, Hypothesis } from '../hypothesis.ts';
import { chanceOf, sumOf } from '../sums.ts';

/**
 * The announced checksum lacks an update or a field of it, or contains it twice. This fits many failures by chance, and
 * no server with this fault is known: it is not an explanation, but shows where to look.
 */
export const updateNotCounted: Hypothesis = {
  cause: 'update_not_counted',
  *find({ delta, difference, snapshot, types, received: { before } }: Failure): Iterable<Fit> {
    if (difference === undefined || !snapshot) return;
    const steps = Array.from({ length: delta.count }, (_, i) => sumOf(delta.item(i)));
    const chance = chanceOf(difference, steps);
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const isNew = before.findKey(key) < 0;
      const ints = delta.item(i);
      const fitOf = (step: number, field?: string): Fit[] => {
        const times = step === (-difference | 0) ? 0 : step === difference && !isNew ? 2 : 1;
        if (times === 1) return [];
        const numbers = { step, times, new: Number(isNew) };
        const found = { keys: [key], numbers, chance, isStructural: false };
        const about = `${key} ${field ?? ''}`;
        return [{ cause: 'update_not_counted', about, ...(field === undefined ? {} : { field }), ...found }];
      };
      const fields = [...valuesUpTo(types.of(typeOf(key)), ints.length)].flatMap(({ label, at, ints: size }) =>
        fitOf(sumOf(ints.subarray(at, at + size)), label),
      );
      yield* fields.length > 0 ? fields : fitOf(steps[i]!);
    }
  },
};
