import { hasIntsAt } from '../bytes/has-ints.ts';
import type { Protocol } from '../protocol/registry.ts';
import { uuidOfInts } from '../protocol/uuid.ts';
import { firstLocalType, uuidInts } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ItemCounts, ItemTally } from './item-tally.ts';

/** The limit of item kinds that are counted separately, because damaged data can contain any number of them. */
const maxKinds = 2000;

/** Finds the tally of an item type. A local type number is resolved to the UUID that the snapshot registers for it. */
export class ItemTallies {
  readonly #byName = new Map<string, ItemTally>();
  readonly #byType: (ItemTally | undefined)[] = [];
  #protocol: Protocol | undefined;
  /** The tally for kinds beyond the limit. */
  #others: ItemTally | undefined;
  /** The last UUID and tally of each local type number. */
  readonly #local = new Map<number, { readonly uuid: Int32Array; readonly tally: ItemTally }>();

  get all(): ItemTally[] {
    return [...this.#byName.values()];
  }

  get counts(): ReadonlyMap<string, ItemCounts> {
    return new Map([...this.#byName].map(([name, tally]) => [name, tally.counts]));
  }

  /** Adds the counts of the next part of the recording. */
  addCounts(counts: ReadonlyMap<string, ItemCounts>): void {
    for (const [name, one] of counts) {
      this.#named(name, () => new ItemTally(one.item, one.type, one.uuid)).addCounts(one);
    }
  }

  of(type: number, protocol: Protocol, snapshot: Snapshot | undefined): ItemTally {
    if (protocol !== this.#protocol) {
      this.#byType.length = 0;
      this.#local.clear();
      this.#protocol = protocol;
    }
    if (type >= firstLocalType) return this.#ofLocal(type, protocol, snapshot);
    this.#byType[type] ??= this.#named(protocol.byType(type)?.name ?? `type ${type}`, () => {
      return new ItemTally(protocol.byType(type), type, undefined);
    });
    return this.#byType[type];
  }

  #ofLocal(type: number, protocol: Protocol, snapshot: Snapshot | undefined): ItemTally {
    const at = snapshot ? snapshot.find(0, type) : -1;
    if (at < 0 || snapshot!.size(at) < uuidInts) {
      return this.#named(`type ${type}`, () => new ItemTally(undefined, type, undefined));
    }
    const first = snapshot!.offsets[at]!;
    const { data } = snapshot!;
    const known = this.#local.get(type);
    if (known && hasIntsAt(data, first, known.uuid)) return known.tally;
    const ints = data.slice(first, first + uuidInts);
    const uuid = uuidOfInts(ints);
    const item = protocol.byUuid(uuid);
    const tally = this.#named(item?.name ?? uuid, () => new ItemTally(item, undefined, uuid));
    this.#local.set(type, { uuid: ints, tally });
    return tally;
  }

  #named(name: string, make: () => ItemTally): ItemTally {
    const known = this.#byName.get(name);
    if (known) return known;
    if (this.#byName.size >= maxKinds) {
      this.#others ??= new ItemTally(undefined, undefined, undefined);
      this.#byName.set('others', this.#others);
      return this.#others;
    }
    const tally = make();
    this.#byName.set(name, tally);
    return tally;
  }
}
