import { firstLocalType } from '../../snapshot/key.ts';
import type { Failure } from '../failure.ts';
import { flippedBit, flippedKey, flippedValue } from '../flipped-bit.ts';
import type { Fit, Hypothesis, Search } from '../hypothesis.ts';
import { firstImplausibleUpdate, isKnownType } from '../implausible.ts';

/** That a delta can't be read speaks for damage only where no other cause explains it. */
const unreadableChance = 1e-2;
/** A value out of its range speaks for damage, and for other causes as well. */
const implausibleChance = 0.1;

/**
 * The bytes of the delta are damaged. A single flipped bit is found: with it flipped back, the delta is read to its end and has
 * the announced sum. Of other damage, the item is named where the delta stops making sense.
 */
export const damaged: Hypothesis = {
  cause: 'damaged',
  *find(failure: Failure, search: Search): Iterable<Fit> {
    const { error, excess, delta, types, received } = failure;
    if (excess === 0) yield* flippedKey(failure);
    const flips = [...flippedBit(failure, search)];
    if (flips.length === 0 && excess === 0) flips.push(...flippedValue(failure));
    yield* flips;
    if (flips.some(({ isStructural }) => isStructural)) return;
    const unusual = firstImplausibleUpdate(received.before, delta, { types, tick: received.tick });
    if (!error && excess === 0 && unusual < 0) {
      // Damage elsewhere may be the reason: where others can't be read, what can is no contradiction.
      if (flips.length === 0) yield { cause: 'damaged', about: 'unreadable', keys: [], chance: 1, isStructural: false };
      return;
    }
    // What damage has shifted reads as new items: the last one of the base, or the last event, is in order, or damaged itself.
    let at = unusual >= 0 ? unusual : delta.count - 1;
    while (at >= 0 && isUncertain(failure, at)) at--;
    const keys = at < 0 ? [] : [delta.keys[at]!];
    // Of several parts one may be of another snapshot: then the bytes are in order.
    const isBroken = (error !== undefined || excess > 0) && (received.partEnds?.length ?? 1) === 1;
    const chance = isBroken ? unreadableChance : implausibleChance;
    yield { cause: 'damaged', about: 'unreadable', keys, chance, isStructural: isBroken };
  },
};

/** Whether an update may be no item at all: it is new, and no event, on a base that has items; or of no known type. */
function isUncertain({ delta, types, received: { before } }: Failure, i: number): boolean {
  const type = delta.type(i);
  if (before.findKey(delta.keys[i]!) >= 0) return false;
  if (!isKnownType(types, type) || (type === 0 && delta.id(i) < firstLocalType)) return true;
  return before.count > 0 && !types.of(type)?.event;
}
