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
