import type { Warn } from '../bytes/diagnostic.ts';
import { Delta } from '../snapshot/delta.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { firstLocalType, idOf, KeyIndex, typeOf, uuidInts } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Warns of keys that occur twice. */
export function checkRepeats(body: Snapshot | Delta, warn: Warn): void {
  if (body instanceof Delta) repeatsInDelta(body, warn);
  else repeatsInSnapshot(body, warn);
}

function repeatsInSnapshot(snapshot: Snapshot, warn: Warn): void {
  if (!snapshot.hasRepeats) return;
  for (let i = 0; i < snapshot.count; i++) {
    if (snapshot.findKey(snapshot.keys[i]!) < i) warn('duplicate_key', snapshot.start(i), names(snapshot.keys[i]!));
  }
}

function repeatsInDelta(delta: Delta, warn: Warn): void {
  const removed = new KeyIndex().reset(delta.removedCount);
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    if (!removed.add(key, i)) warn('removed_twice', 3 + i, names(key));
  }
  const updated = new KeyIndex().reset(delta.count);
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (removed.get(key) >= 0) warn('removed_and_updated', delta.start(i), names(key));
    if (!updated.add(key, i)) warn('updated_twice', delta.start(i), names(key));
  }
}

/** Warns once of each local type whose registration is missing or comes after it. */
export function checkRegistrations(body: Snapshot | Delta, types: ItemTypes, warn: Warn): void {
  const registered = new Set<number>();
  const reported = new Set<number>();
  for (let i = 0; i < body.count; i++) {
    const type = body.type(i);
    if (type === 0 && body.item(i).length >= uuidInts) registered.add(body.id(i));
    if (type < firstLocalType || registered.has(type) || reported.has(type)) continue;
    reported.add(type);
    if (types.uuidOf(type) === undefined) warn('missing_registration', body.start(i), { type });
    else if (!(body instanceof Delta)) warn('late_registration', body.start(i), { type });
  }
}

const names = (key: number) => ({ type: typeOf(key), id: idOf(key) });
