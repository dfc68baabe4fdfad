import type { Delta } from '../snapshot/delta.ts';
import { typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { sumOf } from './sums.ts';

export interface KeySet {
  readonly keys: readonly number[];
  /** The sums of all tried sets of this kind. */
  readonly tried: readonly number[];
}

/** The maximum number of sets of one kind: more are not significant. */
const maxSets = 8;
/** The maximum number of items of which pairs are tried. */
const maxOfPairs = 64;
/** The maximum number of items of one type of which all subsets are tried. */
const maxOfSubsets = 10;

/** The items of a base that a delta removes. */
export function removedKeys(delta: Delta, before: Snapshot, after: Snapshot): number[] {
  const keys = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  return [...new Set(keys)].filter((key) => before.findKey(key) >= 0 && after.findKey(key) < 0);
}

/**
 * Sets of a snapshot's items with a given sum: single items, pairs, subsets of one type, all. Larger sets are skipped
 * if a single item was found.
 */
export function* keySets(snapshot: Snapshot, all: readonly number[], sum: number): Iterable<KeySet> {
  const sumOfKey = (key: number) => sumOf(snapshot.item(snapshot.findKey(key)));
  // An item with the sum 0 does not affect the checksum.
  const keys = all.filter((key) => sumOfKey(key) !== 0);
  const sums = keys.map(sumOfKey);
  let count = 0;
  for (const [i, key] of keys.entries()) {
    if (sums[i] !== sum || ++count > maxSets) continue;
    yield { keys: [key], tried: sums };
  }
  if (count > 0 || keys.length < 2) return;
  if (keys.length <= maxOfPairs) {
    const tried = sums.flatMap((one, i) => sums.slice(i + 1).map((other) => (one + other) | 0));
    for (let i = 0; i < keys.length; i++) {
      for (let k = i + 1; k < keys.length; k++) {
        if (((sums[i]! + sums[k]!) | 0) !== sum || ++count > maxSets) continue;
        yield { keys: [keys[i]!, keys[k]!], tried };
      }
    }
  }
  const types = [...new Set(keys.map(typeOf))];
  const ofTypes = types.map((type) => keys.filter((key) => typeOf(key) === type));
  const sets = ofTypes.flatMap((set) => (set.length <= maxOfSubsets ? largeSubsets(set) : [set]));
  if (types.length > 1) sets.push([...keys]);
  const sumOfKeyAt = new Map(keys.map((key, i) => [key, sums[i]!]));
  const tried = sets.map((set) => sumOf(set.map((key) => sumOfKeyAt.get(key)!)));
  for (const [i, set] of sets.entries()) {
    if (set.length > 2 && tried[i] === sum && ++count <= maxSets) yield { keys: set, tried };
  }
}

/** The subsets of at least three keys, the largest last. */
function largeSubsets(keys: readonly number[]): number[][] {
  const sets: number[][] = [[]];
  for (const key of keys) sets.push(...sets.map((set) => [...set, key]));
  return sets.filter(({ length }) => length > 2);
}
