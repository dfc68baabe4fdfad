import { valuesUpTo } from '../annotate/values.ts';
import { valueBoundsOf } from '../protocol/value-bounds.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { maxType, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The edge of the largest maps, in units. */
const maxPosition = 2 ** 22;
/** How far ahead of the snapshot's tick a tick can be: a day. */
const maxAhead = 50 * 60 * 60 * 24;

/** Where ints are read: what types mean there, and when. */
interface Context {
  readonly types: ItemTypes;
  readonly tick: number;
}

/** Whether an int of an item has a value that no game sends. `ints` are those of the rebuilt item. */
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
 * The first update of a delta that makes no sense: of a type that is unknown, or with a value that no game sends where the base's
 * was in order. -1 where there is none.
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

/** Servers count local types down from 0x7fff; for a snapshot or two the registration of one may be missing. */
const usualLocalType = 0x7f00;

export const isKnownType = (types: ItemTypes, type: number): boolean =>
  types.of(type) !== undefined || types.uuidOf(type) !== undefined || (type >= usualLocalType && type <= maxType);
