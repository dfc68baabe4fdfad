import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { textOfInts } from '../../wire/protocol/texts.ts';
import { fieldAt } from '../../wire/snapshot/item-fields.ts';
import { maxType } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

const known = new WeakMap<Protocol, PlayerItems>();

export type PlayerItems = ReturnType<typeof findPlayerItems>;

/** The place of a field that there is not: beyond all items. An integer, since Infinity would make all places doubles. */
const nowhere = 1 << 20;

/**
 * The types of the items about players, beyond all types if there is none, and where their fields are; beyond the item
 * if there is no such field.
 */
export const playerItemsOf = (protocol: Protocol): PlayerItems => getOr(known, protocol, findPlayerItems);

function findPlayerItems(protocol: Protocol) {
  const player = protocol.byName('obj_player_info');
  // The item with the name, and all that the player announces.
  const info = protocol.byName('obj_client_info') ?? protocol.byName('obj_de_client_info');
  const character = protocol.byName('obj_character');
  const at = (type: ItemType | undefined, name: string) => (type && fieldAt(type, name)) ?? nowhere;
  const typeOf = (type: ItemType | undefined) => type?.type ?? maxType + 1;
  // The item that says who records: in demos of 0.7 that with the name.
  const recorder = at(player, 'local') < nowhere ? player : info;
  return {
    infoFields: info?.fields ?? [],
    player: typeOf(player),
    info: typeOf(info),
    character: typeOf(character),
    recorder: typeOf(recorder),
    local: at(recorder, 'local'),
    team: at(player, 'team'),
    x: at(character, 'x'),
    y: at(character, 'y'),
    velX: at(character, 'vel_x'),
    velY: at(character, 'vel_y'),
    name: at(info, 'name'),
    nameInts: info?.fields.find(({ name }) => name === 'name')?.ints ?? 0,
  };
}

/** The name of a client in a snapshot, if it contains it. */
export function nameIn(snapshot: Snapshot, client: number, protocol: Protocol): string | undefined {
  const { info, name, nameInts } = playerItemsOf(protocol);
  const i = snapshot.find(info, client);
  if (i < 0 || snapshot.size(i) < name + nameInts) return undefined;
  return textOfInts(snapshot.item(i), name, nameInts);
}
