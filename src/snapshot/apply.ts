import { copyInts } from '../bytes/copy.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import type { Delta } from './delta.ts';
import { idOf, maxItems, maxSnapshotBytes, typeOf } from './key.ts';
import { KeyIndex } from './key-index.ts';
import { Snapshot } from './snapshot.ts';

const mostInts = maxSnapshotBytes / 4;
const fewMisses = 8;

/** The snapshot that a delta makes of `base`: {@link applyInto} with a snapshot of its own. */
export function apply(base: Snapshot, delta: Delta, warn: Warn = ignore): Snapshot {
  const result = new Snapshot();
  applyInto(base, delta, result, warn);
  return result;
}

/**
 * Makes `result` what `delta` makes of `base`, as the games do: what the delta doesn't remove stays, in the base's order; an
 * update of an item of the base is added to that item, elementwise and wrapping; any other update is a new item, at the end.
 * Of repeated updates the last counts. The base is never changed. The result's checksum comes of the base's and what differs.
 * @throws DecodeError with the index of an int of the delta: `size_differs`, `too_many_items`, `snapshot_too_large`;
 * `result` is then of no use.
 */
export const applyInto: (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn) => void = makeApplyInto();

/**
 * Engines know the place of an array that is a constant of the function and only indexed there, and look it up anew at each step
 * otherwise: so the base is brought to a workbench, in blocks, and the result taken away, by functions apart.
 */
