import { hasIntsAt } from '../../wire/bytes/copy.ts';
import { clientItems, type ItemType } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { uuidOfInts } from '../../wire/protocol/texts.ts';
import { nameOfItem } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, KeyIndex, keyOf, typeOf, uuidInts } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { maxKinds } from './limits.ts';

/**
 * How an item was sent: whole in a full snapshot, whole in a delta whose base lacks it, or as differences from its
 * base.
 */
export type Sending = 'full' | 'new' | 'updated';

export interface FieldTally {
  /** Undefined for the ints before the data: type, id, size or key. `rest` means ints that belong to no field. */
  readonly name: string | undefined;
  /** The number of times its value differed from the base. The fields of a new item always count. */
  readonly changed: number;
  readonly bits: number;
}

const sums = ['sent', 'full', 'new', 'updated', 'changed', 'removed', 'bits'] as const;

/** The size of one kind of item in a recording, as plain data. */
export interface ItemTally extends Readonly<Record<(typeof sums)[number], number>> {
  readonly name: string | undefined;
  /** The type number as sent; undefined for UUID items, whose number changes. */
  readonly type: number | undefined;
  readonly uuid: string | undefined;
  readonly fields: readonly FieldTally[];
}

/** The name of a field, or a name for the ints before an item's data or for the ints after its known fields. */
export function fieldName({ name }: FieldTally): string {
  return name === undefined ? '_key' : name === 'rest' ? '_rest' : name;
}

/** A display name; the number or UUID if no table has the item. */
export function labelOf({ name, type, uuid }: ItemTally): string {
  return type === undefined ? (name ?? uuid ?? 'others') : nameOfItem({ name, uuid, type });
}

/** The tallies of each kind of item together, from versions, whose fields differ. */
export function byKind(tallies: Iterable<ItemTally>): ItemTally[] {
  const all = new Map<string, ItemTally>();
  for (const tally of tallies) {
    const name = labelOf(tally);
    all.set(name, joined(all.get(name), tally));
  }
  return [...all.values()];
}

/** One kind of item, from the tallies of two versions, whose fields differ. */
function joined(first: ItemTally | undefined, second: ItemTally): ItemTally {
  if (!first) return second;
  const fields = new Map(first.fields.map((field) => [field.name, field]));
  for (const { name, changed, bits } of second.fields) {
    const known = fields.get(name) ?? { changed: 0, bits: 0 };
    fields.set(name, { name, changed: known.changed + changed, bits: known.bits + bits });
  }
  const numbers = Object.fromEntries(sums.map((name) => [name, first[name] + second[name]]));
  return { ...first, ...numbers, fields: [...fields.values()] };
}

export class ItemCounter {
  readonly matchesClient: boolean;
  full = 0;
  new = 0;
  updated = 0;
  changed = 0;
  removed = 0;
  bits = 0;
  readonly last: { bits: number; changed: boolean } = { bits: 0, changed: false };
  readonly #item: ItemType | undefined;
  readonly #type: number | undefined;
  readonly #uuid: string | undefined;
  /**
   * The field index of each int of the data. Index 0 is for the ints before the data, the last index for ints of no
   * field.
   */
  readonly #fieldOf: Uint16Array;
  readonly #changed: Float64Array;
  readonly #bits: Float64Array;

  constructor(item: ItemType | undefined, type: number | undefined, uuid: string | undefined) {
    this.#item = item;
    this.#type = type;
    this.#uuid = uuid;
    this.matchesClient = item !== undefined && clientItems.has(item.name);
    const fields = item?.fields ?? [];
    this.#fieldOf = new Uint16Array(item?.size ?? 0);
    for (const [i, { at, ints }] of fields.entries()) this.#fieldOf.fill(i + 1, at, at + ints);
    this.#changed = new Float64Array(fields.length + 2);
    this.#bits = new Float64Array(fields.length + 2);
  }

