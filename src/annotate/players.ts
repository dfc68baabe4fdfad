import type { ItemTypes } from '../model/item-types.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { textOfInts } from '../protocol/text.ts';

/** Items whose id is the number of a client. */
const ofClients = new Set([
  'obj_character',
  'obj_player_info',
  'obj_client_info',
  'obj_de_client_info',
  'obj_player_info_race',
  'ddnet_character',
  'ddnet_player',
  'spec_char',
]);

/** The player an item belongs to, by name, where the snapshot carries names. */
export function playerOf(snapshot: Snapshot, types: ItemTypes, type: number, id: number): string | undefined {
  const name = types.of(type)?.name;
  if (name === undefined || !ofClients.has(name)) return undefined;
  for (const holder of ['obj_client_info', 'obj_de_client_info']) {
    const item = types.protocol.byName(holder);
    const at = item?.type === undefined ? -1 : snapshot.find(item.type, id);
    const field = item?.fields.find((one) => one.name === 'name');
    if (at < 0 || !field || snapshot.size(at) < field.at + field.ints) continue;
    return textOfInts(snapshot.item(at), field.at, field.ints);
  }
  return undefined;
}
