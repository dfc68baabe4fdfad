import type { Protocol } from '../../wire/protocol/registry.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/** A place on the map in units of the game: 32 are a tile. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A message about a death and the snapshot that shows it are at most this many ticks apart. */
const deathTicks = ticksPerSecond / 2;

/**
 * Where the players of one stream are, and where they die. A message about a death has no place. The snapshot after it
 * has: servers send `event_death` to those who are near. The character before may be some tiles off, since servers
 * repeat a character that moves as its clients expect, as in a fall, for up to three seconds
 * (`CCharacter::TickDefered` and `Snap` in `character.cpp` of Teeworlds).
 */
export class Places {
  readonly #characters = new Map<number, Place>();
  /** Of players, with the tick of the snapshot. */
  readonly #deaths = new Map<number, Place & { readonly tick: number }>();
  #protocol: Protocol | undefined;
  #fields: { readonly characters: ItemFields; readonly deaths: ItemFields } | undefined;

  onSnapshot(tick: number, snapshot: Snapshot, protocol: Protocol): void {
    if (protocol !== this.#protocol) {
      this.#protocol = protocol;
      const of = (name: string) => new ItemFields(protocol, name);
      this.#fields = { characters: of('obj_character'), deaths: of('event_death') };
    }
    const { characters, deaths } = this.#fields!;
    const placeOf = (items: ItemFields, i: number): Place => ({
      x: items.get(snapshot, i, 'x'),
      y: items.get(snapshot, i, 'y'),
    });
    this.#characters.clear();
    for (const i of characters.all(snapshot)) this.#characters.set(snapshot.id(i), placeOf(characters, i));
    for (const i of deaths.all(snapshot))
      this.#deaths.set(deaths.get(snapshot, i, 'client_id'), { ...placeOf(deaths, i), tick });
  }

  /** Where the last snapshot has a player; undefined if it does not. */
  of(client: number): Place | undefined {
    return this.#characters.get(client);
  }

  /** Where the last snapshots show that a player died; each death is returned once. */
  takeDeath(client: number, tick: number): Place | undefined {
    const death = this.#deaths.get(client);
    if (!death || Math.abs(tick - death.tick) > deathTicks) return undefined;
    this.#deaths.delete(client);
    return death;
  }
}
