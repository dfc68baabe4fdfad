import type { QueryMatcher } from '../../analysis/query/matcher.ts';
import { ConnectionNotices, type PlacedNotice } from '../../recording/events/connection-notices.ts';
import { isPlaceholder, type PlayerInfo, Players, unknownPlayer } from '../../recording/events/players.ts';
import { RecordingClock } from '../../recording/replay/clock.ts';
import type { MessageEntry, RecordFilter, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { hasIntsAt } from '../../wire/bytes/copy.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { MessageFields } from '../../wire/packet/message.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import { protocolOf, type Schema, versions } from '../../wire/protocol/registry.ts';
import { isInRange, type TickRange } from '../../wire/protocol/ticks.ts';
import { ChosenItems } from '../../wire/snapshot/chosen-items.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type Batch, type CellValue, column, optional, type TableSchema, tableOf } from './batch.ts';
import {
  chatTable,
  EventTables,
  finishesTable,
  killsTable,
  messagesTable,
  SharedEvents,
  votesTable,
} from './event-tables.ts';
import { ItemTable, itemColumns } from './item-table.ts';
import { addPositions, characterItem, positionsTable } from './positions.ts';
import { connectionsTable, demosTable } from './summary-tables.ts';
import {
  originColumns,
  originOf,
  type Period,
  periodCells,
  sessionColumns,
  type Tables,
  teamColumn,
  tickColumn,
} from './tables.ts';

/** A period during which a player's properties do not change. */
interface Interval extends Period {
  readonly client: number;
  readonly info: PlayerInfo;
  readonly team: number;
}

const playersTable = tableOf<Interval>(
  'players',
  'each period in which the name, clan, country, skin and team of a player did not change',
  sessionColumns,
  [
    [column('id', 'int', 'client number'), ({ client }) => client],
    [column('name', 'text', 'name of the player'), ({ info }) => info.name],
    [column('clan', 'text', 'clan of the player'), ({ info }) => info.clan],
    [column('country', 'int', 'ISO 3166-1 number, -1 for none'), ({ info }) => info.country],
    [column('skin', 'text', 'of 0.7 the names of its parts, with slashes'), ({ info }) => info.skin],
    [teamColumn, ({ team }) => team],
    ...periodCells('first tick at which all of this was so', 'last tick at which all of this was so'),
  ],
);

/**
 * The players of one stream as intervals. An interval ends when the player leaves or changes the name, clan, country,
 * skin or team.
 */
class PlayerIntervals {
  readonly #tables: Tables;
  readonly #players: Players;
  readonly #open = new Map<number, Interval>();
  #origin: readonly CellValue[] = [];

  constructor(tables: Tables, players: Players) {
    this.#tables = tables;
    this.#players = players;
  }

  onSnapshot(tick: number, seconds: number, origin: readonly CellValue[]): void {
    this.#origin = origin.slice(0, sessionColumns.length);
    const { present } = this.#players;
    for (const client of present) this.#continue(client, tick, seconds);
    for (const client of this.#open.keys()) if (!present.has(client)) this.#close(client);
  }

  finish(): void {
    for (const client of [...this.#open.keys()]) this.#close(client);
  }

  #continue(client: number, tick: number, seconds: number): void {
    const info = this.#players.infoOf(client) ?? unknownPlayer;
    if (isPlaceholder(client, info.name)) return;
    const team = this.#players.teamOf(client);
    const open = this.#open.get(client);
    if (open && tick >= open.lastTick && isSame(open.info, info) && open.team === team) {
      open.lastTick = tick;
      open.last = seconds;
      return;
    }
    if (open) this.#close(client);
    this.#open.set(client, { client, info, team, firstTick: tick, lastTick: tick, first: seconds, last: seconds });
  }

  #close(client: number): void {
    const interval = this.#open.get(client)!;
    this.#open.delete(client);
    this.#tables.add(playersTable, [...this.#origin, ...playersTable.valuesOf(interval)]);
  }
}

const isSame = (a: PlayerInfo, b: PlayerInfo) =>
  a === b || (a.name === b.name && a.clan === b.clan && a.country === b.country && a.skin === b.skin);

const snapshotsTable = tableOf<SnapshotEntry>('snapshots', 'each snapshot', originColumns, [
  [tickColumn, ({ tick }) => tick],
  [optional('base', 'int', 'tick of the base; null for a full snapshot'), ({ base }) => (base < 0 ? undefined : base)],
  [column('kind', 'text', 'snapshot, delta or empty'), ({ kind }) => kind],
  [optional('items', 'int', 'null where the snapshot cannot be rebuilt'), ({ snapshot }) => snapshot?.count],
  [column('bytes', 'int', 'of the payload as recorded'), ({ bytes }) => bytes],
  [optional('crc', 'int', 'checksum of the rebuilt snapshot'), ({ snapshot }) => snapshot?.checksum()],
  [optional('expected', 'int', 'checksum that the server announced'), ({ announced }) => announced],
  [
    optional('ok', 'boolean', 'whether the two are equal'),
    ({ announced, snapshot, verdict }) => (announced === undefined || !snapshot ? undefined : verdict !== 'mismatch'),
  ],
]);

interface UnknownItem {
  readonly id: number;
  readonly type: number;
  readonly uuid: string | undefined;
  readonly data: Int32Array;
}

const unknownItemsTable = tableOf<UnknownItem>(
  'unknown_items',
  'each item of an unknown type, or with fewer ints than its type has',
  itemColumns.slice(0, -1),
  [
    [column('item_id', 'int', 'id of the item'), ({ id }) => id],
    [column('type', 'int', 'number of the type; of a UUID item the one in its snapshot'), ({ type }) => type],
    [optional('uuid', 'text', 'of a type with a UUID'), ({ uuid }) => uuid],
    [column('data', 'ints', 'all ints of the item'), ({ data }) => data],
  ],
);

const connectionEventsTable = tableOf<PlacedNotice>(
  'connection_events',
  'what becomes of each connection of a capture',
  // A flood is of no connection.
  [...originColumns.map((of, i) => (i === 0 ? of : { ...of, isNullable: true })), tickColumn],
  [
    [
      column('event', 'text', 'connect, accept, enter, refuse, close, silence, timeout or flood'),
      ({ notice }) => notice.what,
    ],
    [
      optional('side', 'text', 'client or server: who closes the connection, or says nothing'),
      ({ notice }) => ('side' in notice ? notice.side : undefined),
    ],
    [
      optional('reason', 'text', 'why it is refused or closed, as the other end was told'),
      ({ notice }) => ('reason' in notice ? notice.reason : undefined),
    ],
    [
      optional('length_s', 'double', 'seconds that the handshake, the silence, the timeout or the flood took'),
      ({ notice }) => ('seconds' in notice ? notice.seconds : undefined),
    ],
    [
      column('server', 'text', 'address of the server'),
      ({ notice, stream }) => (notice.what === 'flood' ? notice.server : stream!.server),
    ],
    [
      optional('requests', 'int', 'of a flood: how many requests to connect the server got'),
      ({ notice }) => ('requests' in notice ? notice.requests : undefined),
    ],
    [
      optional('addresses', 'int', 'of a flood: from how many addresses, without ports; at most 1024'),
      ({ notice }) => ('addresses' in notice ? notice.addresses : undefined),
    ],
  ],
);

interface Session extends Period {
  map: string | undefined;
  firstTick: number;
  first: number | undefined;
  snapshots: number;
}

const sessionsTable = tableOf<Session>('sessions', 'each map that a stream played', sessionColumns, [
  [optional('map', 'text', 'null if it is not known'), ({ map }) => map],
  ...periodCells('first tick, -1 without a snapshot that has one', 'last tick, -1 without a snapshot that has one'),
  [column('snapshots', 'int', 'all kinds'), ({ snapshots }) => snapshots],
]);

export const fixedTables: readonly TableSchema[] = [
  demosTable,
  connectionsTable,
  connectionEventsTable,
  sessionsTable,
  snapshotsTable,
  unknownItemsTable,
  playersTable,
  positionsTable,
  chatTable,
  killsTable,
  finishesTable,
  votesTable,
  messagesTable,
];

/** The name of an item type's table: that of the item, which in a schema may also be that of another table. */
const itemTableName = (item: string): string => (fixedTables.some(({ name }) => name === item) ? `item-${item}` : item);

/** All tables that there can be, by name: those of recordings, and of the items in the protocols and a schema. */
export function tablesBy(schema?: Schema): ReadonlyMap<string, () => TableSchema> {
  const items = versions.flatMap((version) => protocolOf(version, schema).items);
  return new Map([
    ...fixedTables.map((table) => [table.name, () => table] as const),
    ...items.map(({ name }) => {
      const table = itemTableName(name);
      return [table, () => new ItemTable(name, schema, table).schema] as const;
    }),
  ]);
}

interface TableOptions {
  /** The minimum distance in ticks between exported snapshots of a stream. */
  readonly every?: number | undefined;
  /** Whether to export only rows that differ from the preceding row of the item. */
  readonly changes?: boolean | undefined;
  readonly schema?: Schema;
}

/** Where the items of a type go. */
interface Target {
  /** Undefined for a type that no table knows. */
  readonly type: ItemType | undefined;
  readonly table: ItemTable | undefined;
  /** Undefined if the table is not wanted. */
  readonly batch: Batch | undefined;
  /** Of characters. */
  readonly positions: Batch | undefined;
  /** With fewer ints an item has no row there. */
  readonly neededInts: number;
  /** Those of the current snapshot. */
  readonly items: ChosenItems;
}

const messagesAboutPlayers: ReadonlySet<string> = new Set(['sv_clientinfo', 'sv_team']);

/** The state of a stream since its last map change. */
interface StreamState {
  readonly origin: readonly CellValue[];
  readonly session: Session;
  readonly players: Players;
  readonly intervals: PlayerIntervals;
  readonly events: EventTables;
  lastTick: number;
  readonly mapChanges: number;
  /** The types of the last snapshot, and where their items go, by number. */
  types: ItemTypes;
  readonly targets: Map<number, Target>;
  /** With `changes`. */
  previous: Snapshot | undefined;
}

export class RecordingTables {
  readonly #tables: Tables;
  readonly #options: TableOptions;
  readonly #items = new Map<string, ItemTable>();
  /** Those with items in the current snapshot. */
  readonly #used: Target[] = [];
  readonly #streams = new Map<Stream, StreamState>();
  readonly #shared: SharedEvents;
  #notices = new ConnectionNotices();
  #file = '';
  #clock = new RecordingClock();
  /** The ticks whose snapshots, items and messages are added; other tables are about the whole recording. */
  ticks: TickRange | undefined;
  /** The items that are added; undefined for all. */
  filter: RecordFilter | undefined;
  /** The messages that are added, and then what happened because of them; undefined for all. */
  query: Pick<QueryMatcher, 'follow' | 'isMessage'> | undefined;

  constructor(tables: Tables, options: TableOptions = {}) {
    this.#tables = tables;
    this.#shared = new SharedEvents(tables);
    this.#options = options;
  }

  /** @param file the value of the column `file` for the following records */
  begin(file: string): void {
    this.#file = file;
    this.#clock = new RecordingClock();
    this.#notices = new ConnectionNotices();
    this.#streams.clear();
  }

  add(entry: RecordingEntry): void {
    // Requests for server information may come before the first connection, with which the time begins.
    const { stream } = entry;
    if (stream) this.#clock.at(entry);
    for (const notice of this.#notices.add(entry)) this.#addNotice(notice);
    switch (entry.record) {
      case 'snapshot':
        this.#onSnapshot(entry, this.#stateOf(entry.stream));
        break;
      case 'message':
        this.#onMessage(entry, this.#stateOf(entry.stream));
        break;
      case 'header':
        this.#stateOf(entry.stream).session.map = entry.header.mapName;
        break;
      case 'ghost':
        this.#stateOf(entry.stream).session.map = entry.ghost.mapName;
        break;
      case 'drop':
        this.#end(entry.stream);
        break;
      // Only demos have tick markers.
      case 'tick':
        this.#stateOf(entry.stream).events.onTick(entry.tick);
        break;
      // The tables of whole recordings are made of its summary.
      case 'map':
      case 'connection':
      case 'copy':
      case 'close':
      case 'diagnostic':
      case 'chunk':
      case 'block':
      case 'packet':
      case 'server_info':
      case 'info_exchange':
      case 'handshake':
        break;
      default:
        entry satisfies never;
    }
  }

  finish(): void {
    for (const notice of this.#notices.finish()) this.#addNotice(notice);
    for (const stream of this.#streams.keys()) this.#end(stream);
    this.#shared.finish();
  }

  #end(stream: Stream): void {
    const state = this.#streams.get(stream);
    if (!state) return;
    state.intervals.finish();
    state.events.finish();
    const { session, origin } = state;
    // A connection begins with messages before the first map.
    const isPlayed = session.map !== undefined || session.snapshots > 0;
    if (isPlayed) this.#tables.add(sessionsTable, [...origin, ...sessionsTable.valuesOf(session)]);
    this.#streams.delete(stream);
  }

  #addNotice(placed: PlacedNotice): void {
    const { stream, at: time, tick, frame } = placed;
    const seconds = Number.isFinite(time) ? this.#clock.ofTime(time) : this.#clock.seconds;
    const origin = stream
      ? originOf(this.#file, stream, seconds, { time, ...(frame !== undefined && { frame }) })
      : [this.#file, undefined, undefined, undefined, seconds, time, frame];
    this.#tables.add(connectionEventsTable, [...origin, tick, ...connectionEventsTable.valuesOf(placed)]);
  }

  #onMessage(entry: MessageEntry, { events, players, session }: StreamState): void {
    const { head, stream, direction } = entry;
    // Messages of the other version have other client numbers.
    const name = direction === 'to_client' && head.version === undefined ? (head.type?.name ?? '') : '';
    if (messagesAboutPlayers.has(name)) players.onMessage(entry.message);
    else if (name === 'map_change') session.map = new MessageFields(entry.message).texts.get('name');
    if (!this.#hasTick(entry.tick ?? session.lastTick) || this.query?.isMessage === false) return;
    events.onMessage(entry, originOf(this.#file, stream, this.#clock.seconds, entry));
  }

  #hasTick(tick: number): boolean {
    return this.ticks === undefined || isInRange(tick, this.ticks);
  }

  #onSnapshot(entry: SnapshotEntry, state: StreamState): void {
    const { tick, snapshot, stream } = entry;
    const { session } = state;
    const seconds = this.#clock.seconds;
    if (session.snapshots++ === 0) Object.assign(session, { firstTick: tick, first: seconds });
    Object.assign(session, { lastTick: tick, last: seconds });
    const origin = originOf(this.#file, stream, this.#clock.seconds, entry);
    state.events.onTick(tick);
    state.events.onSnapshot(snapshot, stream.protocol);
    const isAdded = this.#hasTick(tick);
    if (isAdded) this.#tables.add(snapshotsTable, [...origin, ...snapshotsTable.valuesOf(entry)]);
    if (!snapshot) return;
    state.players.onSnapshot(snapshot, stream.protocol);
    state.intervals.onSnapshot(tick, seconds, origin);
    if (!isAdded) return;
    const { every = 1, changes } = this.#options;
    if (state.lastTick >= 0 && tick - state.lastTick < every && tick > state.lastTick) return;
    state.lastTick = tick;
    if (!state.types.areOf(snapshot, stream.protocol)) {
      state.types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
      state.targets.clear();
    }
    this.#addItems(snapshot, state, [...origin, tick]);
    if (!changes) return;
    state.previous ??= new Snapshot();
    state.previous.copyFrom(snapshot);
  }

  /**
   * Items of one type may be anywhere in a snapshot: those of a player follow each other. So they are sorted by type
   * first.
   */
  #addItems(snapshot: Snapshot, state: StreamState, origin: readonly CellValue[]): void {
    const { types, targets, previous, players } = state;
    const { filter } = this;
    const used = this.#used;
    const { keys, count } = snapshot;
    for (let i = 0; i < count; i++) {
      const number = typeOf(keys[i]!);
      const target = targets.get(number) ?? this.#targetOf(number, state);
      if (filter && !filter.item(types, number, snapshot.id(i))) continue;
      if (previous && isEqualIn(previous, keys[i]!, snapshot.item(i))) continue;
      if (snapshot.size(i) < target.neededInts) this.#addUnknown(snapshot, i, types, origin);
      else if (target.batch || target.positions) {
        const { items } = target;
        if (items.count === 0) {
          items.begin(snapshot);
          used.push(target);
        }
        items.add(i);
      }
    }
    for (const { table, batch, positions, type, items } of used) {
      if (batch) table!.add(batch, type!, origin, items);
      if (positions) addPositions(positions, type!, origin, items, players);
      items.count = 0;
      if (batch?.isFull || positions?.isFull) this.#tables.hasFull = true;
    }
    used.length = 0;
  }

  #addUnknown(snapshot: Snapshot, i: number, types: ItemTypes, origin: readonly CellValue[]): void {
    const type = snapshot.type(i);
    if (type === 0 || !this.#tables.has(unknownItemsTable.name)) return;
    const item = { id: snapshot.id(i), type, uuid: types.uuidOf(type), data: snapshot.item(i).slice() };
    this.#tables.add(unknownItemsTable, [...origin, ...unknownItemsTable.valuesOf(item)]);
  }

  #targetOf(number: number, { types, targets }: StreamState): Target {
    const type = types.of(number);
    const table = type && getOr(this.#items, type.name, this.#makeTable);
    const batch = table && this.#tables.batch(table.schema);
    const neededInts = table ? table.neededInts(type!) : Infinity;
    const positions = type?.name === characterItem ? this.#tables.batch(positionsTable) : undefined;
    const target = { type, table, batch, positions, neededInts, items: new ChosenItems() };
    targets.set(number, target);
    return target;
  }

  readonly #makeTable = (name: string) => new ItemTable(name, this.#options.schema, itemTableName(name));

  #stateOf(stream: Stream): StreamState {
    // A map change restarts the ticks and the players.
    if (this.#streams.get(stream)?.mapChanges !== stream.mapChanges) this.#end(stream);
    return getOr(this.#streams, stream, () => {
      const players = new Players(true);
      return {
        origin: originOf(this.#file, stream, undefined).slice(0, sessionColumns.length),
        session: { map: undefined, firstTick: -1, lastTick: -1, first: undefined, last: undefined, snapshots: 0 },
        players,
        intervals: new PlayerIntervals(this.#tables, players),
        events: new EventTables(this.#tables, players, stream.client === '' ? undefined : this.#shared),
        lastTick: -1,
        mapChanges: stream.mapChanges,
        types: new ItemTypes(stream.protocol),
        targets: new Map(),
        previous: undefined,
      };
    });
  }
}

function isEqualIn(snapshot: Snapshot, key: number, ints: Int32Array): boolean {
  const i = snapshot.findKey(key);
  return i >= 0 && snapshot.size(i) === ints.length && hasIntsAt(snapshot.data, snapshot.offsets[i]!, ints);
}
