import { packedBytes } from '../codec/varint.ts';
import { clientItems } from '../protocol/client-items.ts';
import type { ItemType } from '../protocol/item.ts';

/** How an item was sent: whole in a full snapshot, whole in a delta whose base lacks it, or as differences from its base. */
export type Sending = 'full' | 'new' | 'updated';

/** The size of one field of a kind of item, over all items. */
export interface FieldTally {
  /** Undefined for the ints before the data: type, id, size or key. `rest` means ints that belong to no field. */
  readonly name: string | undefined;
  /** The number of times its value differed from the base. The fields of a new item always count. */
  readonly changed: number;
  /** Bits in the file, after compression. */
  readonly bits: number;
  /** Bits by the games' own estimate, which ignores the ints before the data. */
  readonly estimate: number;
}

const bitsOfInt = 32;

/** The numbers of an {@link ItemTally} that are sums. */
const sums = ['full', 'new', 'updated', 'changed', 'removed', 'bits', 'estimate'] as const;

/** The size of one kind of item in a part of a recording, as plain data. */
export interface ItemCounts extends Pick<ItemTally, (typeof sums)[number] | 'item' | 'type' | 'uuid'> {
  /** Three numbers for each field: how often it changed, its bits, and its estimate. */
  readonly fieldSums: readonly Float64Array[];
}

/** The size of one kind of item in a recording. */
export class ItemTally {
  /** Undefined if no table contains the type. */
  readonly item: ItemType | undefined;
  /** The type number as sent; undefined for UUID items, whose number changes. */
  readonly type: number | undefined;
  readonly uuid: string | undefined;
  readonly isOfClient: boolean;
  full = 0;
  new = 0;
  updated = 0;
  /** The number of times an item differed from its base or was new. */
  changed = 0;
  removed = 0;
  bits = 0;
  /** Bits by the games' own estimate: 1 for a zero difference, the varint's size for any other, 32 for each int of a new item. */
  estimate = 0;
  /** The size of the item that was counted last. */
  readonly last: { bits: number; estimate: number; changed: boolean } = { bits: 0, estimate: 0, changed: false };
  /** The field index of each int of the data. Index 0 is for the ints before the data, the last index for ints of no field. */
  readonly #fieldOf: Uint16Array;
  readonly #changed: Float64Array;
  readonly #bits: Float64Array;
  readonly #estimates: Float64Array;

  constructor(item: ItemType | undefined, type: number | undefined, uuid: string | undefined) {
    this.item = item;
    this.type = type;
    this.uuid = uuid;
    this.isOfClient = item !== undefined && clientItems.has(item.name);
    const fields = item?.fields ?? [];
    this.#fieldOf = new Uint16Array(item?.size ?? 0);
    for (const [i, { at, ints }] of fields.entries()) this.#fieldOf.fill(i + 1, at, at + ints);
    this.#changed = new Float64Array(fields.length + 2);
    this.#bits = new Float64Array(fields.length + 2);
    this.#estimates = new Float64Array(fields.length + 2);
  }

  get name(): string | undefined {
    return this.item?.name;
  }

  get sent(): number {
    return this.full + this.new + this.updated;
  }

  get fields(): FieldTally[] {
    const names = [undefined, ...(this.item?.fields ?? []).map(({ name }) => name), 'rest'];
    const tallies = names.map((name, i) => {
      return { name, changed: this.#changed[i]!, bits: this.#bits[i]!, estimate: this.#estimates[i]! };
    });
    return tallies.filter(({ name, bits }) => name !== 'rest' || bits > 0);
  }

  get counts(): ItemCounts {
    const { item, type, uuid, full, new: added, updated, changed, removed, bits, estimate } = this;
    const fieldSums = [this.#changed, this.#bits, this.#estimates];
    return { item, type, uuid, full, new: added, updated, changed, removed, bits, estimate, fieldSums };
  }

  /** Adds the counts of the next part of the recording. */
  addCounts(counts: ItemCounts): void {
    for (const name of sums) this[name] += counts[name];
    for (const [i, into] of [this.#changed, this.#bits, this.#estimates].entries()) {
      for (const [field, sum] of counts.fieldSums[i]!.entries()) into[field]! += sum;
    }
  }

  /**
   * Counts an item. Its data is `ints[start, end)`; type, id, size or key are `ints[head, start)`.
   * @param bits the bit at which each int begins
   * @param old the previous ints of an item in a full snapshot, from `oldAt` on; undefined if it is new or had another size
   */
  count(
    sending: Sending,
    ints: Int32Array,
    [head, start, end]: readonly [head: number, start: number, end: number],
    bits: Uint32Array,
    old?: Int32Array,
    oldAt = 0,
  ): void {
    const fieldOf = this.#fieldOf;
    const fieldBits = this.#bits;
    const fieldEstimates = this.#estimates;
    const others = fieldBits.length - 1;
    const isUpdated = sending === 'updated';
    let estimate = 0;
    let changed = 0;
    let lastChanged = -1;
    for (let at = start; at < end; at++) {
      const int = ints[at]!;
      const field = at - start < fieldOf.length ? fieldOf[at - start]! : others;
      const isChanged = isUpdated ? int !== 0 : old === undefined || int !== old[oldAt + at - start];
      const estimated = !isUpdated ? bitsOfInt : int === 0 ? 1 : 8 * packedBytes(int);
      fieldBits[field]! += bits[at + 1]! - bits[at]!;
      fieldEstimates[field]! += estimated;
      estimate += estimated;
      if (!isChanged) continue;
      changed++;
      if (field !== lastChanged) this.#changed[field]!++;
      lastChanged = field;
    }
    fieldBits[0]! += bits[start]! - bits[head]!;
    const { last } = this;
    last.bits = bits[end]! - bits[head]!;
    last.estimate = estimate;
    last.changed = changed > 0 || sending === 'new' || (sending === 'full' && old === undefined);
    this[sending]++;
    if (last.changed) this.changed++;
    this.bits += last.bits;
    this.estimate += estimate;
  }
}
