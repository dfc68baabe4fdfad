import { diffJson } from '../output/json/item-json.ts';
import { expects } from '../wire/bytes/expects.ts';
import type { ItemType } from '../wire/protocol/item.ts';
import { type ModProtocol, Protocol, protocolOf, type Version, versions } from '../wire/protocol/registry.ts';
import type { ItemFieldsOf, ItemName, ValueNameOf } from '../wire/protocol/typed-names.ts';
import { compare } from '../wire/snapshot/compare.ts';
import { Delta, isDelta } from '../wire/snapshot/delta.ts';
import { type FieldValue, fieldValues } from '../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../wire/snapshot/item-types.ts';
import { isSnapshot, type Snapshot } from '../wire/snapshot/snapshot.ts';

/**
 * One item of a snapshot or delta with its values by name, where the type does not know which item: those of mods, of
 * unknown types, and of deltas.
 */
export interface Item extends ItemPlace {
  /** `null` if the protocol has no such item. */
  readonly name: string | null;
  /**
   * The values by name, in the protocol's units: positions in 1/32 of a tile, ticks of 1/50 s. Missing if `name` is
   * `null`.
   */
  readonly fields?: Readonly<Record<string, FieldValue>> | undefined;
}

/** Which item it is, and its ints. */
export interface ItemPlace {
  /** The number in the snapshot; of an item with a UUID a local one, from 0x4000 on. */
  readonly type: number;
  readonly id: number;
  readonly uuid?: string | undefined;
  readonly data: ArrayLike<number>;
}

/**
 * An item of a snapshot whose name is known: the names of its fields, and what they are, follow from the tables of the
 * protocol.
 */
export type ItemOf<V extends Version = Version, Name extends ItemName<V> = ItemName<V>> = V extends Version
  ? Name extends ItemName<V>
    ? ItemPlace & { readonly name: Name; readonly fields: ItemFieldsOf<V, Name> }
    : never
  : never;

/** An item that no table has. */
export type UnknownItem = ItemPlace & { readonly name: null; readonly fields: undefined };

/** What differs between two snapshots, with the shape of the JSON of `tw-snap diff`. */
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
 * Which protocol names the items: a version, the protocol of a record's stream, or the `types` of what {@link decode}
 * returned.
 */
export type Named<V extends Version> = V | Protocol<V> | ItemTypes;

/**
 * The items of a snapshot or delta in their order, with names and values; with `names`, only those of these kinds.
 * Items with a UUID are named by the registrations in the snapshot; a delta has these only if its `types` come from
 * `decode`, and its values are differences where its base has the item.
 *
 * @param protocol the version, the protocol of a record's stream, or the `types` of what {@link decode} returned
 * @throws TypeError if no version has an item of one of the names
 * @example
 * ```ts
 * import { items, readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record !== 'snapshot' || !entry.snapshot) continue;
 *   for (const { id, fields } of items(entry.snapshot, entry.stream.protocol, 'obj_character')) {
 *     console.log(entry.tick, id, fields.x, fields.y);
 *   }
 * }
 * ```
 */
export function items(body: Snapshot | Delta, protocol: ModProtocol, ...names: string[]): Generator<Item, void>;
export function items<V extends Version, Name extends ItemName<V> = never>(
  snapshot: Snapshot,
  protocol: Named<V>,
  ...names: Name[]
): Generator<[Name] extends [never] ? ItemOf<V> | UnknownItem : ItemOf<V, Name>, void>;
export function items<V extends Version>(
  body: Snapshot | Delta,
  protocol: Named<V>,
  ...names: ItemName<V>[]
): Generator<Item, void>;
export function* items(body: Snapshot | Delta, protocol: Named<Version>, ...names: string[]): Generator<unknown, void> {
  const types = typesOf(body, protocol);
  const wanted = names.length > 0 ? names.map((name) => typeNumber(types, name)) : undefined;
  for (let i = 0; i < body.count; i++) {
    const type = body.type(i);
    if (!wanted || wanted.includes(type)) yield new NamedItem(types.of(type), body, i, types);
  }
}

/**
 * The item of a snapshot with a name and an id; undefined if there is none.
 *
 * @throws TypeError if no version has an item of this name
 * @example
 * ```ts
 * import { item } from 'tw-snap';
 *
 * console.log(item(now, '0.6', 'obj_character', 0)?.fields.weapon);
 * ```
 */
export function item(snapshot: Snapshot, protocol: ModProtocol, name: string, id: number): Item | undefined;
export function item<V extends Version, Name extends ItemName<V>>(
  snapshot: Snapshot,
  protocol: Named<V>,
  name: Name,
  id: number,
): ItemOf<V, Name> | undefined;
export function item(snapshot: Snapshot, protocol: Named<Version>, name: string, id: number): unknown {
  const types = typesOf(snapshot, protocol);
  const type = typeNumber(types, name);
  const i = type === undefined ? -1 : snapshot.find(type, id);
  return i < 0 ? undefined : new NamedItem(types.of(type!), snapshot, i, types);
}

