import { column, optional, type TableSchema } from './column.ts';
import { originColumns } from './origin.ts';

const tick = column('tick', 'int', 'tick of the game, 50 a second; -1 before the first');
const receivers = column(
  'receivers',
  'int',
  'how often the tick has the message: a server demo has it once for each receiver',
);
const id = (name: string, of: string) => optional(name, 'int', `client number of ${of}`);
const playerName = (name: string) => optional(name, 'text', 'null if it is not known');

export const demosTable: TableSchema = {
  name: 'demos',
  columns: [
    column('file', 'text', 'path of the recording, as it was given'),
    optional('sha256', 'text', 'of the recording, unpacked'),
    optional('bytes', 'double', 'of the recording, unpacked'),
    optional('version', 'int', 'version of the demo format'),
    optional('net_version', 'text'),
    optional('protocol', 'text', '0.5, 0.6 or 0.7'),
    optional('map', 'text'),
    optional('map_crc', 'int'),
    optional('map_sha256', 'text'),
    optional('map_bytes', 'int'),
    optional('type', 'text', 'client or server'),
    optional('recorded', 'text', 'as the header has it: local time without a zone'),
    optional('length_s', 'int', 'seconds, as the header says'),
    optional('first_tick', 'int', '-1 without a tick'),
    optional('last_tick', 'int', '-1 without a tick'),
    optional('snapshots', 'int'),
    optional('keyframes', 'int', 'full snapshots'),
    optional('messages', 'int'),
    optional('most_items', 'int', 'items of the largest snapshot'),
    column('problems', 'int', 'diagnostics, warnings among them'),
    column('health', 'text', 'healthy, cut, damaged, unreadable: then only file and error have a value'),
    optional('error', 'text', 'code of the first error; of a file that cannot be opened, why'),
  ],
};

export const connectionsTable: TableSchema = {
  name: 'connections',
  columns: [
    column('file', 'text', 'path of the recording, as it was given'),
    column('number', 'int', 'from 1, in the order in which connections begin'),
    column('client', 'text', 'address of the client'),
    column('server', 'text', 'address of the server'),
    column('protocol', 'text', '0.6 or 0.7'),
    optional('player', 'text', 'name of the player'),
    optional('first_time', 'double', 'seconds since 1970'),
    optional('last_time', 'double', 'seconds since 1970'),
    column('packets_to_client', 'int'),
    column('packets_to_server', 'int'),
    column('bytes_to_client', 'double'),
    column('bytes_to_server', 'double'),
    column('undecodable', 'int', 'packets that cannot be read to their end'),
    column('first_tick', 'int', '-1 without a snapshot'),
    column('last_tick', 'int', '-1 without a snapshot'),
    column('snapshots', 'int'),
    column('matched', 'int', 'snapshots with the announced checksum'),
    column('mismatched', 'int', 'snapshots with another checksum than the announced one'),
    column('not_rebuilt', 'int', 'snapshots without their base or a part, or damaged'),
    column('map_changes', 'int'),
    optional('close_reason', 'text', 'null if nobody closed the connection'),
  ],
};

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
