import type { ItemType } from './item.ts';
export function readSchema(_text: string): readonly ItemType[] {
  return [];
}
