import { ticksPerSecond } from '../protocol/ticks.ts';
import { ItemFields } from '../snapshot/item-fields.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Action, Pickup } from './event.ts';
import type { GameState } from './game-state.ts';

const jumped = 1;
const airJumped = 2;
/** The bits for jumps in the triggered events of 0.7. */
const groundJump = 1;
const airJump = 2;

/** The sounds that identify a pickup. */
const pickupSounds: Readonly<Record<number, Pickup>> = {
  24: 'health',
  25: 'armor',
  26: 'grenade',
  27: 'shotgun',
  28: 'ninja',
};

const weapons: readonly Pickup[] = ['hammer', 'gun', 'shotgun', 'grenade', 'laser', 'ninja'];

/** A pickup requires contact, but a snapshot can be two ticks older; so the character may be up to this many units away. */
const reach = 100;

/** Snapshots that are more ticks apart are not compared. */
const longestStep = 25;
/** A shot that is more ticks old was fired before the player became visible. */
const freshTicks = 25;
/** A player who moves after standing still for this many ticks is an event. */
const stillTicks = 250;
/** The sound of a picked-up weapon is ignored for this many ticks after the message about it. */
const soundTicks = 25;

const fields = [
  'x',
  'y',
  'jumped',
  'hooked_player',
  'health',
  'armor',
  'weapon',
  'attack_tick',
  'triggered_events',
] as const;

interface Rest {
  x: number;
  y: number;
  /** The first and the last tick at which a snapshot shows the character at this position. */
  since: number;
  until: number;
}

/** Finds actions by comparing the characters of two snapshots and reading the event items of the later one. */
export class PlayerActions {
  readonly #state: GameState;
  readonly #characters: ItemFields<(typeof fields)[number]>;
  readonly #sounds: ItemFields<'x' | 'y' | 'sound_id'>;
  readonly #spawns: ItemFields<'x' | 'y'>;
  readonly #damage: ItemFields<'client_id' | 'health_amount' | 'armor_amount'>;
  readonly #rests = new Map<number, Rest>();
  /** The tick of the previous snapshot. */
  #last = Number.NEGATIVE_INFINITY;
  #weaponPickupTick = Number.NEGATIVE_INFINITY;

  constructor(state: GameState) {
    this.#state = state;
    const { protocol } = state;
    this.#characters = new ItemFields(protocol, 'obj_character', fields);
    this.#sounds = new ItemFields(protocol, 'event_sound_world', ['x', 'y', 'sound_id']);
    this.#spawns = new ItemFields(protocol, 'event_spawn', ['x', 'y']);
    this.#damage = new ItemFields(protocol, 'event_damage', ['client_id', 'health_amount', 'armor_amount']);
  }

