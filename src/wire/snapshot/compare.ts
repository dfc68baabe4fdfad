import type { Snapshot } from './snapshot.ts';

/** The differences between two snapshots, by indices of their items. */
export interface Comparison {
  /** Items that only the old snapshot has, and items that only the new one has. */
  readonly removed: readonly number[];
  readonly added: readonly number[];
  readonly changed: readonly { readonly old: number; readonly new: number }[];
  readonly same: number;
  /** Whether the items of both snapshots are in a different order. */
  readonly reordered: boolean;
}

/** Compares two snapshots item by item; the order is reported separately. */
export function compare(old: Snapshot, now: Snapshot): Comparison {
  const removed: number[] = [];
  const added: number[] = [];
  const changed: { old: number; new: number }[] = [];
  let same = 0;
  let last = -1;
  let reordered = false;
  for (let i = 0; i < old.count; i++) if (now.findKey(old.keys[i]!) < 0) removed.push(i);
  for (let i = 0; i < now.count; i++) {
    const was = old.findKey(now.keys[i]!);
    if (was < 0) {
      added.push(i);
      continue;
    }
    if (was < last) reordered = true;
    last = was;
    if (equal(old.item(was), now.item(i))) same++;
    else changed.push({ old: was, new: i });
  }
  return { removed, added, changed, same, reordered };
}

export function isSame(a: Snapshot, b: Snapshot): boolean {
  const { count } = a;
  if (count !== b.count || a.offsets[count] !== b.offsets[count]) return false;
  for (let i = 0; i < count; i++) if (a.keys[i] !== b.keys[i] || a.offsets[i] !== b.offsets[i]) return false;
  const ints = a.data;
  const other = b.data;
  const end = a.offsets[count]!;
  for (let i = 0; i < end; i++) if (ints[i] !== other[i]) return false;
  return true;
}

function equal(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((int, i) => int === b[i]);
}
