import { Beginnings } from '../bytes/copy.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import { expects } from '../bytes/expects.ts';
import { unpacked, useUnpacked } from '../codec/unpacked.ts';
import { type Delta, isDelta } from './delta.ts';
import { idOf, KeyIndex, maxDraftSnapshotBytes, maxItems, maxSnapshotBytes, typeOf } from './key.ts';
import { isSnapshot, Snapshot } from './snapshot.ts';

/*
 * A delta and its base become the next snapshot. This runs once for each snapshot of a recording, so it is written for
 * speed.
 *
 *   base       A B C D        what it was
 *   delta      - B   + C: 0 1 -2   + E: 7 7       removed keys first, then updates
 *
 *   scratch    A B C D        1. the base, copied, or still there as the last result
 *              A C D          2. removed items go, the rest moves together
 *              A C'D          3. an update is added to its item, int by int; the sum takes the differences
 *              A C'D E        4. a key that is not there is a new item at the end
 *   result     A C'D E        5. copied out, with its checksum
 *
 * Damaged and hand-made deltas take the same way. What a removed item's key does in an update, what a repeated key
 * means, and that the last of repeated updates counts is what `CSnapshotDelta::UnpackDelta` does; each is a warning
 * with a place.
 *
 * The tricks, one by one; scripts/results.md has what they gained, and what was tried without gain.
 *
 * - The arrays are constants of closures: src/wire/README.md, "Hot loops".
 * - The last result stays in the scratch, which saves the copy in (`loadedSnapshot`).
 * - The checksum is the base's plus the differences, instead of a sum of all ints.
 * - Keys and offsets are copied out only if they changed (`layout`).
 * - Differences are added where they were unpacked, without a copy (`unpacked`).
 * - Views of the first ints are kept by length (`Beginnings`).
 * - The search for an item begins after the last one found: a delta lists its updates in the base's order.
 * - `updated` has the number of the delta that last changed an item, so that nothing is cleared.
 *
 * Measure: `npm run bench` for the whole, `node scripts/bench/parts.mjs` for this part. Compare runs in turn: other
 * work on the machine changes them more than a trick does.
 */

/**
 * The snapshot that results from a delta and its base: {@link applyInto} with a new snapshot as the result.
 *
 * Source: `CSnapshotDelta::UnpackDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { apply, decode } from 'tw-snap';
 *
 * const next = decode(bytes, { kind: 'delta' });
 * if (next.kind === 'delta') console.log(apply(old, next.delta).checksum());
 * ```
 */
export function apply(base: Snapshot, delta: Delta, warn: Warn = ignore, maxBytes = maxSnapshotBytes): Snapshot {
  if (!isSnapshot(base)) expects('apply', 'a Snapshot as the base', base);
  if (!isDelta(delta)) expects('apply', 'a Delta', delta);
  const result = new Snapshot();
  applyInto(base, delta, result, warn, maxBytes);
  return result;
}

/** The ints of the largest snapshot that any limit allows. */
const maxInts = maxDraftSnapshotBytes / 4;

/**
 * A copy of the base, which a delta turns into the result. Its arrays are constants: see "Hot loops" in
 * src/wire/README.md.
 */
class Scratch {
  readonly keys = new Int32Array(maxItems);
  readonly offsets = new Int32Array(maxItems + 1);
  readonly data = new Int32Array(maxInts);
  readonly keysFrom = new Beginnings(this.keys);
  readonly offsetsFrom = new Beginnings(this.offsets);
  readonly dataFrom = new Beginnings(this.data);
  count = 0;
  sum = 0;
  /** Identifies the keys and offsets: it is incremented when they change. */
  layout = 0;

  /** @throws DecodeError for a base that is larger than the limits allow */
  load(base: Snapshot, maxBytes: number): void {
    const { keys, offsets, data, count } = base;
    const ints = offsets[count]!;
    if (count > maxItems) throw new DecodeError('too_many_items', 0, { found: count, limit: maxItems });
    if (4 * ints > maxBytes) throw new DecodeError('snapshot_too_large', 0, { found: 4 * ints, limit: maxBytes });
    // All of an array if there is room: a view of its beginning takes longer.
    this.keys.set(keys.length <= this.keys.length ? keys : keys.subarray(0, count));
    this.offsets.set(offsets.length <= this.offsets.length ? offsets : offsets.subarray(0, count + 1));
    this.data.set(data.length <= this.data.length ? data : data.subarray(0, ints));
    this.count = count;
    this.sum = base.checksum();
    this.layout++;
  }
}

