import { firstLocalType } from '../../snapshot/key.ts';
import type { Failure } from '../failure.ts';
import { flippedBit, flippedKey, flippedValue } from '../flipped-bit.ts';
import type { Fit, Hypothesis, Search } from '../hypothesis.ts';
import { firstImplausibleUpdate, isKnownType } from '../implausible.ts';
import { repeatedParts } from '../parts.ts';

/** An unreadable delta indicates damage only if no other cause explains it. */
const unreadableChance = 1e-2;
/** An out-of-range value indicates damage, but also other causes. */
const implausibleChance = 0.1;

/** The maximum number of uncertain items after the named one. */
const maxUncertain = 2;

/**
 * The bytes of the delta are damaged. A single flipped bit is found: with it flipped back, the delta is readable and
 * has the announced checksum. For other damage, the item is named at which the delta becomes implausible.
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
      // The damage may be elsewhere: if other deltas are unreadable, a readable one is no contradiction.
      if (flips.length === 0) yield { cause: 'damaged', about: 'unreadable', keys: [], chance: 1, isStructural: false };
      return;
    }
    // Data that is shifted by damage reads as new items. The last item of the base or the last event before them is
    // either correct or damaged itself. It is named only if it is near.
    const last = unusual >= 0 ? unusual : delta.count - 1;
    let at = last;
    while (at >= 0 && isUncertain(failure, at)) at--;
    const keys = at < 0 || last - at > maxUncertain ? [] : [delta.keys[at]!];
    // A part that equals the preceding one may belong to that snapshot, which means that the bytes are undamaged.
    const isBroken = (error !== undefined || excess > 0) && repeatedParts(received).length === 0;
    const chance = isBroken ? unreadableChance : implausibleChance;
    yield { cause: 'damaged', about: 'unreadable', keys, chance, isStructural: isBroken };
  },
};

/** Whether an update may be the result of misreading: of an unknown type, or a new item that is not an event. */
function isUncertain({ delta, types, received: { before } }: Failure, i: number): boolean {
  const type = delta.type(i);
  if (before.findKey(delta.keys[i]!) >= 0) return false;
  if (!isKnownType(types, type) || (type === 0 && delta.id(i) < firstLocalType)) return true;
  return before.count > 0 && !types.of(type)?.event;
}
