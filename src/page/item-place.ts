import { valuesUpTo } from '../annotate/values.ts';
import type { Protocol } from '../protocol/registry.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Finds the item of a link, such as `obj_character/0`, and one of its values in successive snapshots. */
export class ItemPlace {
  readonly #protocol: Protocol;
  readonly #name: string;
  readonly #id: number;
  readonly #label: string;
  #type: number | undefined;
  /** The index of the value in the item's ints, by the number of ints; -1 if an item of this size does not have the value. */
  readonly #at = new Map<number, number>();

  constructor(protocol: Protocol, link: string, label: string) {
    const [name = '', id] = link.split('/');
    this.#protocol = protocol;
    this.#name = name;
    this.#id = Number(id);
    this.#label = label;
    const [, number] = /^type (\d+)$/.exec(name) ?? [];
    this.#type = number === undefined ? protocol.byName(name)?.type : Number(number);
  }

  /** The index of the item; -1 if the snapshot does not have it. */
  find(snapshot: Snapshot): number {
    // The type number of a UUID item can differ between snapshots.
    const type = this.#type ?? new ItemTypes(this.#protocol).onSnapshot(snapshot).numberOf(this.#name);
    return type === undefined ? -1 : snapshot.find(type, this.#id);
  }

  /** The value of the item with this index; undefined if the item is too short. */
  value(snapshot: Snapshot, index: number): number | undefined {
    const size = snapshot.size(index);
    let at = this.#at.get(size);
    if (at === undefined) {
      const value = [...valuesUpTo(this.#protocol.byName(this.#name), size)].find(({ label }) => label === this.#label);
      at = value?.at ?? -1;
      this.#at.set(size, at);
    }
    return at < 0 ? undefined : snapshot.data[snapshot.offsets[index]! + at];
  }
}
