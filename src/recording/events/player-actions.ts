import { sound, weapon as weaponNames } from '../../wire/protocol/enums.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { ItemFields } from '../../wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Action, Pickup } from './event.ts';
import { Detector, raceTime06 } from './game-state.ts';

const jumped = 1;
const airJumped = 2;
const groundJump = 1;
const airJump = 2;

const pickupOf = (id: number) => (/^pickup_/.test(sound[id] ?? '') ? (sound[id]!.slice(7) as Pickup) : undefined);

/**
 * A pickup requires contact, but a snapshot can be two ticks older; so the character may be up to this many units away.
 */
const reach = 100;

/** Snapshots that are more ticks apart are not compared. */
const longestStep = 25;
/** A shot that is more ticks old was fired before the player became visible. */
const freshTicks = 25;
/** A player who moves after standing still for this many ticks is an event. */
const stillTicks = 250;
/** The sound of a picked-up weapon is ignored for this many ticks after the message about it. */
const soundTicks = 25;

interface Step {
  readonly client: number;
  readonly is: (field: string) => number;
  readonly was: (field: string) => number;
  readonly isSent: () => boolean;
}

interface Rest {
  x: number;
  y: number;
  /** The first and the last tick at which a snapshot shows the character at this position. */
  since: number;
  until: number;
}

/** Finds actions by comparing the characters of two snapshots and reading the event items of the later one. */
export class PlayerActions extends Detector {
  readonly #rests = new Map<number, Rest>();
  #last = Number.NEGATIVE_INFINITY;
  #weaponPickupTick = Number.NEGATIVE_INFINITY;

  *onWeaponPickup(weapon: number, local: number): Iterable<Action> {
    const pickup = weaponNames[weapon];
    if (pickup === undefined) return;
    this.#weaponPickupTick = this.state.tick;
    yield { what: 'pick_up', player: this.state.player(local), pickup, amount: undefined };
  }

  *onSnapshot(now: Snapshot, before: Snapshot | undefined): Iterable<Action> {
    const { tick, items } = this.state;
    const characters = items.characters.all(now);
    yield* this.#movesOn(now, characters);
    const comparable = before !== undefined && tick - this.#last <= longestStep && tick >= this.#last;
    this.#last = tick;
    if (!comparable) return;
    const gained = new Set<string>();
    const damage = this.#damageOf(now);
    for (const i of characters) {
      const client = now.id(i);
      const previous = items.characters.find(before, client);
      if (previous < 0) {
        if (this.#near(items.spawns, now, i)) yield { what: 'spawn', player: this.state.player(client) };
        continue;
      }
      const step: Step = {
        client,
        is: (field) => items.characters.get(now, i, field),
        was: (field) => items.characters.get(before, previous, field),
        isSent: () => !isSameItem(now, i, before, previous),
      };
      yield* this.#actionsOf(step);
      if (this.state.isRace) continue;
      yield* this.#gains(step, gained);
      yield* this.#losses(step, damage.get(client));
      damage.delete(client);
    }
    yield* this.#pickups(now, characters, gained);
  }

  *#actionsOf({ client, is, was, isSent }: Step): Iterable<Action> {
    const player = this.state.player(client);
    const is07 = this.state.protocol.version === '0.7';
    const gained = is('jumped') & ~was('jumped');
    const triggered = is('triggered_events');
    const isNew = is07 && triggered !== 0 && isSent();
    if (is07 ? isNew && triggered & airJump : gained & airJumped) yield { what: 'air_jump', player };
    if (is07 ? isNew && triggered & groundJump : (gained & (jumped | airJumped)) === jumped)
      yield { what: 'jump', player };
    const hooked = is('hooked_player');
    if (hooked >= 0 && hooked !== was('hooked_player'))
      yield { what: 'hook', player, target: this.state.player(hooked) };
    const weapon = is('weapon');
    if (weapon !== was('weapon')) yield { what: 'switch', player, weapon };
    const attack = is('attack_tick');
    if (attack > was('attack_tick') && this.state.tick - attack <= freshTicks) yield { what: 'fire', player, weapon };
  }

