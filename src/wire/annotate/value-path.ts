import type { Protocol } from '../protocol/registry.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Value, valuesUpTo } from './field-values.ts';

interface FoundValue {
  readonly value: Value;
  readonly i: number;
  /** The number of the item's type in this snapshot. */
  readonly type: number;
}

/** One value of one item, over time: `obj_character/0.weapon`. */
export class ValuePath {
  /** Its name; its UUID or `type_9` if no table has one. */
  readonly item: string;
  readonly id: number;
  /** `weapon`, `status[0]`, `data[22]` */
  readonly field: string;

  constructor(item: string, id: number, field: string) {
    this.item = item;
    this.id = id;
    this.field = field;
  }

  /** Reads `obj_character/0.weapon`, and `obj_character/0/weapon` of links; undefined for any other text. */
  static parse(text: string): ValuePath | undefined {
    const [, item, id, field] = /^([^/]+)\/(\d+)[./](.+)$/s.exec(text) ?? [];
    return item === undefined ? undefined : new ValuePath(item, Number(id), field!);
  }

  toString(): string {
    return `${this.item}/${this.id}.${this.field}`;
  }

  /**
   * What finds it in snapshots of a protocol: undefined where the item is not there, or without this field, which an
   * older sender may leave out.
   */
  finder(protocol: Protocol): (snapshot: Snapshot) => FoundValue | undefined {
    const { item, id, field } = this;
    const type = protocol.byName(item);
    const [, unknown] = /^type_(\d+)$/.exec(item) ?? [];
    const fixed = unknown === undefined ? type?.type : Number(unknown);
    /** By the number of ints: longer items have more values. */
    const bySize = new Map<number, Value | undefined>();
    return (snapshot) => {
      // The type number of a UUID item can differ between snapshots.
      const number = fixed ?? new ItemTypes(protocol).onSnapshot(snapshot).numberOf(item);
      const i = number === undefined ? -1 : snapshot.find(number, id);
      if (i < 0) return undefined;
      const size = snapshot.size(i);
      if (!bySize.has(size))
        bySize.set(
          size,
          [...valuesUpTo(type, size)].find(({ label }) => label === field),
        );
      const value = bySize.get(size);
      return value && { value, i, type: number! };
    };
  }
}
