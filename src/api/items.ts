import { type Protocol, protocolOf, type Version } from '../protocol/registry.ts';
import { compare } from '../snapshot/compare.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { diffJson, type FieldValue, itemJson } from '../view/json/json.ts';

/**
 * One item of a snapshot or delta, with its values by name. It has the shape of an item in the JSON of `tw-snap decode`, and is a
 * copy.
 *
 * @example
 * ```ts
 * import type { Item } from 'tw-snap';
 *
 * const item: Item = { type: 6, name: 'obj_game_data', id: 0, data: [0, 1, 0], fields: { game_start_tick: 0 } };
 * ```
 */
export interface Item {
  /** The number in the snapshot; of an item with a UUID a local one, from 0x4000 on. */
  readonly type: number;
  /** `null` if the protocol has no such item. */
  readonly name: string | null;
  readonly id: number;
  readonly uuid?: string;
  readonly data: readonly number[];
  /** The values by name, in the protocol's units: positions in 1/32 of a tile, ticks of 1/50 s. Missing if `name` is `null`. */
  readonly fields?: Readonly<Record<string, FieldValue>>;
}

/**
 * What differs between two snapshots, with the shape of the JSON of `tw-snap diff`.
 *
 * @example
 * ```ts
 * import { diff, type SnapshotDiff } from 'tw-snap';
 *
 * const { added, removed, changed }: SnapshotDiff = diff(old, now, '0.6');
 * ```
 */
export interface SnapshotDiff {
  readonly kind: 'diff';
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
  readonly changed: readonly {
    readonly type: number;
    readonly name: string | null;
    readonly id: number;
    readonly uuid?: string;
    /** The fields that differ; `old` is `null` if the old item was too short for the field. */
    readonly fields: Readonly<Record<string, { readonly old: FieldValue | null; readonly new: FieldValue }>>;
    /** The ints that differ. */
    readonly data: readonly { readonly index: number; readonly old: number | null; readonly new: number | null }[];
  }[];
  /** Whether the items that both have are in another order. */
  readonly reordered: boolean;
}

/**
 * The items of a snapshot or delta in their order, with names and values. In a delta, the values of an updated item are
 * differences.
 *
 * @param protocol the version, the protocol of a record's stream, or the `types` of what {@link decode} returned. Items with a
 * UUID are named by the registrations in the snapshot; a delta has these only if its `types` come from `decode`.
 * @example
 * ```ts
 * import { itemsOf, readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record !== 'snapshot' || !entry.snapshot) continue;
 *   for (const { name, id, fields } of itemsOf(entry.snapshot, entry.stream.protocol)) {
 *     if (name === 'obj_character') console.log(entry.tick, id, fields!.x, fields!.y);
 *   }
 * }
 * ```
 */
export function* itemsOf(body: Snapshot | Delta, protocol: Version | Protocol | ItemTypes): Generator<Item, void> {
  const types = typesOf(body, protocol);
  for (let i = 0; i < body.count; i++) {
    yield itemJson(types, body.type(i), body.id(i), body.item(i), body instanceof Delta);
  }
}

/**
 * What differs between two snapshots, item by item and field by field. For the delta that turns one into the other see
 * `createDelta` of `tw-snap/codec`.
 *
 * @param protocol names the items and fields
 * @example
 * ```ts
 * import { diff } from 'tw-snap';
 *
 * for (const { name, id, fields } of diff(old, now, '0.6').changed) console.log(name, id, fields);
 * ```
 */
export function diff(old: Snapshot, now: Snapshot, protocol: Version | Protocol): SnapshotDiff {
  const typed = (snapshot: Snapshot) => ({ snapshot, whole: snapshot, types: typesOf(snapshot, protocol) });
  return diffJson(typed(old), typed(now), compare(old, now));
}

function typesOf(body: Snapshot | Delta, protocol: Version | Protocol | ItemTypes): ItemTypes {
  if (protocol instanceof ItemTypes) return protocol;
  return new ItemTypes(typeof protocol === 'string' ? protocolOf(protocol) : protocol).onSnapshot(body);
}

/**
 * The checksum of a snapshot, as servers announce it: the wrapping sum of all data ints of all items, signed. Keys and sizes are
 * not in it. Source: `CSnapshot::Crc` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { checksum, Snapshot } from 'tw-snap';
 *
 * console.log(checksum(new Snapshot())); // 0
 * ```
 */
export const checksum = (snapshot: Snapshot): number => snapshot.checksum();