/**
 * The names of the values of an enumeration, or of the bits of flags, by their numbers; none for other fields.
 *
 * @throws TypeError if no version has the item, or such a field of it
 * @example
 * ```ts
 * import { item, valueNames } from 'tw-snap';
 *
 * const weapons = valueNames('0.6', 'obj_character', 'weapon');
 * console.log(weapons[item(now, '0.6', 'obj_character', 0)?.fields.weapon ?? -1]);
 * ```
 */
export function valueNames<V extends Version, Name extends ItemName<V>, Field extends keyof ItemFieldsOf<V, Name>>(
  protocol: V | Protocol<V>,
  name: Name,
  field: Field,
): Readonly<Record<number, ValueNameOf<V, Name, Field>>> {
  const known = protocolNamed(protocol);
  const types = [known, ...versions.map((version) => protocolOf(version))].flatMap((one) => one.byName(name) ?? []);
  if (types.length === 0) throw new TypeError(`no protocol has an item ${JSON.stringify(name)}`);
  if (!types.some(({ fields }) => fields.some((entry) => entry.name === field))) {
    const names = types[0]!.fields.map((entry) => entry.name).join(', ');
    throw new TypeError(`${name} has no field ${JSON.stringify(field)}; it has ${names}`);
  }
  const { meaning } = known.byName(name)?.fields.find((entry) => entry.name === field) ?? {};
  return meaning && 'names' in meaning && meaning.kind !== 'enum_by' ? (meaning.names as never) : {};
}

/** The number of the items of a name; undefined if this version has none, or the snapshot has no registration of it. */
function typeNumber(types: ItemTypes, name: string): number | undefined {
  const number = types.numberOf(name);
  if (
    number === undefined &&
    !types.protocol.byName(name) &&
    !versions.some((version) => protocolOf(version).byName(name))
  ) {
    throw new TypeError(`no protocol has an item ${JSON.stringify(name)}`);
  }
  return number;
}

/** The values are read at once, in a loop over the fields: that is faster than an accessor for each of them. */
class NamedItem implements Item {
  readonly type: number;
  readonly name: string | null;
  readonly id: number;
  readonly uuid: string | undefined;
  readonly fields: Item['fields'];
  readonly #body: Snapshot | Delta;
  readonly #i: number;

  constructor(known: ItemType | undefined, body: Snapshot | Delta, i: number, types: ItemTypes) {
    this.type = body.type(i);
    this.name = known?.name ?? null;
    this.id = body.id(i);
    this.uuid = known?.type === undefined ? types.uuidOf(this.type) : undefined;
    this.#body = body;
    this.#i = i;
    if (!known) this.fields = undefined;
    else if (body instanceof Delta) this.fields = fieldValues(known.fields, this.data, 0, this.data.length, true);
    else this.fields = fieldValues(known.fields, body.data, body.offsets[i]!, body.offsets[i + 1]!);
  }

  /** A view of the snapshot's ints. */
  get data(): Int32Array {
    return this.#body.item(this.#i);
  }

  /** The shape of an item in the JSON of `tw-snap decode`. */
  toJSON() {
    const { type, name, id, uuid, data, fields } = this;
    return { type, name, id, uuid, data: Array.from(data), fields };
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
  for (const one of [old, now]) if (!isSnapshot(one)) expects('diff', 'two Snapshots', one);
  const typed = (snapshot: Snapshot) => ({ snapshot, whole: snapshot, types: typesOf(snapshot, protocol) });
  return diffJson(typed(old), typed(now), compare(old, now));
}

export const protocolNamed = (protocol: Version | Protocol): Protocol =>
  protocol instanceof Protocol ? protocol : protocolOf(protocol);

function typesOf(body: Snapshot | Delta, protocol: Version | Protocol | ItemTypes): ItemTypes {
  if (!isSnapshot(body) && !isDelta(body)) expects('items', 'a Snapshot or a Delta', body);
  return protocol instanceof ItemTypes ? protocol : new ItemTypes(protocolNamed(protocol)).onSnapshot(body);
}

/**
 * The checksum of a snapshot, as servers announce it: the wrapping sum of all data ints of all items, signed. Keys and
 * sizes are not in it. Source: `CSnapshot::Crc` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { checksum, Snapshot } from 'tw-snap';
 *
 * console.log(checksum(new Snapshot())); // 0
 * ```
 */
export const checksum = (snapshot: Snapshot): number =>
  isSnapshot(snapshot) ? snapshot.checksum() : expects('checksum', 'a Snapshot', snapshot);
