import type { ItemTypes } from './item-types.ts';
import { Snapshot } from './snapshot.ts';

/**
 * The selected items of a snapshot, in their order.
 *
 * @example
 * ```ts
 * import { select } from 'tw-snap/codec';
 *
 * console.log(select(now, (type) => type === 10).count);
 * ```
 */
export function select(snapshot: Snapshot, isSelected: (type: number, id: number) => boolean): Snapshot {
  const selected = Snapshot.withRoom(snapshot.count, snapshot.offsets[snapshot.count]!);
  for (let i = 0; i < snapshot.count; i++) {
    if (isSelected(snapshot.type(i), snapshot.id(i))) selected.appendItem(snapshot, i);
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
