import { copyInts } from '../../bytes/copy.ts';
import { DecodeError, type Warn } from '../../bytes/diagnostic.ts';
import { unpacked, useUnpacked } from '../../codec/unpacked.ts';
import type { Delta } from '../delta.ts';
import { maxItems } from '../key.ts';
import type { Snapshot } from '../snapshot.ts';
import type { ItemFinder } from './find-item.ts';
import type { ItemRemover } from './remove.ts';
import { maxInts, type Scratch } from './scratch.ts';

/** Applies the updates of a delta, in their order. */
export type ItemUpdater = (base: Snapshot, delta: Delta, maxBytes: number, warn: Warn) => void;

export function makeItemUpdater(scratch: Scratch, finder: ItemFinder, remover: ItemRemover): ItemUpdater {
  const { keys, offsets, data } = scratch;
  /** The ints of the delta, which usually are here already. */
  const differences = unpacked;
  /** For each item the number of the delta that last updated it. */
  const updated = new Float64Array(maxItems);
  let deltas = 0;

  function loadDifferences({ ints }: Delta, start: number, size: number): void {
    if (ints === differences) return;
    useUnpacked(undefined);
    copyInts(ints, start, start + size, differences, 0);
  }

  /** Returns the sum of the differences. */
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
    finder.addLast();
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

  return (base, delta, maxBytes, warn) => {
    const { hasRepeats } = base;
    const { count, keys: changed, starts, sizes } = delta;
    // A delta longer than any snapshot has repeated updates: its ints are loaded update by update.
    const isLong = delta.length > maxInts;
    if (!isLong) loadDifferences(delta, 0, delta.length);
    const number = ++deltas;
    let next = 0;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const size = sizes[i]!;
      let item = finder.find(changed[i]!, next, hasRepeats);
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
  if (bytes > maxBytes) {
    throw new DecodeError('snapshot_too_large', delta.start(i), { found: bytes, limit: maxBytes });
  }
}
