import type { ItemTypes } from './item-types.ts';
import { Snapshot } from './snapshot.ts';

/** The items of a snapshot that are wanted, in their order. */
export function select(snapshot: Snapshot, wanted: (type: number, id: number) => boolean): Snapshot {
  const selected = Snapshot.withRoom(snapshot.count, snapshot.offsets[snapshot.count]!);
  for (let i = 0; i < snapshot.count; i++) {
    if (!wanted(snapshot.type(i), snapshot.id(i))) continue;
    const place = selected.append(snapshot.keys[i]!, snapshot.size(i));
    selected.data.set(snapshot.item(i), selected.offsets[place]!);
  }
  return selected;
}

/** `now` with the ints of some fields as they were in `old`: what is not to be seen as changed. */
export function withFieldsOf(old: Snapshot, now: Snapshot, types: ItemTypes, fields: ReadonlySet<string>): Snapshot {
  const masked = select(now, () => true);
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
