import { valuesOf } from '../annotate/values.ts';
import { getOr } from '../bytes/get-or.ts';
import type { ItemType } from '../protocol/item.ts';
import { valueBoundsOf } from '../protocol/meaning.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What the tables say of one int of an item: the bits with names, or the largest number of an enumeration. */
interface Known {
  readonly at: number;
  readonly name: string;
  readonly bits: number | undefined;
  readonly max: number;
}

/** More kinds than this are not counted: damaged data may have any values. */
const maxKinds = 100;

/**
 * The values in a recording that the tables do not have: numbers above an enumeration, bits without a name, and ints after the last
 * field of a known item. A newer version of the games sends them, or a mod.
 */
export class NewerValues {
  /** `game_info_ex.flags2 0x1000`, `obj_pickup.type 9`, `ddnet_player[4]` */
  readonly kinds = new Set<string>();
  readonly #known = new Map<ItemType, readonly Known[]>();
  #types: ItemTypes | undefined;

  /** Looks at the items of a full snapshot, or at the values that a delta changes. */
  onSnapshot(snapshot: Snapshot, delta: Delta | undefined, protocol: Protocol): void {
    if (this.kinds.size >= maxKinds) return;
    if (!delta || !this.#types || this.#types.protocol !== protocol) {
      this.#types = new ItemTypes(protocol).onSnapshot(snapshot);
      for (let i = 0; i < snapshot.count; i++) {
        const type = this.#types.of(snapshot.type(i));
        if (type) this.#check(type, snapshot, i);
      }
      return;
    }
    const { ints, keys, starts, sizes, count } = delta;
    for (let i = 0; i < count; i++) {
      const number = typeOf(keys[i]!);
      if (number === 0) this.#types.onSnapshot(snapshot);
      const type = this.#types.of(number);
      if (type && this.#mayBeNew(type, ints, starts[i]!, sizes[i]!))
        this.#check(type, snapshot, snapshot.findKey(keys[i]!));
    }
  }

  /** Whether an update changes a value of which the tables say something, or has more ints than they do. */
  #mayBeNew(type: ItemType, ints: Int32Array, start: number, size: number): boolean {
    if (size > type.size) return true;
    for (const { at } of this.#knownOf(type)) if (at < size && ints[start + at] !== 0) return true;
    return false;
  }

  #knownOf(type: ItemType): readonly Known[] {
    return getOr(this.#known, type, () => knownOf(type));
  }

  #check(type: ItemType, { data, offsets }: Snapshot, item: number): void {
    const [start, end] = [offsets[item]!, offsets[item + 1]!];
    for (const { at, name, bits, max } of this.#knownOf(type)) {
      if (start + at >= end) break;
      const value = data[start + at]!;
      if (bits !== undefined) {
        for (let rest = value & ~bits; rest !== 0; rest &= rest - 1) this.#addBit(type, name, rest & -rest);
      } else if (value > max) this.kinds.add(`${type.name}.${name} ${value}`);
    }
    for (let at = type.size; type.sized && start + at < end; at++) this.kinds.add(`${type.name}[${at}]`);
  }

  #addBit(type: ItemType, name: string, bit: number): void {
    this.kinds.add(`${type.name}.${name} 0x${(bit >>> 0).toString(16)}`);
  }
}

function knownOf(type: ItemType): Known[] {
  return valuesOf(type).flatMap(({ label: name, at, meaning }): Known[] => {
    if (meaning.kind === 'enum') return [{ at, name, bits: undefined, max: valueBoundsOf(meaning)!.max }];
    if (meaning.kind !== 'flags') return [];
    const bits = Object.keys(meaning.names).reduce((all, bit) => all | Number(bit), 0);
    return [{ at, name, bits, max: 0 }];
  });
}
