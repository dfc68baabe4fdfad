import { hasIntsAt } from '../bytes/copy.ts';
import type { ItemType } from '../protocol/item.ts';
import type { Protocol } from '../protocol/registry.ts';
import { uuidOfInts } from '../protocol/texts.ts';
import { type Delta, isDelta } from './delta.ts';
import { firstLocalType, idOf, typeOf, uuidInts } from './key.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * The item that a type number stands for: the protocol's own numbers, and the local numbers that registrations (items
 * of type 0) assign to UUID items. Local numbers are valid for one rebuilt snapshot only.
 *
 * Source: `CSnapshotBuilder::AddExtendedItemType` and `CSnapshot::GetExternalItemType` in
 * `src/engine/shared/snapshot.cpp` of DDNet.
 */
export class ItemTypes {
  readonly protocol: Protocol;
  /** By number; undefined for a registration that is too short. */
  readonly #uuids = new Map<number, string | undefined>();
  /** The registrations so far, in their order: the ids and the ints of each. */
  readonly #ids: number[] = [];
  readonly #ints: Int32Array[] = [];

  constructor(protocol: Protocol) {
    this.protocol = protocol;
  }

  /** Whether a snapshot has the same registrations, in the same order. */
  areOf(snapshot: Snapshot, protocol: Protocol): boolean {
    if (protocol !== this.protocol) return false;
    let count = 0;
    for (let i = 0; i < snapshot.count; i++) {
      if (snapshot.type(i) !== 0 || snapshot.id(i) < firstLocalType) continue;
      if (this.#ids[count] !== snapshot.id(i) || this.#ints[count]!.length !== snapshot.size(i)) return false;
      if (!hasIntsAt(snapshot.data, snapshot.offsets[i]!, this.#ints[count++]!)) return false;
    }
    return count === this.#ids.length;
  }

  /**
   * Reads the registrations of a snapshot, or those in a delta; later ones replace earlier ones. Of those of one number
   * in a snapshot, the first counts, as in `CSnapshot::GetItemIndex`, even if it is too short for a UUID.
   */
  onSnapshot(from: Snapshot | Delta): this {
    const first = this.#ids.length;
    for (let i = 0; i < from.count; i++) {
      if (from.type(i) !== 0 || from.id(i) < firstLocalType) continue;
      const id = from.id(i);
      const ints = from.item(i).slice();
      // Not `find`, which makes an index of all items: a snapshot has a few registrations.
      const isRepeated = !isDelta(from) && this.#ids.includes(id, first);
      if (!isRepeated) this.#uuids.set(id, ints.length >= uuidInts ? uuidOfInts(ints) : undefined);
      this.#ids.push(id);
      this.#ints.push(ints);
    }
    return this;
  }

  /** The UUID of a local type number; undefined if its registration is missing. */
  uuidOf(type: number): string | undefined {
    return this.#uuids.get(type);
  }

  /** Whether a type number has a meaning only by registration. */
  isLocal(type: number): boolean {
    return type >= firstLocalType;
  }

  /** The item; undefined if the tables do not know it or its registration is missing. */
  of(type: number): ItemType | undefined {
    if (type < firstLocalType) return this.protocol.byType(type);
    const uuid = this.#uuids.get(type);
    return uuid === undefined ? undefined : this.protocol.byUuid(uuid);
  }

  /** What an item is called in all texts. */
  nameOf(type: number): string {
    return nameOfItem({ name: this.of(type)?.name, uuid: this.uuidOf(type), type });
  }

  /** `obj_character 0`, `type_9 0` */
  titleOf(key: number): string {
    return `${this.nameOf(typeOf(key))} ${idOf(key)}`;
  }

  /** The type number of the item with this name or UUID; undefined if there is no such item or no registration. */
  numberOf(name: string): number | undefined {
    const item = this.protocol.byName(name);
    if (item?.type !== undefined) return item.type;
    const wanted = item?.uuid ?? name;
    for (const [number, uuid] of this.#uuids) if (uuid === wanted) return number;
    return undefined;
  }
}

/** The name of an item. One that no table has is called by its UUID, or its number: `type_9`. */
export const nameOfItem = ({ name, uuid, type }: NumberedItem): string => name ?? uuid ?? `type_${type}`;

interface NumberedItem {
  readonly name?: string | undefined;
  readonly uuid?: string | undefined;
  readonly type: number;
}
