import { maxItems } from '../key.ts';
import { KeyIndex } from '../key-index.ts';
import type { Scratch } from './scratch.ts';

/** An index is built when this many keys were not found; up to then a search through all keys is faster. */
const missesBeforeIndex = 8;

/** Finds items of the scratch by key. */
export interface ItemFinder {
  /**
   * The first item with a key, -1 if there is none.
   * @param next the expected index: deltas keep the order of the base
   * @param hasRepeats whether a key occurs twice, so that the search has to begin at the first item
   */
  find(key: number, next: number, hasRepeats: boolean): number;
  /** Reports that the last item is new. */
  addLast(): void;
  /** Reports that items have moved. */
  reset(): void;
}

export function makeItemFinder(scratch: Scratch): ItemFinder {
  const { keys } = scratch;
  const index = new KeyIndex();
  let isIndexed = false;
  let misses = 0;

  function scan(key: number, start: number, end: number): number {
    for (let i = start; i < end; i++) if (keys[i] === key) return i;
    return -1;
  }

  function fillIndex(): void {
    index.reset(maxItems);
    for (let i = 0; i < scratch.count; i++) index.add(keys[i]!, i);
    isIndexed = true;
  }

  return {
    find(key, next, hasRepeats) {
      if (isIndexed) return index.get(key);
      const from = hasRepeats ? 0 : next;
      let item = scan(key, from, scratch.count);
      if (item < 0) item = scan(key, 0, from);
      if (item < 0 && ++misses === missesBeforeIndex) fillIndex();
      return item;
    },
    addLast() {
      const last = scratch.count - 1;
      if (isIndexed) index.add(keys[last]!, last);
    },
    reset() {
      isIndexed = false;
      misses = 0;
    },
  };
}
