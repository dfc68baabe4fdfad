import { clientItems } from '../protocol/client-items.ts';
import { textOfInts } from '../protocol/text.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The name of the player that an item belongs to, if the snapshot contains it. */
export function playerOf(snapshot: Snapshot, types: ItemTypes, type: number, id: number): string | undefined {
  const name = types.of(type)?.name;
  if (name === undefined || !clientItems.has(name)) return undefined;
  for (const holder of ['obj_client_info', 'obj_de_client_info']) {
    const item = types.protocol.byName(holder);
    const at = item?.type === undefined ? -1 : snapshot.find(item.type, id);
    const field = item?.fields.find((one) => one.name === 'name');
    if (at < 0 || !field || snapshot.size(at) < field.at + field.ints) continue;
    return textOfInts(snapshot.item(at), field.at, field.ints);
  }
  return undefined;
}
