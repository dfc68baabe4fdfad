import { type TickMessage, TickMessages } from '../events/tick-messages.ts';
import { MessageFields } from '../packet/message.ts';
import { messageJson } from '../packet/message-json.ts';
import { killWeapon } from '../protocol/enums.ts';
import type { Version } from '../protocol/registry.ts';
import type { Players } from '../recording/players.ts';
import type { MessageEntry } from '../recording/record.ts';

import type { CellValue, TableSchema } from './column.ts';
import { chatTable, finishesTable, killsTable, messagesTable, votesTable } from './schemas.ts';
import type { SharedEvents } from './shared-events.ts';
import type { Tables } from './tables.ts';

/** The place of the time in the values of `originColumns`. */
const timeColumn = 2;

/** A row that is held until the end of its tick, since its message may be repeated until then. */
interface Row {
  readonly table: TableSchema;
  readonly origin: readonly CellValue[];
  readonly message: TickMessage;
  /** The columns after `receivers`. */
  readonly values: readonly CellValue[];
}

const singleMessage: TickMessage = { receivers: 1, isOther: false, isCopy: false };

/** The maximum number of held rows; further messages of a tick are not compared. */
const maxWaiting = 4096;
/** The kinds of votes of 0.7, and their results, by the type of the message. */
const voteKinds = [undefined, 'option', 'kick', 'spectate'] as const;
const voteResults: Readonly<Record<number, string>> = { 4: 'aborted', 5: 'passed', 6: 'failed' };

/** `nameless tee finished in: 1 minute(s) 23.45 second(s)`, a chat message of DDNet. */
const finishLine = /^(.*) finished in: (\d+) minute\(s\) +(\d+)\.(\d+) second\(s\)/;

/** Turns the messages of one stream into rows. Chat, kills, finishes and votes have separate tables. */
export class EventTables {
  readonly #tables: Tables;
  readonly #shared: SharedEvents | undefined;
  #server = '';
  /** The messages of a tick; undefined if a stream has only one receiver. */
  readonly #messages: TickMessages | undefined;
  readonly #players: Players;
  /** The version of the message that is read, and whether its player numbers are not those of the snapshots. */
  #version: Version = '0.6';
  #hasForeignNumbers = false;
  #tick = -1;
  #waiting: Row[] = [];

  /** @param shared the events of all connections; undefined in demos, which contain a message once for each receiver */
  constructor(tables: Tables, players: Players, shared: SharedEvents | undefined) {
    this.#tables = tables;
    this.#players = players;
    this.#shared = shared;
    this.#messages = shared ? undefined : new TickMessages(maxWaiting);
  }

