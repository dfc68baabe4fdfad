import { noInts } from '../bytes/buffers.ts';
import { idOf } from './key.ts';
import type { Snapshot } from './snapshot.ts';

const maxInts = 0x7fffffff;

/**
 * Some items of a snapshot, all of one type, whose values go into columns: one loop for each column, which does nothing
 * but copy. No object is made for an item.
 */
export class ChosenItems {
  count = 0;
  /** The index in the snapshot of each. */
  places = new Int32Array(256);
  /** The number of ints of the shortest. */
  minInts = 0;
  #keys = noInts;
  #offsets = noInts;
  #data = noInts;

  /** Forgets the items, and chooses those of another snapshot. */
  begin({ keys, offsets, data, count }: Snapshot): void {
    this.#keys = keys;
    this.#offsets = offsets;
    this.#data = data;
    this.count = 0;
    this.minInts = maxInts;
    if (this.places.length < count) this.places = new Int32Array(2 * count);
  }

  add(place: number): void {
    const ints = this.#offsets[place + 1]! - this.#offsets[place]!;
    this.places[this.count++] = place;
    if (ints < this.minInts) this.minInts = ints;
  }

  /** Copies their ids into a column, from an index on. */
  copyIds(into: Int32Array | Float64Array, row: number): void {
    const { places, count } = this;
    const keys = this.#keys;
    for (let k = 0; k < count; k++) into[row + k] = idOf(keys[places[k]!]!);
  }

  /** Copies the int at an index of each item. @param lacking for a shorter item */
  copyInts(at: number, into: Int32Array | Float64Array, row: number, lacking: number): void {
    const { places, count } = this;
    const offsets = this.#offsets;
    const data = this.#data;
    if (at < this.minInts) {
      for (let k = 0; k < count; k++) into[row + k] = data[offsets[places[k]!]! + at]!;
      return;
    }
    for (let k = 0; k < count; k++) {
      const from = offsets[places[k]!]! + at;
      into[row + k] = from < offsets[places[k]! + 1]! ? data[from]! : lacking;
    }
  }

  /** Copies the first ints of each item, one item after the other. */
  copyAll(ints: number, into: Int32Array, at: number): void {
    const { places, count } = this;
    const offsets = this.#offsets;
    const data = this.#data;
    let to = at;
    for (let k = 0; k < count; k++) {
      const from = offsets[places[k]!]!;
      for (let i = 0; i < ints; i++) into[to++] = data[from + i]!;
    }
  }

  /** Whether the first ints of each item are these. */
  have(ints: number, all: Int32Array): boolean {
    for (let k = 0; k < this.count; k++) {
      const from = this.start(k);
      for (let i = 0; i < ints; i++) if (this.#data[from + i] !== all[k * ints + i]) return false;
    }
    return true;
  }

  /** The ints of one of them: `data[start, end)`. */
  get data(): Int32Array {
    return this.#data;
  }

  start(k: number): number {
    return this.#offsets[this.places[k]!]!;
  }

  end(k: number): number {
    return this.#offsets[this.places[k]! + 1]!;
  }
}