  /** Another counter of this kind of item. */
  alike(): ItemCounter {
    return new ItemCounter(this.#item, this.#type, this.#uuid);
  }

  get tally(): ItemTally {
    const { full, new: added, updated, changed, removed, bits } = this;
    const item = this.#item;
    const type = this.#type;
    const uuid = this.#uuid;
    const names = [undefined, ...(item?.fields ?? []).map(({ name }) => name), 'rest'];
    const fields = names.map((name, i) => {
      return { name, changed: this.#changed[i]!, bits: this.#bits[i]! };
    });
    return {
      name: item?.name,
      type,
      uuid,
      sent: full + added + updated,
      full,
      new: added,
      updated,
      changed,
      removed,
      bits,
      fields: fields.filter(({ name, bits }) => name !== 'rest' || bits > 0),
    };
  }

  /**
   * Counts an item: its data is `[start, end)`; type, id, size or key are `[head, start)`.
   * @param bits the bit at which each int begins
   * @param old the previous ints of an item in a full snapshot, from `oldAt` on; undefined if it is new or had another
   *   size
   */
  count(
    sending: Sending,
    ints: Int32Array,
    head: number,
    start: number,
    end: number,
    bits: Uint32Array,
    old?: Int32Array,
    oldAt = 0,
  ): void {
    const fieldOf = this.#fieldOf;
    const fieldBits = this.#bits;
    const others = fieldBits.length - 1;
    const isUpdated = sending === 'updated';
    let changed = 0;
    let lastChanged = -1;
    for (let at = start; at < end; at++) {
      const int = ints[at]!;
      const field = at - start < fieldOf.length ? fieldOf[at - start]! : others;
      const isChanged = isUpdated ? int !== 0 : old === undefined || int !== old[oldAt + at - start];
      fieldBits[field]! += bits[at + 1]! - bits[at]!;
      if (!isChanged) continue;
      changed++;
      if (field !== lastChanged) this.#changed[field]!++;
      lastChanged = field;
    }
    fieldBits[0]! += bits[start]! - bits[head]!;
    const { last } = this;
    last.bits = bits[end]! - bits[head]!;
    last.changed = changed > 0 || sending === 'new' || (sending === 'full' && old === undefined);
    this[sending]++;
    if (last.changed) this.changed++;
    this.bits += last.bits;
  }
}

/**
 * Finds the counter of an item type. A local type number is resolved to the UUID that the snapshot registers for it.
 */
export class ItemTallies {
  /** By name, and by version as well where a table has the item: its fields can differ. */
  readonly #counters = new Map<string, ItemCounter>();
  readonly #byType: (ItemCounter | undefined)[] = [];
  #protocol: Protocol | undefined;
  #snapshot = new Snapshot();
  /** The positions of the registrations in the snapshot, once a local type was counted. */
  readonly #registrations = new KeyIndex();
  #hasRegistrations = false;
  #others: ItemCounter | undefined;
  /** The last UUID and counter of each local type number. */
  readonly #local = new Map<number, { readonly uuid: Int32Array; readonly counter: ItemCounter }>();

  get all(): ItemTally[] {
    return byKind([...this.#counters.values()].map(({ tally }) => tally));
  }

  onSnapshot(snapshot: Snapshot, protocol: Protocol): void {
    this.#snapshot = snapshot;
    this.#hasRegistrations = false;
    if (protocol === this.#protocol) return;
    this.#byType.length = 0;
    this.#local.clear();
    this.#protocol = protocol;
  }

  of(type: number): ItemCounter {
    if (type >= firstLocalType) return this.#ofLocal(type);
    this.#byType[type] ??= this.#counter(this.#protocol!.byType(type), type, undefined);
    return this.#byType[type];
  }

  #ofLocal(type: number): ItemCounter {
    if (!this.#hasRegistrations) this.#findRegistrations();
    const snapshot = this.#snapshot;
    const at = this.#registrations.get(keyOf(0, type));
    if (at < 0 || snapshot.size(at) < uuidInts) return this.#counter(undefined, type, undefined);
    const first = snapshot.offsets[at]!;
    const { data } = snapshot;
    const known = this.#local.get(type);
    if (known && hasIntsAt(data, first, known.uuid)) return known.counter;
    const ints = data.slice(first, first + uuidInts);
    const uuid = uuidOfInts(ints);
    const counter = this.#counter(this.#protocol!.byUuid(uuid), undefined, uuid);
    this.#local.set(type, { uuid: ints, counter });
    return counter;
  }

  #findRegistrations(): void {
    const { keys, count } = this.#snapshot;
    this.#registrations.reset(count);
    for (let i = 0; i < count; i++) if (typeOf(keys[i]!) === 0) this.#registrations.add(keys[i]!, i);
    this.#hasRegistrations = true;
  }

  #counter(item: ItemType | undefined, type: number | undefined, uuid: string | undefined): ItemCounter {
    const key = item ? `${item.name} ${this.#protocol!.version}` : (uuid ?? `type_${type}`);
    const known = this.#counters.get(key);
    if (known) return known;
    if (this.#counters.size >= maxKinds) {
      this.#others ??= new ItemCounter(undefined, undefined, undefined);
      this.#counters.set('others', this.#others);
      return this.#others;
    }
    const counter = new ItemCounter(item, type, uuid);
    this.#counters.set(key, counter);
    return counter;
  }
}
