import { hasIntsAt } from '../bytes/has-ints.ts';
import type { ItemType } from '../protocol/item.ts';
import type { Protocol } from '../protocol/registry.ts';
import { uuidOfInts } from '../protocol/uuid.ts';
import { firstLocalType, keyOf, typeOf, uuidInts } from '../snapshot/key.ts';
import { KeyIndex } from '../snapshot/key-index.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { byFirst, ItemCounter, type ItemTally, joined } from './item-tally.ts';

/** The limit of item kinds that are counted separately, because damaged data can contain any number of them. */
const maxKinds = 2000;

/** Finds the counter of an item type. A local type number is resolved to the UUID that the snapshot registers for it. */
export class ItemTallies {
  /** By name, and by version as well where a table has the item: its fields can differ. */
  readonly #counters = new Map<string, ItemCounter>();
  /** The tallies of parts that were counted apart, by the same keys. */
  readonly #ofParts = new Map<string, ItemTally>();
  readonly #order: () => number;
  readonly #byType: (ItemCounter | undefined)[] = [];
  #protocol: Protocol | undefined;
  #snapshot = new Snapshot();
  /** The positions of the registrations in the snapshot, once a local type was counted. */
  readonly #registrations = new KeyIndex();
  #hasRegistrations = false;
  /** The counter for kinds beyond the limit. */
  #others: ItemCounter | undefined;
  /** The last UUID and counter of each local type number. */
  readonly #local = new Map<number, { readonly uuid: Int32Array; readonly counter: ItemCounter }>();

  /** @param order a number for a new kind, by which all of them are ordered */
  constructor(order: () => number) {
    this.#order = order;
  }

  /** All kinds of items in the order in which they were counted first. */
  get all(): ItemTally[] {
    const all = new Map<string, ItemTally>();
    for (const one of [...this.#ofParts.values(), ...this.counts.values()]) {
      const name = one.name ?? one.uuid ?? `${one.type}`;
      const known = all.get(name);
      all.set(name, known ? joined(known, one) : one);
    }
    return [...all.values()].sort(byFirst);
  }

  get counts(): ReadonlyMap<string, ItemTally> {
    return new Map([...this.#counters].map(([key, { tally }]) => [key, tally]));
  }

  /** Adds the counts of another part of the recording. */
  addCounts(counts: ReadonlyMap<string, ItemTally>): void {
    for (const [key, one] of counts) {
      const known = this.#ofParts.get(key);
      this.#ofParts.set(key, known ? joined(known, one) : one);
    }
  }

  /** Whether there may have been more kinds in the parts than are counted separately. */
  get isFull(): boolean {
    return this.#ofParts.size >= maxKinds;
  }

  /** Sets the snapshot whose items are counted next. */
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
    const key = item ? `${item.name} ${this.#protocol!.version}` : (uuid ?? `type ${type}`);
    const known = this.#counters.get(key);
    if (known) return known;
    if (this.#counters.size >= maxKinds) {
      this.#others ??= new ItemCounter(undefined, undefined, undefined, this.#order());
      this.#counters.set('others', this.#others);
      return this.#others;
    }
    const counter = new ItemCounter(item, type, uuid, this.#order());
    this.#counters.set(key, counter);
    return counter;
  }
}
