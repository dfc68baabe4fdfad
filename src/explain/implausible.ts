import { valuesUpTo } from '../annotate/values.ts';
import { valueBoundsOf } from '../protocol/value-bounds.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { maxType, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The edge of the largest maps, in units. */
const maxPosition = 2 ** 22;
/** The maximum distance of a tick from the snapshot's tick: a day. */
const maxAhead = 50 * 60 * 60 * 24;

/** The meaning of types and the tick of the snapshot. */
interface Context {
  readonly types: ItemTypes;
  readonly tick: number;
}

/** Whether an int of an item has a value that the games never send. `ints` are those of the rebuilt item. */
export function isImplausibleValue({ types, tick }: Context, key: number, ints: Int32Array, at: number): boolean {
  const type = types.of(typeOf(key));
  if (!type) return false;
  for (const { meaning, at: start, ints: count } of valuesUpTo(type, ints.length)) {
    if (at < start || at >= start + count) continue;
    const value = ints[at]!;
    if (meaning.kind === 'position') return Math.abs(value) > maxPosition * meaning.scale;
    if (meaning.kind === 'tick') return value > tick + maxAhead;
    const bounds = valueBoundsOf(meaning);
    return bounds !== undefined && (value < bounds.min || value > bounds.max);
  }
  return false;
}

/**
 * The first implausible update of a delta: of an unknown type, or with a value that the games never send although the
 * base's value was valid. -1 if there is none.
 */
export function firstImplausibleUpdate(before: Snapshot, delta: Delta, context: Context): number {
  const { types } = context;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (!isKnownType(types, typeOf(key))) return i;
    const was = before.findKey(key);
    const ints = delta.item(i).slice();
    if (was >= 0) {
      const old = before.item(was);
      if (old.length !== ints.length) return i;
      for (let k = 0; k < ints.length; k++) ints[k] = (ints[k]! + old[k]!) | 0;
    }
    for (let k = 0; k < ints.length; k++) {
      const wasImplausible = was >= 0 && isImplausibleValue(context, key, before.item(was), k);
      if (!wasImplausible && isImplausibleValue(context, key, ints, k)) return i;
    }
  }
  return -1;
}

/** Servers count local types down from 0x7fff; the registration of one may be missing for one or two snapshots. */
const usualLocalType = 0x7f00;

export const isKnownType = (types: ItemTypes, type: number): boolean =>
  types.of(type) !== undefined || types.uuidOf(type) !== undefined || (type >= usualLocalType && type <= maxType);
