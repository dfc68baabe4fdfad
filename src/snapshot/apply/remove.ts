import type { Warn } from '../../bytes/diagnostic.ts';
import type { Delta } from '../delta.ts';
import { idOf, maxItems, typeOf } from '../key.ts';
import { KeyIndex } from '../key-index.ts';
import type { ItemFinder } from './find-item.ts';
import type { Scratch } from './scratch.ts';

export interface ItemRemover {
  /** Removes the items whose keys a delta lists, including repeated ones. */
  remove(delta: Delta, hasRepeats: boolean, warn: Warn): void;
  /** Whether the delta that was passed last lists a key. */
  lists(key: number): boolean;
}

export function makeItemRemover(scratch: Scratch, finder: ItemFinder): ItemRemover {
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
      const item = finder.find(key, next, hasRepeats);
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
    finder.reset();
  }

  function move(start: number, end: number, into: number): void {
    if (into < start) data.copyWithin(into, start, end);
  }

  return {
    remove(delta, hasRepeats, warn) {
      count = delta.removedCount;
      if (count === 0) return;
      listed.reset(count);
      const first = markRemoved(delta, hasRepeats, warn);
      if (first < scratch.count) closeGaps(first);
    },
    lists: (key) => count > 0 && listed.get(key) >= 0,
  };
}
