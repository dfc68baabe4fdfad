import { packedBytes } from '../codec/varint.ts';
import { clientItems } from '../protocol/client-items.ts';
import type { ItemType } from '../protocol/item.ts';

/** How an item came: whole in a full snapshot, whole in a delta whose base lacks it, as the differences to its base. */
export type Sending = 'full' | 'new' | 'updated';

/** What the fields of one kind of item took, in their order. */
export interface FieldTally {
  /** Undefined for the ints in front of the data: type, id, size or key. `rest` are ints that no field has. */
  readonly name: string | undefined;
  /** Times it came with another value than the base has; a new item's fields always do. */
  readonly changed: number;
  /** As they were compressed. */
  readonly bits: number;
  /** By the games' own estimate, which has nothing for the ints in front. */
  readonly estimate: number;
}

const bitsOfInt = 32;

/** What one kind of item took. */
export class ItemTally {
  /** Undefined of one that no table knows. */
  readonly item: ItemType | undefined;
  /** The number on the wire; of UUID items undefined, for it changes. */
  readonly type: number | undefined;
  readonly uuid: string | undefined;
  readonly isOfClient: boolean;
  full = 0;
  new = 0;
  updated = 0;
  /** Times it came with another value than its base has, or as a new one. */
  changed = 0;
  removed = 0;
  bits = 0;
  /** By the games' own estimate: a zero difference 1 bit, another its varint's, of a new item 32 each int. */
  estimate = 0;
  /** What the item counted last took. */
  readonly last: { bits: number; estimate: number; changed: boolean } = { bits: 0, estimate: 0, changed: false };
  /** For each int of the data, the index of its field; the ints in front have 0, those of no field the last one. */
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

  /**
   * Counts an item: `ints[start]` up to `ints[end]`, with what stands in front of it from `head` on.
   * @param bits where each int begins
   * @param old what a full snapshot's item was before, at `oldAt`; undefined where it was none, or had another size
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
    const others = this.#bits.length - 1;
    let estimate = 0;
    let changed = 0;
    let lastChanged = -1;
    for (let at = start; at < end; at++) {
      const int = ints[at]!;
      const field = at - start < fieldOf.length ? fieldOf[at - start]! : others;
      const isChanged = sending === 'updated' ? int !== 0 : old === undefined || int !== old[oldAt + at - start];
      const estimated = sending !== 'updated' ? bitsOfInt : int === 0 ? 1 : 8 * packedBytes(int);
      this.#bits[field]! += bits[at + 1]! - bits[at]!;
      this.#estimates[field]! += estimated;
      estimate += estimated;
      if (!isChanged) continue;
      changed++;
      if (field !== lastChanged) this.#changed[field]!++;
      lastChanged = field;
    }
    this.#bits[0]! += bits[start]! - bits[head]!;
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
