import type { GameMap } from '../../recording/container/map/game-map.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { CharacterCore, Collision } from './character-core.ts';

/** Servers send a character at least every three seconds, in ticks. Older values are from a damaged file. */
const maxAge = 200;

interface Character {
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

  all(snapshot: Snapshot): number[] {
    return this.#fields.all(snapshot);
  }

  /** The index of a player's character; -1 if a snapshot does not have it. */
  find(snapshot: Snapshot, client: number): number {
    return this.#fields.find(snapshot, client);
  }

  /** The tick of the values of item `i`, if it is a character and older than the snapshot. */
  sentAt(snapshot: Snapshot, i: number, tick: number): number | undefined {
    return this.#fields.is(snapshot, i) ? this.at(snapshot, i, tick).sentAt : undefined;
  }

  at(snapshot: Snapshot, i: number, tick: number): Character {
    const known = getOr(this.#known, snapshot, () => new Map<number, Character>());
    return getOr(known, i, () => this.#read(snapshot, i, tick));
  }

  #read(snapshot: Snapshot, i: number, tick: number): Character {
    const core = new CharacterCore((field) => this.#fields.get(snapshot, i, field));
    // A ghost does not say whom the hook holds, and nobody hooks himself.
    if (core.hookedPlayer === snapshot.id(i)) core.hookedPlayer = -1;
    const sent = this.#fields.get(snapshot, i, 'tick');
    // The tick is 0 while a server does not predict, for example while the game is paused.
    if (sent <= 0 || sent >= tick) return { core, sentAt: undefined };
    const canMove = this.#collision && tick - sent <= maxAge && core.isPlausible;
    if (canMove) for (let now = sent; now < tick; now++) core.step(this.#collision!);
    return { core, sentAt: sent };
  }
}
