import { isPlaceholder, type PlayerInfo, type Players, unknownPlayer } from '../recording/players.ts';
import type { CellValue } from './column.ts';
import { playersTable } from './schemas.ts';
import type { Tables } from './tables.ts';

/** A period during which a player's properties do not change. */
interface Interval {
  readonly info: PlayerInfo;
  readonly team: number;
  readonly firstTick: number;
  lastTick: number;
}

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
    this.#open.set(client, { info, team, firstTick: tick, lastTick: tick });
  }

  #close(client: number): void {
    const { info, team, firstTick, lastTick } = this.#open.get(client)!;
    const { name, clan, country, skin } = info;
    this.#open.delete(client);
    const [file, address] = this.#origin;
    this.#tables.add(playersTable, [file, address, client, name, clan, country, skin, team, firstTick, lastTick]);
  }
}

const isSame = (a: PlayerInfo, b: PlayerInfo) =>
  a === b || (a.name === b.name && a.clan === b.clan && a.country === b.country && a.skin === b.skin);
