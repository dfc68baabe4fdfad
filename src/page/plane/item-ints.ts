import type { ItemType } from '../../protocol/item.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** Two snapshots, and the time between them for which positions are interpolated. */
export interface Interpolation {
  readonly now: Snapshot;
  readonly tick: number;
  /** The next snapshot; undefined to draw `now` without interpolation. */
  readonly next?: Snapshot | undefined;
  readonly nextTick?: number;
  /** The elapsed share of the time between the snapshots: 0 at `tick`, 1 at `nextTick`. */
  readonly share: number;
}

/** The ints of an item in two snapshots. */
export class ItemInts {
  readonly key: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #now: Snapshot;
  readonly index: number;
  readonly #interpolation: Interpolation;
  /** The index in the next snapshot; -1 if it does not have the item. */
  readonly nextIndex: number;

  constructor(type: ItemType, now: Snapshot, index: number, interpolation: Interpolation) {
    this.#places = placesOf(type);
    this.#now = now;
    this.index = index;
    this.key = now.keys[index]!;
    this.#interpolation = interpolation;
    this.nextIndex = interpolation.next ? interpolation.next.findKey(this.key) : -1;
  }

  has(field: string): boolean {
    return this.#places.has(field);
  }

  /** The value in the current snapshot; 0 if there is none. */
  get(field: string): number {
    return intOf(this.#now, this.index, this.#places.get(field));
  }

  /** The value in the next snapshot, or the current value if that snapshot does not have the item. */
  next(field: string): number {
    if (this.nextIndex < 0) return this.get(field);
    return intOf(this.#interpolation.next!, this.nextIndex, this.#places.get(field));
  }

  /** The value interpolated between both snapshots, as the client does for positions. */
  mixed(field: string): number {
    const value = this.get(field);
    return value + (this.next(field) - value) * this.#interpolation.share;
  }
}

function intOf(snapshot: Snapshot, index: number, at: number | undefined): number {
  return at === undefined || at >= snapshot.size(index) ? 0 : snapshot.data[snapshot.offsets[index]! + at]!;
}

const places = new WeakMap<ItemType, ReadonlyMap<string, number>>();

function placesOf(type: ItemType): ReadonlyMap<string, number> {
  let known = places.get(type);
  if (!known) {
    known = new Map(type.fields.map(({ name, at }) => [name, at]));
    places.set(type, known);
  }
  return known;
}
