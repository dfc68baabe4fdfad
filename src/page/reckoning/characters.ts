import type { GameMap } from '../../container/map/game-map.ts';
import type { Protocol } from '../../protocol/registry.ts';
import { ItemFields } from '../../snapshot/item-fields.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { CharacterCore } from './character-core.ts';
import { Collision } from './collision.ts';

/** Servers send a character at least every three seconds, in ticks. Older values are from a damaged file. */
const maxAge = 200;

/** A character at the tick of a snapshot. */
export interface Character {
  readonly core: CharacterCore;
  /** The tick of the values in the item, if it is older than the snapshot. */
  readonly sentAt: number | undefined;
}

/**
 * The characters of snapshots. A server that predicts a character correctly does not send it again: its item keeps the
 * values of an earlier tick, and clients compute the motion since then. Without a map, characters are as sent.
 *
 * Source: `CCharacter::TickDefered` and `Evolve` in the client of the games.
 */
export class Characters {
  readonly #fields: ItemFields;
  readonly #collision: Collision | undefined;
  readonly #known = new WeakMap<Snapshot, Map<number, Character>>();

  constructor(protocol: Protocol, map?: GameMap) {
    this.#fields = new ItemFields(protocol, 'obj_character');
    this.#collision = map && new Collision(map);
  }

  /** The indices of the characters of a snapshot. */
  all(snapshot: Snapshot): number[] {
    return this.#fields.all(snapshot);
  }

  /** The position of a player's character in its item; undefined if there is none. */
  sent(snapshot: Snapshot | undefined, client: number): readonly [x: number, y: number] | undefined {
    const i = snapshot ? this.#fields.find(snapshot, client) : -1;
    return i < 0 ? undefined : [this.#fields.get(snapshot!, i, 'x'), this.#fields.get(snapshot!, i, 'y')];
  }

  /** The character in item `i` of the snapshot of a tick. */
  at(snapshot: Snapshot, i: number, tick: number): Character {
    const known = this.#known.get(snapshot) ?? new Map<number, Character>();
    this.#known.set(snapshot, known);
    const character = known.get(i) ?? this.#read(snapshot, i, tick);
    known.set(i, character);
    return character;
  }

  #read(snapshot: Snapshot, i: number, tick: number): Character {
    const core = new CharacterCore((field) => this.#fields.get(snapshot, i, field));
    const sent = this.#fields.get(snapshot, i, 'tick');
    // The tick is 0 while a server does not predict, for example while the game is paused.
    if (sent <= 0 || sent >= tick) return { core, sentAt: undefined };
    const canMove = this.#collision && tick - sent <= maxAge && core.isPlausible;
    if (canMove) for (let now = sent; now < tick; now++) core.step(this.#collision!);
    return { core, sentAt: sent };
  }
}
