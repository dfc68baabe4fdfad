import { maxItems } from '../../wire/snapshot/key.ts';

/*
 * The memory of a game's demo player, kept as the game keeps it: flat buffers of 64 KiB that are filled again for each
 * chunk, with what the one before left behind. Versions without checks read and write beyond an item, into the next
 * one, and are followed there. What lies outside of a buffer, or was written before this demo, is not known.
 */

/** `CSnapshot::MAX_SIZE` */
export const maxBytes = 1 << 16;
export const maxInts = maxBytes >> 2;

/** What happens next depends on memory whose content is not in the file. */
export class Unforeseen extends Error {}

/** The game ends itself, or is ended by the system. */
export class Crash extends Error {}

/** A buffer of ints, of which those at the beginning are known. */
export class GameBuffer {
  readonly ints = new Int32Array(maxInts);
  readonly bytes = new Uint8Array(this.ints.buffer);
  #known = 0;

  /** After ints up to `end` were written from the beginning. */
  know(end: number): void {
    if (end > this.#known) this.#known = end;
  }

  /** Whether ints up to `end` were written in this demo. */
  knows(end: number): boolean {
    return end <= this.#known;
  }

  copyFrom({ ints }: GameBuffer, end: number): void {
    this.ints.set(ints.subarray(0, end));
    this.know(end);
  }

  clone(): GameBuffer {
    const copy = new GameBuffer();
    copy.copyFrom(this, this.#known);
    return copy;
  }
}

/** `CSnapshotBuilder`: the items of the snapshot that a delta makes. */
export class ItemBuilder {
  readonly data = new Int32Array(maxInts);
  readonly #offsets = new Int32Array(maxItems + 1);
  readonly #indexes = new Map<number, number>();
  /** Ints of all items. */
  length = 0;
  count = 0;
  /** Whether an item was written over the one after it: then keys are those in memory. */
  isDisturbed = false;

  clear(): void {
    this.#indexes.clear();
    this.length = 0;
    this.count = 0;
    this.isDisturbed = false;
  }

  /** Appends an item of zeros, for which there has to be room; returns where its values begin. */
  add(key: number, ints: number): number {
    this.#offsets[this.count] = this.length;
    this.data[this.length] = key;
    this.data.fill(0, this.length + 1, this.length + 1 + ints);
    if (!this.#indexes.has(key)) this.#indexes.set(key, this.count);
    this.count++;
    this.length += 1 + ints;
    return this.length - ints;
  }

  /** Makes these the items, with the offsets of each. */
  fill(offsets: readonly number[], data: Int32Array): void {
    this.clear();
    this.#offsets.set(offsets);
    this.data.set(data);
    this.count = offsets.length;
    this.length = data.length;
  }

  find(key: number): number {
    if (!this.isDisturbed) return this.#indexes.get(key) ?? -1;
    for (let i = 0; i < this.count; i++) if (this.data[this.#offsets[i]!] === key) return i;
    return -1;
  }

  /** Where the values of an item begin. */
  startOf(index: number): number {
    return this.#offsets[index]! + 1;
  }

  sizeOf(index: number): number {
    const end = index === this.count - 1 ? this.length : this.#offsets[index + 1]!;
    return end - this.startOf(index);
  }

  /** Writes `data_size num_items offset[num_items] data`; returns the bytes. */
  finish(into: GameBuffer): number {
    const { count, length } = this;
    const start = this.#head(into, 2);
    for (let i = 0; i < count; i++) into.ints[2 + i] = this.#offsets[i]! * 4;
    into.ints.set(this.data.subarray(0, length), start);
    return (start + length) * 4;
  }

  /** Writes `data_size num_items key[num_items] offset[num_items] data`, sorted by key as Teeworlds does. */
  finishSorted(into: GameBuffer): number {
    const { ints } = into;
    const { count, length, data } = this;
    const offsets = 2 + count;
    const start = this.#head(into, offsets);
    const keyOf = (index: number) => data[this.#offsets[index]!]!;
    // Equal keys keep their order in the bubble sort of the game, and in this one.
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => keyOf(a) - keyOf(b));
    let at = 0;
    for (const [i, index] of order.entries()) {
      const values = this.startOf(index);
      const end = values + this.sizeOf(index);
      ints[2 + i] = keyOf(index);
      ints[offsets + i] = at * 4;
      ints.set(data.subarray(values - 1, end), start + at);
      at += 1 + end - values;
    }
    return (start + length) * 4;
  }

  /** The two counts; returns where the data begin. @param offsets where the offsets begin */
  #head(into: GameBuffer, offsets: number): number {
    const start = offsets + this.count;
    if (start + this.length > maxInts) throw new Unforeseen('a snapshot beyond its buffer');
    into.ints[0] = this.length * 4;
    into.ints[1] = this.count;
    into.know(start + this.length);
    return start;
  }
}
