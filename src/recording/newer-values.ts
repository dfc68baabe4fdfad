import { valuesOf } from '../annotate/values.ts';
import type { ItemType } from '../protocol/item.ts';
import { valueBoundsOf } from '../protocol/meaning.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { firstLocalType, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What the tables say of one int of an item: the bits with names, or the largest number of an enumeration. */
interface Known {
  readonly at: number;
  readonly name: string;
  readonly bits: number | undefined;
  readonly max: number;
}

/** A type of item and what is looked at in it. */
interface Watched {
  readonly type: ItemType | undefined;
  /** The ints that the tables have; Infinity if more of them mean nothing. */
  readonly size: number;
  readonly known: readonly Known[];
  readonly places: Int32Array;
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
  #types: ItemTypes | undefined;
  /** By number of a type; of a local one for the current registrations. */
  readonly #plain: Watched[] = [];
  readonly #local = new Map<number, Watched>();

  /** Looks at the items of a full snapshot, or at those in which a delta changes such a value. */
  onSnapshot(snapshot: Snapshot, delta: Delta | undefined, protocol: Protocol): void {
    if (this.kinds.size >= maxKinds) return;
    if (!delta || this.#types?.protocol !== protocol) {
      if (this.#types?.protocol !== protocol) this.#plain.length = 0;
      this.#types = new ItemTypes(protocol);
      this.#register(snapshot);
      for (let i = 0; i < snapshot.count; i++) this.#check(this.#watchedOf(snapshot.type(i)), snapshot, i);
      return;
    }
    const { ints, keys, starts, sizes, count } = delta;
    let item = 0;
    for (let i = 0; i < count; i++) {
      const number = typeOf(keys[i]!);
      if (number === 0) this.#register(snapshot);
      const watched = this.#watchedOf(number);
      if (!mayBeNew(watched, ints, starts[i]!, sizes[i]!)) continue;
      // Updates mostly have the order of the items.
      item = indexFrom(snapshot, keys[i]!, item);
      this.#check(watched, snapshot, item);
    }
  }

  #register(snapshot: Snapshot): void {
    this.#types!.onSnapshot(snapshot);
    // Each time a map or set is cleared V8 makes a new table, and the old ones, which refer to it, keep what is young alive.
    if (this.#local.size > 0) this.#local.clear();
  }

  #watchedOf(number: number): Watched {
    const watched = number < firstLocalType ? this.#plain[number] : this.#local.get(number);
    if (watched) return watched;
    const type = this.#types!.of(number);
    const known = type ? knownOf(type) : [];
    const places = Int32Array.from(known, ({ at }) => at);
    const made = { type, size: type?.sized ? type.size : Infinity, known, places };
    if (number < firstLocalType) this.#plain[number] = made;
    else this.#local.set(number, made);
    return made;
  }

  #check({ type, size, known }: Watched, { data, offsets }: Snapshot, item: number): void {
    const start = offsets[item]!;
    const end = offsets[item + 1]!;
    for (const { at, name, bits, max } of known) {
      if (start + at >= end) break;
      const value = data[start + at]!;
      if (bits !== undefined) {
        for (let rest = value & ~bits; rest !== 0; rest &= rest - 1)
          this.kinds.add(`${type!.name}.${name} 0x${((rest & -rest) >>> 0).toString(16)}`);
      } else if (value > max) this.kinds.add(`${type!.name}.${name} ${value}`);
    }
    for (let at = size; start + at < end; at++) this.kinds.add(`${type!.name}[${at}]`);
  }
}

/** Whether an update changes a value of which the tables say something, or has more ints than they do. */
function mayBeNew({ size: most, places }: Watched, ints: Int32Array, start: number, size: number): boolean {
  if (size > most) return true;
  for (let k = 0; k < places.length; k++) if (places[k]! < size && ints[start + places[k]!] !== 0) return true;
  return false;
}

/** The position of the item with a key, searched from a position on. */
function indexFrom({ keys, count }: Snapshot, key: number, from: number): number {
  let i = from;
  do {
    if (keys[i] === key) return i;
    i = i + 1 < count ? i + 1 : 0;
  } while (i !== from);
  return i;
}

function knownOf(type: ItemType): Known[] {
  return valuesOf(type).flatMap(({ label: name, at, meaning }): Known[] => {
    if (meaning.kind === 'enum') return [{ at, name, bits: undefined, max: valueBoundsOf(meaning)!.max }];
    if (meaning.kind !== 'flags') return [];
    const bits = Object.keys(meaning.names).reduce((all, bit) => all | Number(bit), 0);
    return [{ at, name, bits, max: 0 }];
  });
}
