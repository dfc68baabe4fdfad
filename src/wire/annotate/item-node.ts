import { baseFound, type Payload } from '../payload/payload.ts';
import type { ItemType } from '../protocol/item.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type DescribedValue, describeChange, describeValue } from './describe.ts';
import { type Value, valuesUpTo } from './field-values.ts';
import type { Change } from './span.ts';

/** The ints of an item. Only those of a delta's update differ from each other. */
interface ItemInts {
  /** As sent: values, or the differences of an update. */
  readonly ints: Int32Array;
  /** The ints of the same item in the base, or in the snapshot that it is compared with. */
  readonly was?: Int32Array | undefined;
  /** The values; by default those that were sent. */
  readonly now?: Int32Array;
  /** Whether what was sent are differences to a base that is not known. */
  readonly areDifferences?: boolean;
}

/**
 * One item of a snapshot or delta: its name, its values, and what they mean. Every output asks it; none reads the ints
 * of an item by itself.
 *
 * Values are described when they are asked for, since most outputs show few of them.
 */
export class ItemNode {
  readonly types: ItemTypes;
  readonly key: number;
  readonly ints: Int32Array;
  readonly was: Int32Array | undefined;
  readonly now: Int32Array;
  readonly areDifferences: boolean;

  constructor(types: ItemTypes, key: number, { ints, was, now = ints, areDifferences = false }: ItemInts) {
    this.types = types;
    this.key = key;
    this.ints = ints;
    this.was = was;
    this.now = now;
    this.areDifferences = areDifferences;
  }

  get type(): number {
    return typeOf(this.key);
  }

  get id(): number {
    return idOf(this.key);
  }

  /** Undefined for an item that no table has. */
  get known(): ItemType | undefined {
    return this.types.of(this.type);
  }

  /** `obj_character 0`, `type_9 0` */
  get title(): string {
    return this.types.titleOf(this.key);
  }

  values(): Iterable<Value> {
    return valuesUpTo(this.known, this.ints.length);
  }

  /** A value as it was sent, with what it means. */
  describe(value: Value): DescribedValue {
    return describeValue(value, this.ints, this.areDifferences, this.types);
  }

  /** A value before and now; undefined if there is nothing before it. */
  change(value: Value): Change | undefined {
    return this.was && describeChange(value, this.was, this.now);
  }

  /** The values that are other than before, also those that only one of the two has. */
  *changes(): Iterable<{ readonly value: Value; readonly change: Change }> {
    const { was, now } = this;
    if (!was) return;
    for (const value of valuesUpTo(this.known, Math.max(was.length, now.length))) {
      const change = describeChange(value, was, now);
      if (change.old !== change.new) yield { value, change };
    }
  }
}

/** Item `i` of a payload. That of a delta on a base has the values before and after it. */
export function itemOf(payload: Payload, i: number): ItemNode {
  const { body, types, base } = payload;
  const key = body.keys[i]!;
  const ints = body.item(i);
  const from = base ? base.findKey(key) : -1;
  if (from < 0) return new ItemNode(types, key, { ints, areDifferences: baseFound(payload) === 'unknown' });
  const was = base!.item(from);
  return new ItemNode(types, key, { ints, was, now: ints.map((int, k) => (int + (was[k] ?? 0)) | 0) });
}

/** @param was the ints that it is compared with */
export const itemIn = (types: ItemTypes, snapshot: Snapshot, i: number, was?: Int32Array): ItemNode =>
  new ItemNode(types, snapshot.keys[i]!, { ints: snapshot.item(i), was });
