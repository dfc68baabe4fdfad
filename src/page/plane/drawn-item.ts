/** An item with its place on the plane, in units. */
export interface DrawnItem {
  readonly kind: 'player' | 'projectile' | 'laser' | 'pickup' | 'flag' | 'event';
  readonly key: number;
  /** The item's part of a link: `obj_character/0`. */
  readonly link: string;
  readonly x: number;
  readonly y: number;
  /** Where a laser comes from, or the end of a player's hook. */
  readonly toX?: number | undefined;
  readonly toY?: number | undefined;
  /** The player that the hook holds. */
  readonly hookedKey?: number | undefined;
  /** The direction of a player's aim, in radians. */
  readonly angle?: number;
  /** What is picked up or fires; the team of a flag; the name of an event. */
  readonly what?: string | undefined;
}