function makeItemFinder(scratch: Scratch) {
  const { keys } = scratch;

  function scan(key: number, start: number, end: number): number {
    for (let i = start; i < end; i++) if (keys[i] === key) return i;
    return -1;
  }

  /**
   * The first item with a key, -1 if there is none. `next` is the expected one; where keys repeat, the search begins at
   * the first. An index of the keys gained nothing with usual deltas; without one, a delta that replaces 1,024 items
   * takes 0.3 ms.
   */
  return (key: number, next: number, hasRepeats: boolean): number => {
    const from = hasRepeats ? 0 : next;
    const item = scan(key, from, scratch.count);
    return item < 0 ? scan(key, 0, from) : item;
  };
}

type ItemFinder = ReturnType<typeof makeItemFinder>;

type ItemRemover = ReturnType<typeof makeItemRemover>;

function makeItemRemover(scratch: Scratch, find: ItemFinder) {
  const { keys, offsets, data } = scratch;
  const listed = new KeyIndex();
  let count = 0;
  /** 1 for each item that is removed, until that is done. */
  const removed = new Uint8Array(maxItems);

  /** Marks the items to remove, and returns the first of them; the number of items if there is none. */
  function markRemoved(delta: Delta, hasRepeats: boolean, warn: Warn): number {
    const items = scratch.count;
    let next = 0;
    let first = items;
    for (let i = 0; i < count; i++) {
      const key = delta.removedKey(i);
      const item = find(key, next, hasRepeats);
      const code = !listed.add(key, i) ? 'removed_twice' : item < 0 ? 'unknown_removed' : undefined;
      if (code) warn(code, 3 + i, { type: typeOf(key), id: idOf(key) });
      if (item < 0) continue;
      removed[item] = 1;
      next = item + 1;
      if (item < first) first = item;
    }
    if (hasRepeats) for (let i = first; i < items; i++) if (listed.get(keys[i]!) >= 0) removed[i] = 1;
    return first;
  }

  /** Closes the gaps of removed items, from item `first` on. Runs of items that stay are moved together. */
  function closeGaps(first: number): void {
    let left = first;
    let into = offsets[first]!;
    let start = into;
    let run = into;
    let { sum } = scratch;
    for (let i = first; i < scratch.count; i++) {
      const end = offsets[i + 1]!;
      if (removed[i]) {
        removed[i] = 0;
        move(run, start, into);
        into += start - run;
        run = end;
        for (let at = start; at < end; at++) sum = (sum - data[at]!) | 0;
      } else {
        keys[left++] = keys[i]!;
        offsets[left] = into + end - run;
      }
      start = end;
    }
    move(run, start, into);
    scratch.count = left;
    scratch.sum = sum;
    scratch.layout++;
  }

  function move(start: number, end: number, into: number): void {
    if (into < start) data.copyWithin(into, start, end);
  }

  return {
    /** Removes the items whose keys a delta lists, including repeated ones. */
    remove(delta: Delta, hasRepeats: boolean, warn: Warn): void {
      count = delta.removedCount;
      if (count === 0) return;
      listed.reset(count);
      const first = markRemoved(delta, hasRepeats, warn);
      if (first < scratch.count) closeGaps(first);
    },
    /** Whether the delta that was passed last lists a key. */
    lists: (key: number): boolean => count > 0 && listed.get(key) >= 0,
  };
}

