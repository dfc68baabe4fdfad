import { arrivalSeconds, type PlayerRef } from '../../recording/events/event.ts';
import {
  type Chat,
  chatOf,
  finishInChat,
  finishOf,
  isBySelf,
  isSameFinish,
  voteKinds,
  voteResults,
} from '../../recording/events/message-events.ts';
import type { Players } from '../../recording/events/players.ts';
import { type TickMessage, TickMessages } from '../../recording/events/tick-messages.ts';
import type { MessageEntry } from '../../recording/replay/record.ts';
import { type Message, MessageFields, messageJson } from '../../wire/packet/message.ts';
import { killWeapon } from '../../wire/protocol/enums.ts';
import type { Protocol, Version } from '../../wire/protocol/registry.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type Cell, type CellValue, column, optional, type TableSchema, tableOf } from './batch.ts';
import { type Place, Places } from './places.ts';
import { originColumns, type Tables, tickColumn } from './tables.ts';

interface Heard {
  readonly fields: MessageFields;
  readonly version: Version;
  /** Undefined for a negative number, and in a message with the numbers of its receiver. */
  readonly playerOf: (client: number) => PlayerRef | undefined;
  readonly placeOf: (client: number) => Place | undefined;
}

interface Finish {
  /** The client number is not known if the chat announces the finish. */
  readonly player: { readonly client?: number; readonly name: string | undefined } | undefined;
  readonly time: number;
  readonly diff?: number | undefined;
  readonly record?: 'server' | 'personal' | undefined;
  readonly source: (typeof sources)[number];
}

/** The sources of a finish, the most detailed first. */
const sources = ['race_finish', 'ddrace_time', 'chat'] as const;

const receivers = column(
  'receivers',
  'int',
  'how often the tick has the message: a server demo has it once for each receiver',
);
const firstColumns = [...originColumns, tickColumn, receivers];

const playerCells = <Source>(
  name: string,
  of: string,
  player: (source: Source) => Finish['player'],
): Cell<Source>[] => [
  [optional(`${name}_id`, 'int', `client number of ${of}`), (source) => player(source)?.client],
  [optional(`${name}_name`, 'text', 'null if it is not known'), (source) => player(source)?.name],
];

const placeCells = (
  name: string,
  meaning: string,
  place: (heard: Heard) => Place | undefined,
): readonly [Cell<Heard>, Cell<Heard>] => [
  [optional(`${name}_x`, 'int', `${meaning}; null if no snapshot shows it`), (heard) => place(heard)?.x],
  [optional(`${name}_y`, 'int', 'from the top of the map'), (heard) => place(heard)?.y],
];

export const chatTable = tableOf<Chat & { readonly text: string }>('chat', 'each line of the chat', firstColumns, [
  ...playerCells<Chat>('from', 'the player; null for the server', ({ player }) => player),
  [column('to', 'text', 'all, team or whisper'), ({ to }) => to],
  ...playerCells<Chat>('target', 'the receiver of a whisper', ({ target }) => target),
  [column('text', 'text', 'what is said'), ({ text }) => text],
]);

export const killsTable = tableOf<Heard>(
  'kills',
  'each death that a message announces, also of who changes the team or leaves',
  firstColumns,
  [
    ...playerCells<Heard>(
      'killer',
      'the killer; null for a suicide or a fall, or if it has left',
      ({ fields, playerOf }) => (isBySelf(fields) ? undefined : playerOf(fields.int('killer'))),
    ),
    ...playerCells<Heard>('victim', 'the victim', ({ fields, playerOf }) => playerOf(fields.int('victim'))),
    [
      column('weapon', 'int', 'negative: no weapon but the game, the player or the world'),
      ({ fields }) => fields.int('weapon'),
    ],
    [
      optional('weapon_name', 'text', 'self for the command to die, game for a change of the team, world for a fall'),
      ({ fields }) => (killWeapon as Readonly<Record<number, string>>)[fields.int('weapon')],
    ],
    [column('by_self', 'boolean', 'whether it is a suicide or a fall'), ({ fields }) => isBySelf(fields)],
    [
      column('mode_special', 'int', 'flags of flag carriers, bit 0 killer, bit 1 victim'),
      ({ fields }) => fields.int('mode_special'),
    ],
    ...placeCells('victim', 'where the victim died, 32 units are a tile', ({ fields, playerOf, placeOf }) => {
      const victim = playerOf(fields.int('victim'));
      return victim && placeOf(victim.client);
    }),
    ...placeCells('killer', 'where the killer was then, 32 units are a tile', ({ fields, playerOf, placeOf }) => {
      const killer = isBySelf(fields) ? undefined : playerOf(fields.int('killer'));
      return killer && placeOf(killer.client);
    }),
  ],
);

