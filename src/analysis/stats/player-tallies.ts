import type { Players } from '../../recording/events/players.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { byKind, type ItemCounter, type ItemTally } from './item-tallies.ts';
import { maxPlayers, maxPlayersWithItems } from './limits.ts';

/** The size of the items of one player. `client` is undefined for the items of the world, which belong to no player. */
export interface PlayerTally {
  readonly client: number | undefined;
  name: string | undefined;
  sent: number;
  changed: number;
  bits: number;
  /** The counters of the player's items, by those of all players; empty unless they are asked for. */
  readonly items: Map<ItemCounter, ItemCounter>;
}

/** The items of a player by their kinds, with their fields. */
export const itemsOfPlayer = ({ items }: PlayerTally): ItemTally[] =>
  byKind([...items.values()].map(({ tally }) => tally));

interface StreamPlayers {
  readonly players: PlayerTally[];
  readonly byKey: Map<string, PlayerTally>;
  readonly current: Map<number, PlayerTally>;
}

/**
 * Counts items by the player they belong to. Two players with the same client number at different times are counted
 * separately, and one whom several streams show is counted once.
 */
export class PlayerTallies {
  readonly world = newPlayer(undefined, undefined);
  readonly #countsItems: boolean;
  #last = this.world;
  readonly #streams = new Map<number, StreamPlayers>();
  #current: { readonly number: number; readonly stream: StreamPlayers } | undefined;
  #count = 0;

  /** @param countsItems whether the items of each player are counted by their kinds as well */
  constructor(countsItems = false) {
    this.#countsItems = countsItems;
  }

  get all(): PlayerTally[] {
    const all = new Map<string, PlayerTally>();
    for (const [, { players }] of [...this.#streams].sort(([a], [b]) => a - b)) {
      for (const player of players) {
        const key = keyOf(player.client!, player.name);
        addTo(
          getOr(all, key, () => newPlayer(player.client, player.name)),
          player,
        );
      }
    }
    return this.world.sent > 0 ? [...all.values(), this.world] : [...all.values()];
  }

  add({ last, matchesClient }: ItemCounter, id: number, names: Players, number: number): void {
    const player = matchesClient ? this.#of(this.#streamOf(number), id, names.nameOf(id)) : this.world;
    player.sent++;
    if (last.changed) player.changed++;
    player.bits += last.bits;
    this.#last = player;
  }

  /** What counts an item among those of its player, which was added last; undefined unless they are counted. */
  itemOf(item: ItemCounter): ItemCounter | undefined {
    if (!this.#countsItems || this.#count > maxPlayersWithItems) return undefined;
    return getOr(this.#last.items, item, alike);
  }

  #streamOf(number: number): StreamPlayers {
    if (this.#current?.number === number) return this.#current.stream;
    const stream = getOr(this.#streams, number, newStream);
    this.#current = { number, stream };
    return stream;
  }

  #of(stream: StreamPlayers, client: number, name: string | undefined): PlayerTally {
    const last = stream.current.get(client);
    return last && (last.name === name || !name) ? last : this.#begin(stream, client, name, last);
  }

  /** A player who has come, or whose name is known now. */
  #begin(
    { players, byKey, current }: StreamPlayers,
    client: number,
    name: string | undefined,
    last: PlayerTally | undefined,
  ): PlayerTally {
    const key = keyOf(client, name);
    if (last && !last.name) {
      last.name = name;
      byKey.set(key, last);
      return last;
    }
    if (this.#count >= maxPlayers && !byKey.has(key)) return this.world;
    const player = getOr(byKey, key, () => {
      this.#count++;
      const added = newPlayer(client, name);
      players.push(added);
      return added;
    });
    current.set(client, player);
    return player;
  }
}

const alike = (item: ItemCounter) => item.alike();

const newStream = (): StreamPlayers => ({ players: [], byKey: new Map(), current: new Map() });

const keyOf = (client: number, name = '') => `${client} ${name}`;

function newPlayer(client: number | undefined, name: string | undefined): PlayerTally {
  return { client, name, sent: 0, changed: 0, bits: 0, items: new Map() };
}

function addTo(into: PlayerTally, from: PlayerTally): void {
  for (const name of ['sent', 'changed', 'bits'] as const) into[name] += from[name];
  for (const own of from.items.values()) into.items.set(own, own);
}
