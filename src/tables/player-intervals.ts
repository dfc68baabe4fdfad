import { isPlaceholder, type PlayerInfo, type Players, unknownPlayer } from '../recording/players.ts';
import { type CellValue, column, tableOf } from './batch.ts';
import { sessionColumns, type Tables } from './tables.ts';

/** A period during which a player's properties do not change. */
interface Interval {
  readonly client: number;
  readonly info: PlayerInfo;
  readonly team: number;
  readonly firstTick: number;
  lastTick: number;
}

export const playersTable = tableOf<Interval>('players', sessionColumns, [
  [column('id', 'int', 'client number'), ({ client }) => client],
  [column('name', 'text'), ({ info }) => info.name],
  [column('clan', 'text'), ({ info }) => info.clan],
  [column('country', 'int', 'ISO 3166-1 number, -1 for none'), ({ info }) => info.country],
  [column('skin', 'text', 'of 0.7 the names of its parts, with slashes'), ({ info }) => info.skin],
  [column('team', 'int', '-1 spectators, 0 red or the game, 1 blue'), ({ team }) => team],
  [column('first_tick', 'int', 'first tick at which all of this was so'), ({ firstTick }) => firstTick],
  [column('last_tick', 'int', 'last tick at which all of this was so'), ({ lastTick }) => lastTick],
]);

/**
 * The players of one stream as intervals. An interval ends when the player leaves or changes the name, clan, country,
 * skin or team.
 */
export class PlayerIntervals {
  readonly #tables: Tables;
  readonly #players: Players;
  readonly #open = new Map<number, Interval>();
  #origin: readonly CellValue[] = [];

  constructor(tables: Tables, players: Players) {
    this.#tables = tables;
    this.#players = players;
  }

  /** @param tick of the snapshot that the players were read from last */
  onSnapshot(tick: number, origin: readonly CellValue[]): void {
    this.#origin = origin;
    const { present } = this.#players;
    for (const client of present) this.#continue(client, tick);
    for (const client of this.#open.keys()) if (!present.has(client)) this.#close(client);
  }

  finish(): void {
    for (const client of [...this.#open.keys()]) this.#close(client);
  }

  #continue(client: number, tick: number): void {
    const info = this.#players.infoOf(client) ?? unknownPlayer;
    if (isPlaceholder(client, info.name)) return;
    const team = this.#players.teamOf(client);
    const open = this.#open.get(client);
    if (open && tick >= open.lastTick && isSame(open.info, info) && open.team === team) {
      open.lastTick = tick;
      return;
    }
    if (open) this.#close(client);
    this.#open.set(client, { client, info, team, firstTick: tick, lastTick: tick });
  }

  #close(client: number): void {
    const interval = this.#open.get(client)!;
    this.#open.delete(client);
    this.#tables.add(playersTable, [
      ...this.#origin.slice(0, sessionColumns.length),
      ...playersTable.valuesOf(interval),
    ]);
  }
}

const isSame = (a: PlayerInfo, b: PlayerInfo) =>
  a === b || (a.name === b.name && a.clan === b.clan && a.country === b.country && a.skin === b.skin);