const victimPlace = killsTable.columns.findIndex(({ name }) => name === 'victim_x') - firstColumns.length;

export const finishesTable = tableOf<Finish>('finishes', 'each finished race', firstColumns, [
  ...playerCells<Finish>('player', 'the player; null if only the name is known', ({ player }) => player),
  [column('time_ms', 'int', 'milliseconds of the race'), ({ time }) => time],
  [optional('diff_ms', 'int', 'milliseconds to the best time before'), ({ diff }) => diff],
  [optional('record', 'text', 'server or personal'), ({ record }) => record],
  [column('source', 'text', `where the server announced it: ${sources.join(', ')}`), ({ source }) => source],
]);

export const votesTable = tableOf<Heard>('votes', 'each vote that is called, and each result', firstColumns, [
  [
    column('state', 'text', 'called, passed, failed, aborted or over'),
    ({ fields }) => voteResults[fields.int('type')] ?? (fields.int('timeout') > 0 ? 'called' : 'over'),
  ],
  ...playerCells<Heard>('player', 'the player who called it', ({ fields, version, playerOf }) =>
    version === '0.7' ? playerOf(fields.int('client_id')) : undefined,
  ),
  [
    optional('kind', 'text', 'option, kick or spectate'),
    ({ fields, version }) => (version === '0.7' ? voteKinds[fields.int('type')] : undefined),
  ],
  [column('description', 'text', 'what is voted on'), ({ fields }) => fields.text('description')],
  [column('reason', 'text', 'of who called it'), ({ fields }) => fields.text('reason')],
]);

export const messageCells: readonly Cell<MessageEntry>[] = [
  [column('direction', 'text', 'to_client or to_server'), ({ direction }) => direction],
  [optional('name', 'text', 'null if no table knows the message'), ({ message }) => message.type?.name],
  [
    column('system', 'boolean', 'whether it belongs to the engine rather than the game'),
    ({ message }) => message.system,
  ],
  [optional('id', 'int', 'number of the message'), ({ message }) => message.id],
  [optional('uuid', 'text', 'of a message with a UUID'), ({ message }) => message.uuid],
];
export const fieldsColumn = column('fields', 'json', 'its fields by name');

let lastFields: { readonly message: Message; readonly text: string } | undefined;

/** The fields as JSON. A demo often has the same message again and again, which is read once. */
function fieldsText(message: Message): string {
  if (lastFields?.message !== message) lastFields = { message, text: JSON.stringify(messageJson(message).fields) };
  return lastFields.text;
}

export const messagesTable = tableOf<MessageEntry>('messages', 'each other message', firstColumns, [
  ...messageCells,
  [fieldsColumn, ({ message }) => fieldsText(message)],
]);

const [clientColumn, timeColumn] = ['client', 'time'].map((name) =>
  originColumns.findIndex((column) => column.name === name),
) as [number, number];

/** A row that is held until the end of its tick, since its message may be repeated until then. */
interface Row {
  readonly table: TableSchema;
  readonly origin: readonly CellValue[];
  readonly message: TickMessage;
  readonly values: CellValue[];
  readonly finish?: Finish;
  /** Who died; undefined once a snapshot after the message has shown where, or has not. */
  victim?: number | undefined;
}

/** The messages with rows in other tables than `messages`. */
const eventMessages: ReadonlySet<string> = new Set(
  'sv_chat sv_killmsg sv_voteset sv_racefinish sv_ddracetime sv_ddracetimelegacy'.split(' '),
);

const singleMessage: TickMessage = { receivers: 1, isOther: false, isCopy: false };

const maxWaiting = 4096;
/** Turns the messages of one stream into rows. Chat, kills, finishes and votes have separate tables. */
export class EventTables {
  readonly #tables: Tables;
  readonly #shared: SharedEvents | undefined;
  #server = '';
  /** The messages of a tick; undefined if a stream has only one receiver. */
  readonly #messages: TickMessages | undefined;
  readonly #players: Players;
  /** Undefined if kills are not wanted. */
  readonly #places: Places | undefined;
  #tick = -1;
  #waiting: Row[] = [];
  /** Kills of earlier ticks: the next snapshot shows where their victims died. */
  #dying: { readonly row: Row; readonly tick: number }[] = [];