  *#gains({ client, is, was }: Step, gained: Set<string>): Iterable<Action> {
    // Servers send a health of 0 for players whose health is hidden from the receiver.
    if (was('health') <= 0) return;
    for (const pickup of ['health', 'armor'] as const) {
      const amount = is(pickup) - was(pickup);
      if (amount <= 0) continue;
      gained.add(`${client} ${pickup}`);
      yield { what: 'pick_up', player: this.state.player(client), pickup, amount };
    }
  }

  *#losses({ client, is, was }: Step, reported: Loss | undefined): Iterable<Action> {
    const left = is('health');
    const known = left > 0 && was('health') > 0;
    const fell = (pickup: 'health' | 'armor') => (known ? Math.max(0, was(pickup) - is(pickup)) : 0);
    const loss = reported ?? { health: fell('health'), armor: fell('armor') };
    if (loss.health + loss.armor === 0) return;
    yield { what: 'hit', player: this.state.player(client), ...loss, left: known ? left : undefined };
  }

  /** The health and armor that each client lost, according to the damage events of 0.7. */
  #damageOf(now: Snapshot): Map<number, Loss> {
    const losses = new Map<number, Loss>();
    const items = this.state.items.damage;
    for (const i of items.all(now)) {
      const client = items.get(now, i, 'client_id');
      const { health, armor } = losses.get(client) ?? { health: 0, armor: 0 };
      losses.set(client, {
        health: health + items.get(now, i, 'health_amount'),
        armor: armor + items.get(now, i, 'armor_amount'),
      });
    }
    return losses;
  }

  /** Finds pickups by their sound and assigns each to the nearest character. */
  *#pickups(now: Snapshot, characters: readonly number[], gained: ReadonlySet<string>): Iterable<Action> {
    const { isRace, local, tick, items } = this.state;
    for (const i of items.sounds.all(now)) {
      const pickup = pickupOf(items.sounds.get(now, i, 'sound_id'));
      if (pickup === undefined || (isRace && (pickup === 'health' || pickup === 'armor'))) continue;
      const x = items.sounds.get(now, i, 'x');
      const y = items.sounds.get(now, i, 'y');
      const nearest = characters
        .map((k) => ({ client: now.id(k), far: this.#distance(now, k, x, y) }))
        .reduce((a, b) => (b.far < a.far ? b : a), { client: -1, far: reach });
      if (nearest.client < 0 || gained.has(`${nearest.client} ${pickup}`)) continue;
      if (nearest.client === local && tick - this.#weaponPickupTick <= soundTicks) continue;
      yield { what: 'pick_up', player: this.state.player(nearest.client), pickup, amount: undefined };
    }
  }

  *#movesOn(now: Snapshot, characters: readonly number[]): Iterable<Action> {
    const { tick, items } = this.state;
    for (const i of characters) {
      const client = now.id(i);
      const x = items.characters.get(now, i, 'x');
      const y = items.characters.get(now, i, 'y');
      const before = this.#rests.get(client);
      if (before?.x === x && before.y === y && before.until === this.#last) {
        before.until = tick;
        continue;
      }
      if (before && before.until === this.#last && tick - this.#last <= longestStep) {
        const still = before.until - before.since;
        if (still >= stillTicks)
          yield { what: 'move_on', player: this.state.player(client), seconds: still / ticksPerSecond };
      }
      this.#rests.set(client, { x, y, since: tick, until: tick });
    }
  }

  #near(items: ItemFields, now: Snapshot, character: number): boolean {
    return items
      .all(now)
      .some((i) => this.#distance(now, character, items.get(now, i, 'x'), items.get(now, i, 'y')) < reach);
  }

  #distance(now: Snapshot, character: number, x: number, y: number): number {
    const { characters } = this.state.items;
    return Math.hypot(characters.get(now, character, 'x') - x, characters.get(now, character, 'y') - y);
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

const afk = 1;
/** Whether a character is frozen at a tick: -1 means without end. */
export const isFrozenUntil = (end: number, tick: number) => end === -1 || end > tick;
/** Only a larger step of the start tick is a new race: on the start line, the race restarts at every tick. */
const startTicks = 50;

export class PlayerStates extends Detector {
  #frozen: ReadonlyMap<number, boolean> = new Map();
  #afk: ReadonlyMap<number, boolean> = new Map();
  /** Clients that became away while they were in the snapshots. */
  readonly #wentAfk = new Set<number>();
  readonly #started = new Map<number, number>();
  #watched: number | undefined;

  *onSnapshot(now: Snapshot): Iterable<Action> {
    const { tick, items } = this.state;
    const frozen = statesOf(items.ddnetCharacters, now, (i) => {
      return isFrozenUntil(items.ddnetCharacters.get(now, i, 'freeze_end'), tick);
    });
    for (const [player, on] of this.#changed(this.#frozen, frozen)) yield { what: on ? 'freeze' : 'thaw', player };
    this.#frozen = frozen;

    const away = statesOf(items.ddnetPlayers, now, (i) => (items.ddnetPlayers.get(now, i, 'flags') & afk) !== 0);
    for (const [player, on] of this.#changed(this.#afk, away)) {
      // New players are away until they press a key, so a return is an event only after the player became away.
      if (on) this.#wentAfk.add(player.client);
      else if (!this.#wentAfk.delete(player.client)) continue;
      yield { what: 'afk', player, on };
    }
    this.#afk = away;

    yield* this.#races06(now);
    for (const i of items.races.all(now)) {
      yield* this.#startsRace(now.id(i), items.races.get(now, i, 'race_start_tick'));
    }
    yield* this.#watches(now);
  }

  /** The clients whose state changed. Clients that were not in the previous snapshot are left out. */
  *#changed(before: ReadonlyMap<number, boolean>, now: ReadonlyMap<number, boolean>) {
    for (const [client, on] of now) {
      const was = before.get(client);
      if (was !== undefined && was !== on) yield [this.state.player(client), on] as const;
    }
  }

  /** DDNet stores the start tick of the local player's race as a negative number in the warmup timer. */
  *#races06(now: Snapshot): Iterable<Action> {
    const { local, protocol, items } = this.state;
    if (local === undefined || protocol.version !== '0.6') return;
    for (const i of items.gameInfo.all(now)) {
      if (!(items.gameInfo.get(now, i, 'game_state_flags') & raceTime06)) continue;
      yield* this.#startsRace(local, -items.gameInfo.get(now, i, 'warmup_timer'));
    }
  }

  *#startsRace(client: number, start: number): Iterable<Action> {
    const before = this.#started.get(client);
    if (before === start) return;
    this.#started.set(client, start);
    const isNew = before === undefined ? this.state.tick - start <= startTicks : start - before > startTicks;
    if (isNew) yield { what: 'start_race', player: this.state.player(client) };
  }

  *#watches(now: Snapshot): Iterable<Action> {
    const { spectators } = this.state.items;
    const i = spectators.all(now)[0];
    const watched = i === undefined ? undefined : spectators.get(now, i, 'spectator_id');
    const before = this.#watched;
    this.#watched = watched;
    const { local } = this.state;
    if (local === undefined || watched === undefined || watched === before) return;
    if (watched < 0 && (before === undefined || before < 0)) return;
    yield { what: 'watch', player: this.state.player(local), target: this.state.optionalPlayer(watched) };
  }
}

/** Returns for each client of an extended item whether it is in a state. */
function statesOf(items: ItemFields, now: Snapshot, is: (i: number) => boolean): ReadonlyMap<number, boolean> {
  items.register(now);
  return new Map(items.all(now).map((i) => [now.id(i), is(i)]));
}
