import type { ItemTypes } from '../snapshot/item-types.ts';

/** Selects the items and messages of a recording that are printed or counted. */
export interface RecordFilter {
  /** Whether nothing is left out. */
  readonly all: boolean;
  item(types: ItemTypes, type: number, id: number): boolean;
  /** @param name undefined for a message that no table has */
  message(name: string | undefined): boolean;
}