  /** @returns whether it is another tick, so that no row is held */
  onTick(tick: number): boolean {
    if (tick === this.#tick) return false;
    this.finish();
    this.#tick = tick;
    return true;
  }

  onMessage(entry: MessageEntry, origin: readonly CellValue[]): void {
    const { message, bytes, direction, stream } = entry;
    this.#server = stream.server;
    this.#version = message.version ?? stream.protocol.version;
    this.#hasForeignNumbers = message.version !== undefined;
    if (this.#waiting.length >= maxWaiting) this.finish();
    const first = this.#messages ? this.#messages.add(message, bytes) : singleMessage;
    if (!first) return;
    const event = direction === 'to_client' && this.#event(entry);
    const [table, values] = event || [messagesTable, this.#tables.has(messagesTable.name) ? fieldsOf(entry) : []];
    this.#waiting.push({ table, origin, message: first, values });
    if (table === chatTable) this.#finishInChat(new MessageFields(message), first, origin);
  }

  /** Ends the tick. */
  finish(): void {
    this.#messages?.finish();
    // Messages without a separate table have the numbers that were sent.
    const rows = this.#waiting.filter(({ table, message }) => table === messagesTable || !message.isCopy);
    const finishes = rows.filter(({ table }) => table === finishesTable).sort((a, b) => rank(a) - rank(b));
    const repeated = new Set(
      finishes.filter((row, i) => finishes.slice(0, i).some((other) => isSameFinish(other, row))),
    );
    for (const row of rows) {
      const { table, origin, message, values } = row;
      if (repeated.has(row)) continue;
      const isShared = this.#shared && table !== messagesTable && origin[timeColumn] !== undefined;
      if (isShared) this.#shared.add(table, this.#server, origin, this.#tick, values);
      else this.#tables.add(table, [...origin, this.#tick, message.receivers, ...values]);
    }
    this.#waiting = [];
  }

  /** The row of a message that has a separate table. */
  #event({ message }: MessageEntry): readonly [TableSchema, readonly CellValue[]] | undefined {
    // The meaning is uncertain if bytes are left over or missing.
    if (message.diagnostics.error || message.diagnostics.all.some(({ code }) => code === 'excess_bytes'))
      return undefined;
    const fields = new MessageFields(message);
    switch (message.type?.name) {
      case 'sv_chat':
        return [chatTable, this.#chat(fields)];
      case 'sv_killmsg': {
        const weapon = fields.int('weapon');
        const name = (killWeapon as Readonly<Record<number, string>>)[weapon];
        const players = [...this.#player(fields.int('killer')), ...this.#player(fields.int('victim'))];
        return [killsTable, [...players, weapon, name, fields.int('mode_special')]];
      }
      case 'sv_voteset':
        return [votesTable, this.#vote(fields)];
      case 'sv_racefinish': {
        const record = fields.int('record_server') ? 'server' : fields.int('record_personal') ? 'personal' : undefined;
        const player = this.#player(fields.int('client_id'));
        return [finishesTable, [...player, fields.int('time'), fields.int('diff'), record, 'race_finish']];
      }
      case 'sv_ddracetime':
      case 'sv_ddracetimelegacy': {
        if (fields.int('finish') === 0) return undefined;
        const [time, diff] = [10 * fields.int('time'), 10 * fields.int('check')];
        const player = this.#player(this.#players.local ?? -1);
        return [finishesTable, [...player, time, diff === 0 ? undefined : diff, undefined, 'ddrace_time']];
      }
      default:
        return undefined;
    }
  }

  #chat(fields: MessageFields): readonly CellValue[] {
    const text = fields.text('message');
    const from = this.#player(fields.int('client_id'));
    if (this.#version === '0.7') {
      const to = ['all', 'all', 'team', 'whisper'][fields.int('mode')] ?? 'all';
      return [...from, to, ...this.#player(to === 'whisper' ? fields.int('target_id') : -1), text];
    }
    const team = fields.int('team');
    const local = this.#player(this.#players.local ?? -1);
    // DDNet: the receiver of a whisper (2), or its sender (3).
    if (team === 2) return [...local, 'whisper', ...from, text];
    if (team === 3) return [...from, 'whisper', ...local, text];
    return [...from, team === 1 ? 'team' : 'all', ...this.#player(-1), text];
  }

  /** DDNet announces the time of a finish in the chat. */
  #finishInChat(fields: MessageFields, message: TickMessage, origin: readonly CellValue[]): void {
    const match = fields.int('client_id') < 0 ? finishLine.exec(fields.text('message')) : null;
    if (!match) return;
    const [, name = '', minutes, seconds, fraction = ''] = match;
    const time = 60_000 * Number(minutes) + 1000 * Number(seconds) + Math.round(1000 * Number(`0.${fraction}`));
    const values = [undefined, name, time, undefined, undefined, 'chat'];
    this.#waiting.push({ table: finishesTable, origin, message, values });
  }

  #vote(fields: MessageFields): readonly CellValue[] {
    const texts = [fields.text('description'), fields.text('reason')];
    const type = fields.int('type');
    const state = voteResults[type] ?? (fields.int('timeout') > 0 ? 'called' : 'over');
    if (this.#version !== '0.7') return [state, undefined, undefined, undefined, ...texts];
    return [state, ...this.#player(fields.int('client_id')), voteKinds[type], ...texts];
  }

  /** The number and name of a player; null for a negative number, and in a message with the numbers of its receiver. */
  #player(client: number): readonly CellValue[] {
    return client < 0 || this.#hasForeignNumbers ? [undefined, undefined] : [client, this.#players.nameOf(client)];
  }
}

function fieldsOf({ message, direction }: MessageEntry): readonly CellValue[] {
  const { name, system, id, uuid, fields } = messageJson(message) as ReturnType<typeof messageJson> & { uuid?: string };
  return [direction, name ?? undefined, system, id ?? undefined, uuid, JSON.stringify(fields)];
}

/** The sources of a finish, the most detailed first. */
const sources = ['race_finish', 'ddrace_time', 'chat'];
const rank = ({ values }: Row) => sources.indexOf(values.at(-1) as string);

/** Whether two sources report the same finish. The chat has a precision of hundredths of a second. */
function isSameFinish({ values: a }: Row, { values: b }: Row): boolean {
  const [name, time] = [1, 2];
  const isNear = Math.abs((a[time] as number) - (b[time] as number)) < 10;
  return isNear && (a[name] === b[name] || a[name] === undefined || b[name] === undefined);
}