function makeItemUpdater(scratch: Scratch, find: ItemFinder, remover: ItemRemover) {
  const { keys, offsets, data } = scratch;
  /** The ints of the delta, which usually are here already. */
  const differences = unpacked;
  /** For each item the number of the delta that last updated it. */
  const updated = new Float64Array(maxItems);
  let deltas = 0;

  function loadDifferences({ ints }: Delta, start: number, size: number): void {
    if (ints === differences) return;
    useUnpacked(undefined);
    differences.set(ints.subarray(start, start + size));
  }

  function addDifferences(from: number, into: number, size: number): number {
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const difference = differences[from + i]!;
      data[into + i] = (data[into + i]! + difference) | 0;
      sum = (sum + difference) | 0;
    }
    return sum;
  }

  /** Appends a new item: zeros, or its ints in the base if the delta also removes it. */
  function append(base: Snapshot, delta: Delta, i: number, maxBytes: number, warn: Warn): number {
    const key = delta.keys[i]!;
    const size = delta.sizes[i]!;
    const item = scratch.count;
    const start = offsets[item]!;
    const was = remover.lists(key) ? base.findKey(key) : -1;
    if (was >= 0) warn('removed_and_updated', delta.start(i), { type: delta.type(i), id: delta.id(i) });
    checkLimits(delta, i, item + 1, start + size, maxBytes);
    if (was >= 0 && size !== base.size(was)) throw sizeDiffers(delta, i, base.size(was));
    keys[item] = key;
    offsets[item + 1] = start + size;
    for (let at = start; at < start + size; at++) data[at] = 0;
    updated[item] = 0;
    scratch.count++;
    scratch.layout++;
    if (was >= 0) restore(base, item);
    return item;
  }

  /** Sets an item to its ints in the base, or to zeros if the base does not have it. */
  function restore(base: Snapshot, item: number): void {
    const was = base.findKey(keys[item]!);
    let from = was < 0 ? 0 : base.offsets[was]!;
    for (let at = offsets[item]!; at < offsets[item + 1]!; at++) {
      const value = was < 0 ? 0 : base.data[from++]!;
      scratch.sum = (scratch.sum - data[at]! + value) | 0;
      data[at] = value;
    }
  }

  return (base: Snapshot, delta: Delta, maxBytes: number, warn: Warn): void => {
    const { hasRepeats } = base;
    const { count, keys: changed, starts, sizes, items } = delta;
    // A delta longer than any snapshot has repeated updates: its ints are loaded update by update.
    const isLong = delta.length > maxInts;
    if (!isLong) loadDifferences(delta, 0, delta.length);
    const number = ++deltas;
    let next = 0;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const size = sizes[i]!;
      let item = find(changed[i]!, next, hasRepeats);
      if (item < 0) item = append(base, delta, i, maxBytes, warn);
      else {
        const expected = offsets[item + 1]! - offsets[item]!;
        if (size !== expected) throw sizeDiffers(delta, i, expected);
        if (updated[item] === number) {
          warn('updated_twice', delta.start(i), { type: delta.type(i), id: delta.id(i) });
          restore(base, item);
        }
        next = item + 1;
      }
      updated[item] = number;
      items[i] = item;
      const start = starts[i]!;
      if (isLong) loadDifferences(delta, start, size);
      sum = (sum + addDifferences(isLong ? 0 : start, offsets[item]!, size)) | 0;
    }
    scratch.sum = (scratch.sum + sum) | 0;
  };
}

function sizeDiffers(delta: Delta, i: number, expected: number): DecodeError {
  const args = { type: delta.type(i), id: delta.id(i), found: delta.sizes[i]!, expected };
  return new DecodeError('size_differs', delta.start(i), args);
}

function checkLimits(delta: Delta, i: number, items: number, ints: number, maxBytes: number): void {
  if (items > maxItems) throw new DecodeError('too_many_items', delta.start(i), { found: items, limit: maxItems });
  const bytes = 4 * (2 + 2 * items + ints);
  if (bytes > maxBytes) throw new DecodeError('snapshot_too_large', delta.start(i), { found: bytes, limit: maxBytes });
}

/**
 * Makes `result` the snapshot that results from `delta` and `base`, as the games do: what the delta does not remove
 * stays, in the base's order; an update of an item of the base is added to that item, elementwise and wrapping; any
 * other update is a new item, at the end. The last of repeated updates counts. The base is never changed. The checksum
 * is updated incrementally from the base's.
 *
 * Source: `CSnapshotDelta::UnpackDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @throws DecodeError with the index of an int of the delta: `size_differs`, `too_many_items`, `snapshot_too_large`;
 * the content of `result` is then undefined.
 */
export const applyInto: (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn, maxBytes?: number) => void =
  makeApplyInto();

function makeApplyInto() {
  const scratch = new Scratch();
  const find = makeItemFinder(scratch);
  const remover = makeItemRemover(scratch, find);
  const update = makeItemUpdater(scratch, find, remover);
  /** The last result, which is still in the scratch: it is usually the base of the next delta. */
  let loadedSnapshot: Snapshot | undefined;

  return (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn, maxBytes = maxSnapshotBytes): void => {
    const { hasRepeats } = base;
    if (base !== loadedSnapshot || !base.isAsAssigned) scratch.load(base, maxBytes);
    loadedSnapshot = undefined;
    remover.remove(delta, hasRepeats, warn);
    update(base, delta, maxBytes, warn);
    result.assign(scratch, hasRepeats);
    loadedSnapshot = result;
  };
}