  /** @param shared the events of all connections; undefined in demos, which contain a message once for each receiver */
  constructor(tables: Tables, players: Players, shared: SharedEvents | undefined) {
    this.#tables = tables;
    this.#players = players;
    this.#shared = shared;
    this.#messages = shared ? undefined : new TickMessages(maxWaiting);
    this.#places = tables.has(killsTable.name) ? new Places() : undefined;
  }

  /** Between two ticks no row is held. */
  onTick(tick: number): void {
    if (tick === this.#tick) return;
    this.#endTick();
    this.#tick = tick;
  }

  /** @param snapshot undefined if it cannot be rebuilt */
  onSnapshot(snapshot: Snapshot | undefined, protocol: Protocol): void {
    const places = this.#places;
    if (!places) return;
    if (snapshot) places.onSnapshot(this.#tick, snapshot, protocol);
    for (const row of [...this.#dying.map(({ row }) => row), ...this.#waiting]) {
      if (row.victim === undefined) continue;
      const place = places.takeDeath(row.victim, this.#tick);
      if (place) row.values.splice(victimPlace, 2, place.x, place.y);
      row.victim = undefined;
    }
    this.#writeDying();
  }

  onMessage(entry: MessageEntry, origin: readonly CellValue[]): void {
    const isEvent = eventMessages.has(entry.head.type?.name ?? '');
    if (!isEvent && !this.#tables.has(messagesTable.name)) return;
    const { message, bytes, direction, stream } = entry;
    this.#server = stream.server;
    if (this.#waiting.length >= maxWaiting) this.#endTick();
    const first = this.#messages ? this.#messages.add(message, bytes) : singleMessage;
    if (!first) return;
    const row = { origin, message: first };
    // The meaning is uncertain if bytes are left over or missing.
    const isSure =
      !message.diagnostics.error && message.diagnostics.warnings.every(({ code }) => code !== 'excess_bytes');
    if (isEvent && direction === 'to_client' && isSure && this.#addEvent(entry, row)) return;
    const values = this.#tables.has(messagesTable.name) ? messagesTable.valuesOf(entry) : [];
    this.#waiting.push({ origin, message: first, table: messagesTable, values });
  }

  finish(): void {
    this.#endTick();
    this.#writeDying();
  }

  #endTick(): void {
    this.#messages?.finish();
    // Messages without a separate table have the numbers that were sent.
    const rows = this.#waiting.filter(({ table, message }) => table === messagesTable || !message.isCopy);
    const finishes = rows.flatMap(({ finish }) => finish ?? []).sort((a, b) => rank(a) - rank(b));
    const repeated = new Set(
      finishes.filter((finish, i) => finishes.slice(0, i).some((other) => isSameFinish(other, finish))),
    );
    for (const row of rows) {
      if (row.finish && repeated.has(row.finish)) continue;
      // They keep their order.
      const isDying = row.table === killsTable && (row.victim !== undefined || this.#dying.length > 0);
      if (isDying) this.#dying.push({ row, tick: this.#tick });
      else this.#write(row, this.#tick);
    }
    this.#waiting = [];
    if (this.#dying.length >= maxWaiting) this.#writeDying();
  }

  #writeDying(): void {
    for (const { row, tick } of this.#dying) this.#write(row, tick);
    this.#dying = [];
  }

  #write(row: Row, tick: number): void {
    const { table, origin, message, values } = row;
    const isShared = this.#shared && table !== messagesTable && origin[timeColumn] !== undefined;
    if (isShared) this.#shared.add(row, this.#server, tick);
    else this.#tables.add(table, [...origin, tick, message.receivers, ...values]);
  }

  #addEvent({ message, stream }: MessageEntry, row: Pick<Row, 'origin' | 'message'>): boolean {
    const hasForeignNumbers = message.version !== undefined;
    const playerOf = (client: number) =>
      client < 0 || hasForeignNumbers ? undefined : { client, name: this.#players.nameOf(client) };
    const local = playerOf(this.#players.local ?? -1);
    const fields = new MessageFields(message);
    const version = message.version ?? stream.protocol.version;
    const placeOf = (client: number) => this.#places?.of(client);
    const heard: Heard = { fields, version, playerOf, placeOf };
    const addFinish = (finish: Finish) =>
      this.#waiting.push({ ...row, table: finishesTable, values: finishesTable.valuesOf(finish), finish });
    const name = message.type?.name ?? '';
    if (name === 'sv_chat') {
      const text = fields.text('message');
      const values = chatTable.valuesOf({ ...chatOf(fields, playerOf, local), text });
      this.#waiting.push({ ...row, table: chatTable, values });
      const finish = fields.int('client_id') < 0 ? finishInChat(text) : undefined;
      if (finish) addFinish({ player: { name: finish.name }, time: finish.time, source: 'chat' });
    } else if (name === 'sv_killmsg') {
      const victim = playerOf(fields.int('victim'))?.client;
      const death = victim === undefined ? undefined : this.#places?.takeDeath(victim, this.#tick);
      const placeOf = (client: number) => (client === victim && death) || heard.placeOf(client);
      const values = killsTable.valuesOf({ ...heard, placeOf });
      this.#waiting.push({ ...row, table: killsTable, values, victim: death ? undefined : victim });
    } else if (name === 'sv_voteset') {
      this.#waiting.push({ ...row, table: votesTable, values: votesTable.valuesOf(heard) });
    } else if (name === 'sv_racefinish') {
      addFinish({ player: playerOf(fields.int('client_id')), ...finishOf(name, fields), source: 'race_finish' });
    } else if (name.startsWith('sv_ddracetime') && fields.int('finish') !== 0) {
      addFinish({ player: local, ...finishOf(name, fields), source: 'ddrace_time' });
    } else return false;
    return true;
  }
}

/** The most detailed source comes first, and one without a name after those that name the players of a team. */
const rank = ({ source, player }: Finish) =>
  sources.indexOf(source) + (player?.name === undefined ? sources.length : 0);

/** A row is written this long after its message: until then, the ticks of all receivers have ended. */
const heldSeconds = 1;
const maxHeld = 4096;

interface HeldRow extends Pick<Row, 'table' | 'origin'> {
  readonly tick: number;
  values: readonly CellValue[];
  finish: Finish | undefined;
  readonly key: string;
  readonly time: number;
  readonly clients: Set<CellValue>;
}

/** The events of a capture: one that a server reports to several clients becomes one row, of the first client. */
export class SharedEvents {
  readonly #tables: Tables;
  #held: HeldRow[] = [];
  readonly #last = new Map<string, HeldRow>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add({ table, origin, values, finish }: Row, server: string, tick: number): void {
    const client = origin[clientColumn];
    const time = origin[timeColumn] as number;
    // Of a finish, some receivers are told more than others.
    const text = finish ? finish.player?.name : withoutNumbers(table, values);
    const key = `${server} ${table.name} ${JSON.stringify(text)}`;
    const last = this.#last.get(key);
    const isLast = !finish || (last?.finish && isSameFinish(last.finish, finish));
    if (last && isLast && !last.clients.has(client) && Math.abs(time - last.time) <= arrivalSeconds) {
      last.clients.add(client);
      if (finish && rank(finish) < rank(last.finish!)) Object.assign(last, { values, finish });
      // Who is near sees where it happens.
      else if (table === killsTable) last.values = last.values.map((value, i) => value ?? values[i]);
      return;
    }
    const row = { table, origin, tick, values, finish, key, time, clients: new Set([client]) };
    this.#held.push(row);
    this.#last.set(key, row);
    const old = this.#held.findIndex((row) => row.time >= time - heldSeconds);
    this.#write(this.#held.length > maxHeld ? maxHeld / 2 : old);
  }

  finish(): void {
    this.#write(this.#held.length);
  }

  #write(count: number): void {
    for (const row of this.#held.splice(0, count)) {
      const { table, origin, tick, values, clients, key } = row;
      if (this.#last.get(key) === row) this.#last.delete(key);
      this.#tables.add(table, [...origin, tick, clients.size, ...values]);
    }
  }
}

/** The values without what can differ between receivers: the numbers of named players, and places. */
function withoutNumbers({ columns }: TableSchema, values: readonly CellValue[]): CellValue[] {
  const start = columns.length - values.length;
  return values.filter((_, i) => {
    const { name } = columns[start + i]!;
    return name.endsWith('_id') ? values[i + 1] === undefined : !/_[xy]$/.test(name);
  });
}
