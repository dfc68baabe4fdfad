import type { ItemType } from '../../protocol/item.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** Two snapshots, and the moment between them that is drawn. */
export interface Moment {
  readonly now: Snapshot;
  readonly tick: number;
  /** The snapshot after it; undefined to draw `now` as it is. */
  readonly next?: Snapshot | undefined;
  readonly nextTick?: number;
  /** From 0, the tick of `now`, to 1, the one of `next`. */
  readonly share: number;
}

/** The ints of an item in two snapshots. */
export class ItemInts {
  readonly key: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #now: Snapshot;
  readonly #index: number;
  readonly #moment: Moment;
  readonly #nextIndex: number;

  constructor(type: ItemType, now: Snapshot, index: number, moment: Moment) {
    this.#places = placesOf(type);
    this.#now = now;
    this.#index = index;
    this.key = now.keys[index]!;
    this.#moment = moment;
    this.#nextIndex = moment.next ? moment.next.findKey(this.key) : -1;
  }

  has(field: string): boolean {
    return this.#places.has(field);
  }

  /** The value now; 0 if there is none. */
  get(field: string): number {
    return intOf(this.#now, this.#index, this.#places.get(field));
  }

  /** The value in the next snapshot, or the one now if the item is not there. */
  next(field: string): number {
    if (this.#nextIndex < 0) return this.get(field);
    return intOf(this.#moment.next!, this.#nextIndex, this.#places.get(field));
  }

  /** The value at the moment between both snapshots: the client draws positions so. */
  mixed(field: string): number {
    const value = this.get(field);
    return value + (this.next(field) - value) * this.#moment.share;
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
