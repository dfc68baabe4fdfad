import type { PlayerNames } from '../recording/player-names.ts';
import type { ItemTally } from './item-tally.ts';

/** The size of the items of one player. `client` is undefined for the items of the world, which belong to no player. */
export interface PlayerTally {
  readonly client: number | undefined;
  name: string | undefined;
  sent: number;
  changed: number;
  bits: number;
  estimate: number;
}

/** The limit of players that are counted separately, because damaged data can contain any number of them. */
const maxPlayers = 4000;

/** The players of a part of a recording, as plain data. */
export interface PlayerCounts {
  readonly world: PlayerTally;
  readonly players: readonly PlayerTally[];
  /** The index of the player who has each client number at the end. */
  readonly current: ReadonlyMap<number, number>;
}

/** Counts items by the player they belong to. Two players with the same client number at different times are counted separately. */
export class PlayerTallies {
  readonly world = newPlayer(undefined, undefined);
  readonly #players: PlayerTally[] = [];
  /** The player who currently has each client number. */
  readonly #current = new Map<number, PlayerTally>();

  /** All players, and the world at the end. */
  get all(): PlayerTally[] {
    return this.world.sent > 0 ? [...this.#players, this.world] : [...this.#players];
  }

  get counts(): PlayerCounts {
    const players = this.#players;
    const current = new Map([...this.#current].map(([client, player]) => [client, players.indexOf(player)]));
    return { world: this.world, players, current };
  }

  /** Adds the counts of the next part of the recording. */
  addCounts({ world, players, current }: PlayerCounts): void {
    addTo(this.world, world);
    const into = players.map((one) => this.#of(one.client!, one.name));
    for (const [i, one] of players.entries()) addTo(into[i]!, one);
    for (const [client, index] of current) this.#current.set(client, into[index]!);
  }

  /** Adds the item that was counted last. */
  add({ last, isOfClient }: ItemTally, id: number, names: PlayerNames): void {
    const player = isOfClient ? this.#of(id, names.of(id)) : this.world;
    player.sent++;
    if (last.changed) player.changed++;
    player.bits += last.bits;
    player.estimate += last.estimate;
  }

  #of(client: number, name: string | undefined): PlayerTally {
    const current = this.#current.get(client);
    if (current && (current.name === name || !name)) return current;
    if (current && !current.name) {
      current.name = name;
      return current;
    }
    let player = this.#players.find((one) => one.client === client && one.name === name);
    if (!player && this.#players.length >= maxPlayers) return this.world;
    if (!player) {
      player = newPlayer(client, name);
      this.#players.push(player);
    }
    this.#current.set(client, player);
    return player;
  }
}

function newPlayer(client: number | undefined, name: string | undefined): PlayerTally {
  return { client, name, sent: 0, changed: 0, bits: 0, estimate: 0 };
}

function addTo(into: PlayerTally, { sent, changed, bits, estimate }: PlayerTally): void {
  into.sent += sent;
  into.changed += changed;
  into.bits += bits;
  into.estimate += estimate;
}
