import type { ItemType } from '../../protocol/item.ts';
import { fieldAt, intAt } from '../../snapshot/item-fields.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** An item with its position on the plane, in units. */
export interface DrawnItem {
  readonly kind: 'player' | 'projectile' | 'laser' | 'pickup' | 'flag' | 'event';
  readonly key: number;
  /** The item's part of a link: `obj_character/0`. */
  readonly link: string;
  readonly x: number;
  readonly y: number;
  /** The origin of a laser, or the end of a player's hook. */
  readonly toX?: number | undefined;
  readonly toY?: number | undefined;
  /** The key of the hooked player's item. */
  readonly hookedKey?: number | undefined;
  /** The tick of a player's values in the item, if it is older than the snapshot. */
  readonly sentAt?: number | undefined;
  /** The direction of a player's aim, in radians. */
  readonly angle?: number;
  /** The name of the pickup, of the weapon that fired, of the flag's team, or of the event. */
  readonly what?: string | undefined;
}

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
  readonly #type: ItemType;
  readonly #now: Snapshot;
  readonly index: number;
  readonly #interpolation: Interpolation;
  /** The index in the next snapshot; -1 if it does not have the item. */
  readonly nextIndex: number;

  constructor(type: ItemType, now: Snapshot, index: number, interpolation: Interpolation) {
    this.#type = type;
    this.#now = now;
    this.index = index;
    this.key = now.keys[index]!;
    this.#interpolation = interpolation;
    this.nextIndex = interpolation.next ? interpolation.next.findKey(this.key) : -1;
  }

  has(field: string): boolean {
    return fieldAt(this.#type, field) !== undefined;
  }

  /** The value in the current snapshot; 0 if there is none. */
  get(field: string): number {
    return intAt(this.#now, this.index, fieldAt(this.#type, field));
  }

  /** The value in the next snapshot, or the current value if that snapshot does not have the item. */
  next(field: string): number {
    if (this.nextIndex < 0) return this.get(field);
    return intAt(this.#interpolation.next!, this.nextIndex, fieldAt(this.#type, field));
  }

  /** The value interpolated between both snapshots, as the client does for positions. */
  mixed(field: string): number {
    const value = this.get(field);
    return value + (this.next(field) - value) * this.#interpolation.share;
  }
}
