import type { ItemTypes } from '../../snapshot/item-types.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** One side of a comparison. */
export interface TypedSnapshot {
  /** The items that are compared. */
  readonly snapshot: Snapshot;
  readonly types: ItemTypes;
  /** The whole snapshot, which contains the names of players. */
  readonly whole: Snapshot;
}