  /** Handles the message that names the weapon that the local player picked up. */
  *onWeaponPickup(weapon: number, local: number): Iterable<Action> {
    const pickup = weapons[weapon];
    if (pickup === undefined) return;
    this.#weaponPickupTick = this.#state.tick;
    yield { what: 'picks_up', player: this.#state.player(local), pickup, amount: undefined };
  }

  *onSnapshot(now: Snapshot, before: Snapshot | undefined): Iterable<Action> {
    const { tick } = this.#state;
    const characters = this.#characters.all(now);
    yield* this.#movesOn(now, characters);
    const comparable = before !== undefined && tick - this.#last <= longestStep && tick >= this.#last;
    this.#last = tick;
    if (!comparable) return;
    const gained = new Set<string>();
    const damage = this.#damageOf(now);
    for (const i of characters) {
      const previous = this.#characters.find(before, now.id(i));
      if (previous < 0) {
        if (this.#near(this.#spawns, now, i)) yield { what: 'spawns', player: this.#state.player(now.id(i)) };
        continue;
      }
      yield* this.#actionsOf(now, i, before, previous);
      if (this.#state.isRace) continue;
      yield* this.#gains(now, i, before, previous, gained);
      yield* this.#losses(now, i, before, previous, damage.get(now.id(i)));
      damage.delete(now.id(i));
    }
    yield* this.#pickups(now, characters, gained);
  }

  *#actionsOf(now: Snapshot, i: number, before: Snapshot, previous: number): Iterable<Action> {
    const items = this.#characters;
    const player = this.#state.player(now.id(i));
    const is07 = this.#state.protocol.version === '0.7';
    const gained = items.get(now, i, 'jumped') & ~items.get(before, previous, 'jumped');
    const triggered = items.get(now, i, 'triggered_events');
    const isNew = is07 && triggered !== 0 && !isSameItem(now, i, before, previous);
    if (is07 ? isNew && triggered & airJump : gained & airJumped) yield { what: 'air_jumps', player };
    if (is07 ? isNew && triggered & groundJump : (gained & (jumped | airJumped)) === jumped)
      yield { what: 'jumps', player };
    const hooked = items.get(now, i, 'hooked_player');
    if (hooked >= 0 && hooked !== items.get(before, previous, 'hooked_player')) {
      yield { what: 'hooks', player, target: this.#state.player(hooked) };
    }
    const weapon = items.get(now, i, 'weapon');
    if (weapon !== items.get(before, previous, 'weapon')) yield { what: 'switches', player, weapon };
    const attack = items.get(now, i, 'attack_tick');
    if (attack > items.get(before, previous, 'attack_tick') && this.#state.tick - attack <= freshTicks) {
      yield { what: 'fires', player, weapon };
    }
  }

  *#gains(now: Snapshot, i: number, before: Snapshot, previous: number, gained: Set<string>): Iterable<Action> {
    // Servers send a health of 0 for players whose health is hidden from the receiver.
    if (this.#characters.get(before, previous, 'health') <= 0) return;
    for (const pickup of ['health', 'armor'] as const) {
      const amount = this.#characters.get(now, i, pickup) - this.#characters.get(before, previous, pickup);
      if (amount <= 0) continue;
      gained.add(`${now.id(i)} ${pickup}`);
      yield { what: 'picks_up', player: this.#state.player(now.id(i)), pickup, amount };
    }
  }

  *#losses(now: Snapshot, i: number, before: Snapshot, previous: number, reported: Loss | undefined): Iterable<Action> {
    const items = this.#characters;
    const left = items.get(now, i, 'health');
    const known = left > 0 && items.get(before, previous, 'health') > 0;
    const fell = (pickup: 'health' | 'armor') =>
      known ? Math.max(0, items.get(before, previous, pickup) - items.get(now, i, pickup)) : 0;
    const loss = reported ?? { health: fell('health'), armor: fell('armor') };
    if (loss.health + loss.armor === 0) return;
    yield { what: 'hit', player: this.#state.player(now.id(i)), ...loss, left: known ? left : undefined };
  }

  /** The health and armor that each client lost, according to the damage events of 0.7. */
  #damageOf(now: Snapshot): Map<number, Loss> {
    const losses = new Map<number, Loss>();
    for (const i of this.#damage.all(now)) {
      const client = this.#damage.get(now, i, 'client_id');
      const { health, armor } = losses.get(client) ?? { health: 0, armor: 0 };
      losses.set(client, {
        health: health + this.#damage.get(now, i, 'health_amount'),
        armor: armor + this.#damage.get(now, i, 'armor_amount'),
      });
    }
    return losses;
  }

  /** Finds pickups by their sound and assigns each to the nearest character. */
  *#pickups(now: Snapshot, characters: readonly number[], gained: ReadonlySet<string>): Iterable<Action> {
    const { isRace, local, tick } = this.#state;
    for (const i of this.#sounds.all(now)) {
      const pickup = pickupSounds[this.#sounds.get(now, i, 'sound_id')];
      if (pickup === undefined || (isRace && (pickup === 'health' || pickup === 'armor'))) continue;
      const [x, y] = [this.#sounds.get(now, i, 'x'), this.#sounds.get(now, i, 'y')];
      const nearest = characters
        .map((k) => ({ client: now.id(k), far: this.#distance(now, k, x, y) }))
        .reduce((a, b) => (b.far < a.far ? b : a), { client: -1, far: reach });
      if (nearest.client < 0 || gained.has(`${nearest.client} ${pickup}`)) continue;
      if (nearest.client === local && tick - this.#weaponPickupTick <= soundTicks) continue;
      yield { what: 'picks_up', player: this.#state.player(nearest.client), pickup, amount: undefined };
    }
  }

  /** Finds players who move after standing still for a long time. */
  *#movesOn(now: Snapshot, characters: readonly number[]): Iterable<Action> {
    const { tick } = this.#state;
    for (const i of characters) {
      const client = now.id(i);
      const [x, y] = [this.#characters.get(now, i, 'x'), this.#characters.get(now, i, 'y')];
      const before = this.#rests.get(client);
      if (before?.x === x && before.y === y && before.until === this.#last) {
        before.until = tick;
        continue;
      }
      if (before && before.until === this.#last && tick - this.#last <= longestStep) {
        const still = before.until - before.since;
        if (still >= stillTicks)
          yield { what: 'moves_on', player: this.#state.player(client), seconds: still / ticksPerSecond };
      }
      this.#rests.set(client, { x, y, since: tick, until: tick });
    }
  }

  #near(items: ItemFields<'x' | 'y'>, now: Snapshot, character: number): boolean {
    return items
      .all(now)
      .some((i) => this.#distance(now, character, items.get(now, i, 'x'), items.get(now, i, 'y')) < reach);
  }

  #distance(now: Snapshot, character: number, x: number, y: number): number {
    return Math.hypot(this.#characters.get(now, character, 'x') - x, this.#characters.get(now, character, 'y') - y);
  }
}

interface Loss {
  readonly health: number;
  readonly armor: number;
}

function isSameItem(now: Snapshot, i: number, before: Snapshot, previous: number): boolean {
  const ints = before.item(previous);
  return now.item(i).every((int, k) => int === ints[k]);
}
