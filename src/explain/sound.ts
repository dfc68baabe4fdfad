import type { Protocol } from '../protocol/registry.ts';
import type { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isKnownType } from './implausible.ts';

/** The first type number without a fixed size in any game. */
export const firstSizedType = 64;

/**
 * Whether a game can have sent a delta: each key occurs once, removed items are in the base, updates change something,
 * types are known, and no ints are left over.
 */
export function isSound(base: Snapshot, delta: Delta, protocol: Protocol): boolean {
  if (delta.end !== delta.length) return false;
  const seen = new Set<number>();
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    if (seen.has(key) || base.findKey(key) < 0) return false;
    seen.add(key);
  }
  const types = new ItemTypes(protocol).onSnapshot(base).onSnapshot(delta);
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (seen.has(key)) return false;
    seen.add(key);
    const was = base.findKey(key);
    if (was >= 0) {
      if (base.size(was) !== delta.sizes[i] || delta.item(i).every((int) => int === 0)) return false;
    } else if (!isKnownType(types, typeOf(key))) return false;
  }
  return true;
}
