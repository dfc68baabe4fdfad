import type { ItemType } from '../protocol/item.ts';
import type { Protocol } from '../protocol/registry.ts';
import { plausibleBoundsOf } from '../protocol/value-bounds.ts';
import type { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

interface BoundedField {
  readonly name: string;
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

/** A value that the games never send. */
export interface ImplausibleValue {
  readonly type: number;
  readonly field: BoundedField;
}

/**
 * Finds values in updated items that the games never send. Values in full snapshots are accepted, since they belong to
 * a mod or a newer version.
 */
export class ValueCheck {
  readonly #protocol: Protocol;
  readonly #passing = new Set<BoundedField>();
  readonly #fields = new Map<ItemType, readonly BoundedField[]>();
  #types: ItemTypes;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#types = new ItemTypes(protocol);
  }

  onFull(snapshot: Snapshot): void {
    this.#types = new ItemTypes(this.#protocol).onSnapshot(snapshot);
    for (let i = 0; i < snapshot.count; i++) {
      for (let field = this.#find(snapshot, i); field; field = this.#find(snapshot, i)) this.#passing.add(field);
    }
  }

  /** The first such value that a delta changed. */
  onDelta(delta: Delta, snapshot: Snapshot): ImplausibleValue | undefined {
    this.#types.onSnapshot(delta);
    for (let i = 0; i < delta.count; i++) {
      const key = delta.keys[i]!;
      const field = this.#find(snapshot, snapshot.findKey(key));
      if (field) return { type: delta.type(i), field };
    }
    return undefined;
  }

  /** Whether a full snapshot also has such a value in that field, which then belongs to a mod. */
  isUsual({ field, type }: ImplausibleValue, snapshot: Snapshot): boolean {
    for (let i = 0; i < snapshot.count; i++) {
      if (snapshot.type(i) !== type || field.at >= snapshot.size(i)) continue;
      const value = snapshot.data[snapshot.offsets[i]! + field.at]!;
      if (value < field.min || value > field.max) return true;
    }
    return false;
  }

  #find(snapshot: Snapshot, i: number): BoundedField | undefined {
    const type = i < 0 ? undefined : this.#types.of(snapshot.type(i));
    if (!type) return undefined;
    const [start, size] = [snapshot.offsets[i]!, snapshot.size(i)];
    return this.#fieldsOf(type).find((field) => {
      const value = snapshot.data[start + field.at]!;
      return field.at < size && (value < field.min || value > field.max) && !this.#passing.has(field);
    });
  }

  #fieldsOf(type: ItemType): readonly BoundedField[] {
    let fields = this.#fields.get(type);
    if (!fields) {
      fields = type.fields.flatMap(({ name, at, meaning }) => {
        const bounds = plausibleBoundsOf(meaning);
        return bounds ? [{ name, at, ...bounds }] : [];
      });
      this.#fields.set(type, fields);
    }
    return fields;
  }
}
