import { DecodeError } from '../bytes/diagnostic.ts';
import { expects } from '../bytes/expects.ts';
import type { ItemTypes } from './item-types.ts';
import { keyOf, maxId, maxItems, maxSnapshotBytes, maxType } from './key.ts';
import { Snapshot } from './snapshot.ts';

/**
 * Builds a snapshot item by item, within the limits of the games.
 *
 * Source: the limits of `CSnapshotBuilder` in `src/engine/shared/snapshot.cpp` of the games.
 */
export class SnapshotBuilder {
  readonly #items = new Map<number, Int32Array>();
  #bytes = 8;

  /**
   * Adds an item at the end, within the limits of the games. @throws DecodeError, or TypeError for data other than
   * 32-bit ints
   */
  add(type: number, id: number, data: ArrayLike<number>): this {
    const count = this.#items.size;
    if (!Number.isInteger(type)) expects('an item', 'a whole number as its type', type);
    if (!Number.isInteger(id)) expects('an item', 'a whole number as its id', id);
    if (typeof data !== 'object' || data === null) expects('an item', 'a list of ints', data);
    if (!(type >= 0 && type <= maxType)) throw new DecodeError('bad_type', count, { found: type, limit: maxType });
    if (!(id >= 0 && id <= maxId)) throw new DecodeError('bad_id', count, { found: id, limit: maxId });
    const key = keyOf(type, id);
    if (this.#items.has(key)) throw new DecodeError('duplicate_key', count, { type, id });
    if (count >= maxItems) throw new DecodeError('too_many_items', count, { found: count + 1, limit: maxItems });
    const bytes = this.#bytes + 8 + 4 * data.length;
    if (bytes > maxSnapshotBytes) {
      throw new DecodeError('snapshot_too_large', count, { found: bytes, limit: maxSnapshotBytes });
    }
    const ints = Int32Array.from(data);
    const wrong = ints.findIndex((int, i) => int !== data[i]);
    if (wrong >= 0) throw new TypeError(`an item consists of 32-bit ints; its int ${wrong} is ${data[wrong]}`);
    this.#items.set(key, ints);
    this.#bytes = bytes;
    return this;
  }

  build(): Snapshot {
    const ints = (this.#bytes - 8 - 8 * this.#items.size) / 4;
    const snapshot = Snapshot.withRoom(this.#items.size, ints);
    for (const [key, data] of this.#items)
      snapshot.data.set(data, snapshot.offsets[snapshot.append(key, data.length)]!);
    return snapshot;
  }
}

/** The selected items of a snapshot, in their order. */
export function select(snapshot: Snapshot, isSelected: (type: number, id: number) => boolean): Snapshot {
  const selected = Snapshot.withRoom(snapshot.count, snapshot.offsets[snapshot.count]!);
  for (let i = 0; i < snapshot.count; i++) {
    if (isSelected(snapshot.type(i), snapshot.id(i))) selected.appendItems(snapshot, i, i + 1);
  }
  return selected;
}

/** A copy, which stays valid when the snapshot is filled again. */
export function copyOf(snapshot: Snapshot): Snapshot {
  const copy = new Snapshot();
  copy.copyFrom(snapshot);
  return copy;
}

/** `now` with the ints of some fields from `old`, so that these fields do not count as changed. */
export function withFieldsOf(old: Snapshot, now: Snapshot, types: ItemTypes, fields: ReadonlySet<string>): Snapshot {
  const masked = copyOf(now);
  for (let i = 0; i < masked.count; i++) {
    const was = old.findKey(masked.keys[i]!);
    if (was < 0) continue;
    const ints = masked.item(i);
    for (const { name, at, ints: count } of types.of(masked.type(i))?.fields ?? []) {
      if (fields.has(name)) ints.set(old.item(was).subarray(at, Math.min(at + count, ints.length)), at);
    }
  }
  return masked;
}