function makeApplyInto() {
  // The snapshot on the bench.
  const keys = new Int32Array(maxItems);
  const offsets = new Int32Array(maxItems + 1);
  const data = new Int32Array(mostInts);
  let count = 0;
  let sum = 0;
  /** Names the keys and offsets: counted on when they change. */
  let layout = 0;
  /** Filled when many keys are not found: until then looking through all takes less. */
  const index = new KeyIndex();
  let isIndexed = false;
  let misses = 0;
  /** The snapshot that lies on the bench: the last result. */
  let held: Snapshot | undefined;

  const removedKeys = new KeyIndex();
  /** Whether an item is removed, or was updated already. */
  const removed = new Uint8Array(maxItems);
  const updated = new Uint8Array(maxItems);
  /** The ints of the delta. */
  const differences = new Int32Array(mostInts);

  return (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn): void => {
    if (base !== held || !base.isAsAssigned) bring(base);
    held = undefined;
    isIndexed = false;
    misses = 0;
    if (delta.removedCount > 0) remove(base, delta, warn);
    update(base, delta, warn);
    result.assign({ keys, offsets, data, count, sum, hasRepeats: base.hasRepeats, layout });
    held = result;
  };

  function bring(base: Snapshot): void {
    count = base.count;
    const ints = base.offsets[count]!;
    if (count > maxItems) throw new DecodeError('too_many_items', 0, { found: count, limit: maxItems });
    if (ints > mostInts) throw new DecodeError('snapshot_too_large', 0, { found: 4 * ints, limit: maxSnapshotBytes });
    copyInts(base.keys, 0, count, keys, 0);
    copyInts(base.offsets, 0, count + 1, offsets, 0);
    copyInts(base.data, 0, ints, data, 0);
    sum = base.checksum();
    layout++;
  }

  function bringDifferences({ ints }: Delta, start: number, size: number): void {
    copyInts(ints, start, start + size, differences, 0);
  }

  function forgetUpdates(): void {
    updated.fill(0, 0, count);
  }

  function move(into: number, start: number, end: number): void {
    data.copyWithin(into, start, end);
  }

  function remove(base: Snapshot, delta: Delta, warn: Warn): void {
    const seen = removedKeys.reset(delta.removedCount);
    removed.fill(0, 0, count);
    let next = 0;
    let first = count;
    for (let i = 0; i < delta.removedCount; i++) {
      const key = delta.removedKey(i);
      const place = placeOf(base, key, next);
      const code = !seen.add(key, i) ? 'removed_twice' : place < 0 ? 'unknown_removed' : undefined;
      if (code) warn(code, 3 + i, { type: typeOf(key), id: idOf(key) });
      if (place < 0) continue;
      removed[place] = 1;
      next = place + 1;
      if (place < first) first = place;
    }
    // All that have the key, not only the first.
    if (base.hasRepeats) for (let i = first; i < count; i++) if (seen.get(keys[i]!) >= 0) removed[i] = 1;
    if (first < count) close(first);
  }

  /** Closes the gaps of what is removed from item `first` on. */
  function close(first: number): void {
    let left = first;
    let into = offsets[first]!;
    let start = into;
    let run = into;
    for (let i = first; i < count; i++) {
      const end = offsets[i + 1]!;
      if (removed[i]) {
        if (into < run) move(into, run, start);
        into += start - run;
        run = end;
        for (let at = start; at < end; at++) sum = (sum - data[at]!) | 0;
      } else {
        keys[left++] = keys[i]!;
        offsets[left] = into + end - run;
      }
      start = end;
    }
    if (into < run) move(into, run, start);
    count = left;
    layout++;
    isIndexed = false;
  }

  function update(base: Snapshot, delta: Delta, warn: Warn): void {
    // One that is longer than any snapshot repeats itself: its ints are brought update by update.
    const isLong = delta.length > mostInts;
    if (!isLong) bringDifferences(delta, 0, delta.length);
    forgetUpdates();
    let next = 0;
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const size = delta.sizes[i]!;
      let place = placeOf(base, key, next);
      if (place < 0) place = append(base, delta, i, warn);
      else {
        const expected = offsets[place + 1]! - offsets[place]!;
        if (size !== expected) throw sizeDiffers(delta, i, expected);
        if (updated[place]) {
          warn('updated_twice', delta.start(i), { type: typeOf(key), id: idOf(key) });
          restore(base, place);
        }
        next = place + 1;
      }
      updated[place] = 1;

      let at = delta.starts[i]!;
      if (isLong) {
        bringDifferences(delta, at, size);
        at = 0;
      }
      add(at, offsets[place]!, size);
    }
  }

  /** Adds differences to the ints of an item. */
  function add(at: number, into: number, size: number): void {
    let total = sum;
    for (let i = 0; i < size; i++) {
      const difference = differences[at + i]!;
      data[into + i] = (data[into + i]! + difference) | 0;
      total = (total + difference) | 0;
    }
    sum = total;
  }

  /** Where a key stands, -1 where nowhere. Deltas keep the order of the base, so it is mostly not far from `next`. */
  function placeOf(base: Snapshot, key: number, next: number): number {
    if (isIndexed) return index.get(key);
    const from = base.hasRepeats ? 0 : next;
    let place = scan(key, from, count);
    if (place < 0) place = scan(key, 0, from);
    if (place < 0 && ++misses === fewMisses) fillIndex();
    return place;
  }

  function scan(key: number, start: number, end: number): number {
    for (let i = start; i < end; i++) if (keys[i] === key) return i;
    return -1;
  }

  function fillIndex(): void {
    index.reset(maxItems);
    for (let i = 0; i < count; i++) index.add(keys[i]!, i);
    isIndexed = true;
  }

  /** A new item of zeros, or of what it was where the delta removes it as well. */
  function append(base: Snapshot, delta: Delta, i: number, warn: Warn): number {
    const key = delta.keys[i]!;
    const size = delta.sizes[i]!;
    const place = count;
    const was = delta.removedCount > 0 && removedKeys.get(key) >= 0 ? base.findKey(key) : -1;
    if (was >= 0) warn('removed_and_updated', delta.start(i), { type: typeOf(key), id: idOf(key) });
    refuseTooLarge(delta, i, place + 1, offsets[place]! + size);
    if (was >= 0 && size !== base.size(was)) throw sizeDiffers(delta, i, base.size(was));
    layout++;
    keys[place] = key;
    offsets[place + 1] = offsets[place]! + size;
    updated[place] = 0;
    count++;
    if (isIndexed) index.add(key, place);
    for (let at = offsets[place]!; at < offsets[place + 1]!; at++) data[at] = 0;
    if (was >= 0) restore(base, place);
    return place;
  }

  /** Makes an item what it is in the base, zeros where it isn't there. */
  function restore(base: Snapshot, place: number): void {
    const was = base.findKey(keys[place]!);
    let from = was < 0 ? 0 : base.offsets[was]!;
    for (let at = offsets[place]!; at < offsets[place + 1]!; at++) {
      const value = was < 0 ? 0 : base.data[from++]!;
      sum = (sum - data[at]! + value) | 0;
      data[at] = value;
    }
  }
}

function sizeDiffers(delta: Delta, i: number, expected: number): DecodeError {
  const args = { type: delta.type(i), id: delta.id(i), found: delta.sizes[i]!, expected };
  return new DecodeError('size_differs', delta.start(i), args);
}

function refuseTooLarge(delta: Delta, i: number, items: number, ints: number): void {
  if (items > maxItems) throw new DecodeError('too_many_items', delta.start(i), { found: items, limit: maxItems });
  const bytes = 4 * (2 + 2 * items + ints);
  if (bytes > maxSnapshotBytes) {
    throw new DecodeError('snapshot_too_large', delta.start(i), { found: bytes, limit: maxSnapshotBytes });
  }
}
