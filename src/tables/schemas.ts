import { column, optional, type TableSchema } from './column.ts';
import { originColumns } from './origin.ts';
import { connectionsTable, demosTable } from './summary-columns.ts';

const tick = column('tick', 'int', 'tick of the game, 50 a second; -1 before the first');
const receivers = column(
  'receivers',
  'int',
  'how often the tick has the message: a server demo has it once for each receiver',
);
const id = (name: string, of: string) => optional(name, 'int', `client number of ${of}`);
const playerName = (name: string) => optional(name, 'text', 'null if it is not known');

export const snapshotsTable: TableSchema = {
  name: 'snapshots',
  columns: [
    ...originColumns,
    tick,
    optional('base', 'int', 'tick of the base; null for a full snapshot'),
    column('kind', 'text', 'snapshot, delta or empty'),
    optional('items', 'int', 'null where the snapshot cannot be rebuilt'),
    column('bytes', 'int', 'of the payload as recorded'),
    optional('crc', 'int', 'checksum of the rebuilt snapshot'),
    optional('expected', 'int', 'checksum that the server announced'),
    optional('ok', 'boolean', 'whether the two are equal'),
  ],
};

export const unknownItemsTable: TableSchema = {
  name: 'unknown_items',
  columns: [
    ...originColumns,
    column('snap_tick', 'int', 'tick of the snapshot, 50 a second'),
    column('item_id', 'int'),
    column('type', 'int', 'number of the type; of a UUID item the one in its snapshot'),
    optional('uuid', 'text'),
    column('data', 'ints', 'all ints of the item'),
  ],
};

export const playersTable: TableSchema = {
  name: 'players',
  columns: [
    ...originColumns.slice(0, 2),
    column('id', 'int', 'client number'),
    column('name', 'text'),
    column('clan', 'text'),
    column('country', 'int', 'ISO 3166-1 number, -1 for none'),
    column('skin', 'text', 'of 0.7 the names of its parts, with slashes'),
    column('team', 'int', '-1 spectators, 0 red or the game, 1 blue'),
    column('first_tick', 'int', 'first tick at which all of this was so'),
    column('last_tick', 'int', 'last tick at which all of this was so'),
  ],
};

export const chatTable: TableSchema = {
  name: 'chat',
  columns: [
    ...originColumns,
    tick,
    receivers,
    id('from_id', 'the player; null for the server'),
    playerName('from_name'),
    column('to', 'text', 'all, team or whisper'),
    id('target_id', 'the receiver of a whisper'),
    playerName('target_name'),
    column('text', 'text'),
  ],
};

export const killsTable: TableSchema = {
  name: 'kills',
  columns: [
    ...originColumns,
    tick,
    receivers,
    id('killer_id', 'the killer; null if it has left'),
    playerName('killer_name'),
    id('victim_id', 'the victim'),
    playerName('victim_name'),
    column('weapon', 'int', 'negative: no weapon but the game, the player or the world'),
    optional('weapon_name', 'text'),
    column('mode_special', 'int', 'flags of flag carriers, bit 0 killer, bit 1 victim'),
  ],
};

export const finishesTable: TableSchema = {
  name: 'finishes',
  columns: [
    ...originColumns,
    tick,
    receivers,
    id('player_id', 'the player; null if only the name is known'),
    playerName('player_name'),
    column('time_ms', 'int', 'milliseconds'),
    optional('diff_ms', 'int', 'milliseconds to the best time before'),
    optional('record', 'text', 'server or personal'),
    column('source', 'text', 'where the server announced it: race_finish, ddrace_time, chat'),
  ],
};

export const votesTable: TableSchema = {
  name: 'votes',
  columns: [
    ...originColumns,
    tick,
    receivers,
    column('state', 'text', 'called, passed, failed, aborted or over'),
    id('player_id', 'the player who called it'),
    playerName('player_name'),
    optional('kind', 'text', 'option, kick or spectate'),
    column('description', 'text'),
    column('reason', 'text'),
  ],
};

export const messagesTable: TableSchema = {
  name: 'messages',
  columns: [
    ...originColumns,
    tick,
    receivers,
    column('direction', 'text', 'to_client or to_server'),
    optional('name', 'text', 'null if no table knows the message'),
    column('system', 'boolean', 'whether it belongs to the engine rather than the game'),
    optional('id', 'int', 'number of the message'),
    optional('uuid', 'text'),
    column('fields', 'text', 'JSON'),
  ],
};

/** The tables that do not belong to an item type. */
export const fixedTables: readonly TableSchema[] = [
  demosTable,
  connectionsTable,
  snapshotsTable,
  unknownItemsTable,
  playersTable,
  chatTable,
  killsTable,
  finishesTable,
  votesTable,
  messagesTable,
];
