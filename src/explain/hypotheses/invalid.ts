import { checkRegistrations, checkRepeats } from '../../decode/payload.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { keyOf, typeOf } from '../../snapshot/key.ts';
import { firstImplausibleUpdate } from '../evidence.ts';
import type { Failure } from '../failure.ts';
import { type Fit, type Hypothesis, shownChance } from '../hypothesis.ts';

/**
 * Items that no game sends: with another size, with a key that occurs twice, or of a type without registration. What the base, which
 * had the right checksum, has as well is no cause.
 */
export function* invalidItems(failure: Failure): Iterable<Fit> {
  const { delta, types, snapshot, received } = failure;
  const { before, protocol } = received;
  const shown = { chance: shownChance, isStructural: true };
  for (let i = 0; i < delta.count; i++) {
    const [key, type] = [delta.keys[i]!, delta.type(i)];
    const [found, expected] = [delta.sizes[i]!, types.of(type)?.size];
    // Extended items may grow in newer versions.
    if (expected === undefined || found === expected || types.isLocal(type) || before.findKey(key) >= 0) continue;
    yield { cause: 'other_size', about: `${type}`, keys: [key], numbers: { found, expected }, ...shown };
  }
  const repeated = new Set<number>();
  checkRepeats(delta, (code, _, { type, id } = {}) => {
    // A key that is not found in a full bucket is listed as removed and sent in full.
    if (code !== 'removed_and_updated') repeated.add(keyOf(Number(type), Number(id)));
  });
  for (const key of repeated) yield { cause: 'duplicate_key', about: `${key}`, keys: [key], ...shown };
  const known = unregisteredIn(before, new ItemTypes(protocol).onSnapshot(before));
  for (const type of unregisteredIn(snapshot ?? delta, types)) {
    if (known.includes(type)) continue;
    yield { cause: 'unregistered', about: `${type}`, keys: [keyOf(type, 0)], ...shown };
  }
}

function unregisteredIn(items: Parameters<typeof checkRegistrations>[0], types: ItemTypes): number[] {
  const found: number[] = [];
  checkRegistrations(items, types, (code, _, { type } = {}) => {
    if (code === 'missing_registration') found.push(Number(type));
  });
  return found;
}

/** They are a cause by themselves where the rest of the delta makes sense: a delta that is read wrongly has such items as well. */
export const invalid: Pick<Hypothesis, 'find'> = {
  *find(failure) {
    const { delta, types, excess, error, received } = failure;
    const isRead = excess === 0 && (!error || error.code === 'size_differs');
    if (!isRead || firstImplausibleUpdate(received.before, delta, { types, tick: received.tick }) >= 0) return;
    for (const fit of invalidItems(failure)) yield { ...fit, numbers: { ...fit.numbers, type: typeOf(fit.keys[0]!) } };
  },
};
