import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import type { Delta } from './delta.ts';
import { idOf, maxItems, maxSnapshotBytes, typeOf } from './key.ts';
import { KeyIndex } from './key-index.ts';
import { Snapshot } from './snapshot.ts';

/**
 * The snapshot that a delta makes of `base`, as the games apply it: what the delta doesn't remove stays, in the base's order;
 * an update of an item of the base is added to that item, elementwise and wrapping; any other update is a new item, at the end.
 * Of repeated updates the last counts. The base is never changed.
 * @throws DecodeError with the index of an int of the delta: `size_differs`, `too_many_items`, `snapshot_too_large`.
 */
export function apply(base: Snapshot, delta: Delta, warn: Warn = ignore): Snapshot {
  const result = Snapshot.withRoom(base.count + delta.count, base.offsets[base.count]! + delta.length);
  const places = keepUnremoved(base, delta, result, warn);
  const added = new KeyIndex(delta.count);
  const updated = new Uint8Array(base.count + delta.count);
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const size = delta.sizes[i]!;
    const at = delta.start(i);
    const from = base.findKey(key);
    let place = from >= 0 ? places[from]! : -1;
    if (place < 0) place = added.get(key);
    if (place < 0) {
      if (from >= 0) warn('removed_and_updated', at, { type: typeOf(key), id: idOf(key) });
      place = result.append(key, size);
      added.add(key, place);
      refuseTooLarge(result, at);
    }
    const expected = from >= 0 ? base.size(from) : result.size(place);
    if (size !== expected) {
      throw new DecodeError('size_differs', at, { type: typeOf(key), id: idOf(key), found: size, expected });
    }
    if (updated[place]) warn('updated_twice', at, { type: typeOf(key), id: idOf(key) });
    updated[place] = 1;

    const ints = delta.starts[i]!;
    const into = result.offsets[place]!;
    if (from < 0) result.data.set(delta.item(i), into);
    else {
      const old = base.offsets[from]!;
      for (let k = 0; k < size; k++) result.data[into + k] = (base.data[old + k]! + delta.ints[ints + k]!) | 0;
    }
  }
  return result;
}

/** Copies what stays into `result`; returns each base item's place there, -1 for the removed. */
function keepUnremoved(base: Snapshot, delta: Delta, result: Snapshot, warn: Warn): Int32Array {
  const removed = new KeyIndex(delta.removedCount);
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    const code = !removed.add(key, i) ? 'removed_twice' : base.findKey(key) < 0 ? 'unknown_removed' : undefined;
    if (code) warn(code, 3 + i, { type: typeOf(key), id: idOf(key) });
  }
  const places = new Int32Array(base.count).fill(-1);
  for (let i = 0; i < base.count; i++) {
    const key = base.keys[i]!;
    if (removed.get(key) >= 0) continue;
    places[i] = result.append(key, base.size(i));
    result.data.set(base.item(i), result.offsets[places[i]!]!);
  }
  return places;
}

function refuseTooLarge(result: Snapshot, at: number): void {
  if (result.count > maxItems) throw new DecodeError('too_many_items', at, { found: result.count, limit: maxItems });
  const bytes = 4 * result.intCount;
  if (bytes > maxSnapshotBytes) {
    throw new DecodeError('snapshot_too_large', at, { found: bytes, limit: maxSnapshotBytes });
  }
}
