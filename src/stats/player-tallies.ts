import type { PlayerNames } from '../recording/player-names.ts';
import type { ItemTally } from './item-tally.ts';

/** The size of the items of one player; `client` is undefined for those of the world, which belong to no player. */
export interface PlayerTally {
  readonly client: number | undefined;
  name: string | undefined;
  sent: number;
  changed: number;
  bits: number;
  estimate: number;
}

/** The most players that are counted separately: damaged data can contain any number of them. */
const maxPlayers = 4000;

/** Items by the player they belong to. Two players who use the same client number are counted separately. */
export class PlayerTallies {
  readonly world = newPlayer(undefined, undefined);
  readonly #players: PlayerTally[] = [];
  /** The player who has each client number now. */
  readonly #current = new Map<number, PlayerTally>();

  /** All players, and the world at the end. */
  get all(): PlayerTally[] {
    return this.world.sent > 0 ? [...this.#players, this.world] : [...this.#players];
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
