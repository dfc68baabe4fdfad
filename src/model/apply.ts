import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import type { Delta } from './delta.ts';
import { idOf, maxItems, maxSnapshotBytes, typeOf } from './key.ts';
import { KeyIndex } from './key-index.ts';
import { Snapshot } from './snapshot.ts';

/** The snapshot that a delta makes of `base`: {@link Applier} with a snapshot of its own. */
export function apply(base: Snapshot, delta: Delta, warn: Warn = ignore): Snapshot {
  const result = new Snapshot();
  new Applier().apply(base, delta, result, warn);
  return result;
}

/** Applies deltas, one after the other, without making anything new for each. */
export class Applier {
  readonly #removed = new KeyIndex();
  readonly #added = new KeyIndex();
  /** Where each item of the base stands in the result, -1 for the removed. */
  #places = new Int32Array(0);
  /** Whether an item of the result was updated already. */
  #updated = new Uint8Array(0);

  /**
   * Makes `result` what `delta` makes of `base`, as the games do: what the delta doesn't remove stays, in the base's order; an
   * update of an item of the base is added to that item, elementwise and wrapping; any other update is a new item, at the end.
   * Of repeated updates the last counts. The base is never changed.
   * @throws DecodeError with the index of an int of the delta: `size_differs`, `too_many_items`, `snapshot_too_large`;
   * `result` is then of no use.
   */
  apply(base: Snapshot, delta: Delta, result: Snapshot, warn: Warn): void {
    const items = base.count + delta.count;
    result.clear(items, base.offsets[base.count]! + delta.length);
    if (this.#updated.length < items) {
      this.#places = new Int32Array(items);
      this.#updated = new Uint8Array(items);
    }
    const updated = this.#updated.fill(0, 0, items);
    const added = this.#added.reset(delta.count);
    this.#keep(base, delta, result, warn);
    const places = this.#places;
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const size = delta.sizes[i]!;
      const from = base.findKey(key);
      let place = from >= 0 ? places[from]! : -1;
      if (place < 0) place = added.get(key);
      if (place < 0) {
        if (from >= 0) warn('removed_and_updated', delta.start(i), { type: typeOf(key), id: idOf(key) });
        place = result.append(key, size);
        added.add(key, place);
        refuseTooLarge(result, delta, i);
      }
      const expected = from >= 0 ? base.size(from) : result.size(place);
      if (size !== expected) throw sizeDiffers(delta, i, expected);
      if (updated[place]) warn('updated_twice', delta.start(i), { type: typeOf(key), id: idOf(key) });
      updated[place] = 1;

      const { data } = result;
      let into = result.offsets[place]!;
      let at = delta.starts[i]!;
      const end = at + size;
      if (from < 0) while (at < end) data[into++] = delta.ints[at++]!;
      else {
        let old = base.offsets[from]!;
        while (at < end) data[into++] = (base.data[old++]! + delta.ints[at++]!) | 0;
      }
    }
  }

  /** Copies what stays into `result`, and notes where. */
  #keep(base: Snapshot, delta: Delta, result: Snapshot, warn: Warn): void {
    const removed = this.#removed.reset(delta.removedCount);
    for (let i = 0; i < delta.removedCount; i++) {
      const key = delta.removedKey(i);
      const code = !removed.add(key, i) ? 'removed_twice' : base.findKey(key) < 0 ? 'unknown_removed' : undefined;
      if (code) warn(code, 3 + i, { type: typeOf(key), id: idOf(key) });
    }
    for (let start = 0, end = 0; start < base.count; start = ++end) {
      while (end < base.count && removed.get(base.keys[end]!) < 0) {
        this.#places[end] = result.count + end - start;
        end++;
      }
      if (end < base.count) this.#places[end] = -1;
      result.appendItems(base, start, end);
    }
  }
}

function sizeDiffers(delta: Delta, i: number, expected: number): DecodeError {
  const args = { type: delta.type(i), id: delta.id(i), found: delta.sizes[i]!, expected };
  return new DecodeError('size_differs', delta.start(i), args);
}

function refuseTooLarge(result: Snapshot, delta: Delta, i: number): void {
  if (result.count > maxItems) {
    throw new DecodeError('too_many_items', delta.start(i), { found: result.count, limit: maxItems });
  }
  const bytes = 4 * result.intCount;
  if (bytes > maxSnapshotBytes) {
    throw new DecodeError('snapshot_too_large', delta.start(i), { found: bytes, limit: maxSnapshotBytes });
  }
}
