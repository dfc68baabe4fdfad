import { valuesUpTo } from '../../wire/annotate/field-values.ts';
import { type Meaning, valueBoundsOf } from '../../wire/protocol/meaning.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { maxType, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { maxAhead, maxPosition } from './limits.ts';

// What a game can have sent.

/**
 * Whether a game can have sent it: the third int is 0, keys occur once, removed ones are in the base, updates change
 * something, types are known, no ints are left.
 */
export function isSound(base: Snapshot, delta: Delta, protocol: Protocol): boolean {
  if (delta.end !== delta.length || delta.ints[2] !== 0) return false;
  const seen = new Set<number>();
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    if (seen.has(key) || base.findKey(key) < 0) return false;
    seen.add(key);
  }
  // Most deltas have no new items.
  let types: ItemTypes | undefined;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (seen.has(key)) return false;
    seen.add(key);
    const was = base.findKey(key);
    if (was >= 0) {
      if (base.size(was) !== delta.sizes[i] || delta.item(i).every((int) => int === 0)) return false;
      continue;
    }
    types ??= new ItemTypes(protocol).onSnapshot(base).onSnapshot(delta);
    if (!isKnownType(types, typeOf(key))) return false;
  }
  return true;
}

/** Servers count local types down from 0x7fff; the registration of one may be missing for one or two snapshots. */
const usualLocalType = 0x7f00;

export const isKnownType = (types: ItemTypes, type: number): boolean =>
  types.of(type) !== undefined || types.uuidOf(type) !== undefined || (type >= usualLocalType && type <= maxType);

interface Context {
  readonly types: ItemTypes;
  readonly tick: number;
}

/** The indexes of ints that have values which the games never send. `ints` are those of the rebuilt item. */
export function implausibleInts({ types, tick }: Context, key: number, ints: Int32Array): ReadonlySet<number> {
  const found = new Set<number>();
  const type = types.of(typeOf(key));
  if (!type) return found;
  for (const { meaning, at: start, ints: count, known } of valuesUpTo(type, ints.length)) {
    // No table has what follows.
    if (!known) break;
    const isOdd = oddityOf(meaning, tick);
    for (let at = start; isOdd && at < start + count; at++) if (isOdd(ints[at]!)) found.add(at);
  }
  return found;
}

function oddityOf(meaning: Meaning, tick: number): ((value: number) => boolean) | undefined {
  if (meaning.kind === 'position') return (value) => Math.abs(value) > maxPosition * meaning.scale;
  if (meaning.kind === 'tick') return (value) => value > tick + maxAhead;
  const bounds = valueBoundsOf(meaning);
  return bounds && ((value) => value < bounds.min || value > bounds.max);
}

const none: ReadonlySet<number> = new Set();

/**
 * The first update of an unknown type, or with a value that no game sends although the base's was valid. -1 if there is
 * none.
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
    const odd = implausibleInts(context, key, ints);
    if (odd.size === 0) continue;
    const wereOdd = was < 0 ? none : implausibleInts(context, key, before.item(was));
    for (const at of odd) if (!wereOdd.has(at)) return i;
  }
  return -1;
}
