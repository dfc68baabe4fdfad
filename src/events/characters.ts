import { ticksPerSecond } from '../protocol/ticks.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Action, PickedUp } from './event.ts';
import type { GameState } from './game-state.ts';
import { ItemFields } from './item-fields.ts';

const jumped = 1;
const airJumped = 2;
/** 0.7's triggered events, alike. */
const groundJump = 1;
const airJump = 2;

/** Sounds that tell what somebody took. */
const takingSounds: Readonly<Record<number, PickedUp>> = {
  24: 'health',
  25: 'armor',
  26: 'grenade',
  27: 'shotgun',
  28: 'ninja',
};

const weapons: readonly PickedUp[] = ['hammer', 'gun', 'shotgun', 'grenade', 'laser', 'ninja'];

/** Units: a thing is taken by touching it, a snapshot may be two ticks older than the touch. */
const reach = 100;

/** Snapshots further apart are not compared. */
const longestStep = 25;
/** A shot that is older was fired out of sight. */
const freshTicks = 25;
/** Ticks that somebody has to stand still for. */
const stillTicks = 250;
/** A message says what weapon was taken: its sound says less. */
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

interface Standing {
  x: number;
  y: number;
  /** Tick at which it came there, and the last at which it was seen. */
  since: number;
  seen: number;
}

/** What players do, by two snapshots and the events in the later one. */
export class PlayerActions {
  readonly #scene: GameState;
  readonly #characters: ItemFields<(typeof fields)[number]>;
  readonly #sounds: ItemFields<'x' | 'y' | 'sound_id'>;
  readonly #spawns: ItemFields<'x' | 'y'>;
  readonly #damage: ItemFields<'client_id' | 'health_amount' | 'armor_amount'>;
  readonly #standing = new Map<number, Standing>();
  /** Tick of the snapshot before. */
  #last = Number.NEGATIVE_INFINITY;
  #weaponTaken = Number.NEGATIVE_INFINITY;

  constructor(scene: GameState) {
    this.#scene = scene;
    const { protocol } = scene;
    this.#characters = new ItemFields(protocol, 'obj_character', fields);
    this.#sounds = new ItemFields(protocol, 'event_sound_world', ['x', 'y', 'sound_id']);
    this.#spawns = new ItemFields(protocol, 'event_spawn', ['x', 'y']);
    this.#damage = new ItemFields(protocol, 'event_damage', ['client_id', 'health_amount', 'armor_amount']);
  }

  /** Takes the message that names the weapon which the local player took. */
  *weaponTaken(weapon: number, local: number): Iterable<Action> {
    const thing = weapons[weapon];
    if (thing === undefined) return;
    this.#weaponTaken = this.#scene.tick;
    yield { what: 'picks_up', who: this.#scene.who(local), thing, amount: undefined };
  }

  *onSnapshot(now: Snapshot, before: Snapshot | undefined): Iterable<Action> {
    const { tick } = this.#scene;
    const characters = this.#characters.all(now);
    yield* this.#moves(now, characters);
    const comparable = before !== undefined && tick - this.#last <= longestStep && tick >= this.#last;
    this.#last = tick;
    if (!comparable) return;
    const risen = new Set<string>();
    const hurt = this.#hurt(now);
    for (const i of characters) {
      const was = this.#characters.find(before, now.id(i));
      if (was < 0) {
        if (this.#near(this.#spawns, now, i)) yield { what: 'spawns', who: this.#scene.who(now.id(i)) };
        continue;
      }
      yield* this.#acts(now, i, before, was);
      if (this.#scene.isRace) continue;
      yield* this.#rises(now, i, before, was, risen);
      yield* this.#falls(now, i, before, was, hurt.get(now.id(i)));
      hurt.delete(now.id(i));
    }
    yield* this.#taken(now, characters, risen);
  }

  *#acts(now: Snapshot, i: number, before: Snapshot, was: number): Iterable<Action> {
    const places = this.#characters;
    const who = this.#scene.who(now.id(i));
    const is07 = this.#scene.protocol.version === '0.7';
    const gained = places.get(now, i, 'jumped') & ~places.get(before, was, 'jumped');
    const triggered = places.get(now, i, 'triggered_events');
    const isNew = is07 && triggered !== 0 && !same(now, i, before, was);
    if (is07 ? isNew && triggered & airJump : gained & airJumped) yield { what: 'air_jumps', who };
    if (is07 ? isNew && triggered & groundJump : (gained & (jumped | airJumped)) === jumped)
      yield { what: 'jumps', who };
    const hooked = places.get(now, i, 'hooked_player');
    if (hooked >= 0 && hooked !== places.get(before, was, 'hooked_player')) {
      yield { what: 'hooks', who, target: this.#scene.who(hooked) };
    }
    const weapon = places.get(now, i, 'weapon');
    if (weapon !== places.get(before, was, 'weapon')) yield { what: 'switches', who, weapon };
    const attack = places.get(now, i, 'attack_tick');
    if (attack > places.get(before, was, 'attack_tick') && this.#scene.tick - attack <= freshTicks) {
      yield { what: 'fires', who, weapon };
    }
  }

  *#rises(now: Snapshot, i: number, before: Snapshot, was: number, risen: Set<string>): Iterable<Action> {
    // A health of 0 is one that the receiver is not told.
    if (this.#characters.get(before, was, 'health') <= 0) return;
    for (const thing of ['health', 'armor'] as const) {
      const amount = this.#characters.get(now, i, thing) - this.#characters.get(before, was, thing);
      if (amount <= 0) continue;
      risen.add(`${now.id(i)} ${thing}`);
      yield { what: 'picks_up', who: this.#scene.who(now.id(i)), thing, amount };
    }
  }

  *#falls(now: Snapshot, i: number, before: Snapshot, was: number, told: Loss | undefined): Iterable<Action> {
    const places = this.#characters;
    const left = places.get(now, i, 'health');
    const known = left > 0 && places.get(before, was, 'health') > 0;
    const fell = (thing: 'health' | 'armor') =>
      known ? Math.max(0, places.get(before, was, thing) - places.get(now, i, thing)) : 0;
    const loss = told ?? { health: fell('health'), armor: fell('armor') };
    if (loss.health + loss.armor === 0) return;
    yield { what: 'hit', who: this.#scene.who(now.id(i)), ...loss, left: known ? left : undefined };
  }

  /** What each client lost, as 0.7 tells it. */
  #hurt(now: Snapshot): Map<number, Loss> {
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

  /** What was taken, by its sound and who is next to it. */
  *#taken(now: Snapshot, characters: readonly number[], risen: ReadonlySet<string>): Iterable<Action> {
    const { isRace, local, tick } = this.#scene;
    for (const i of this.#sounds.all(now)) {
      const thing = takingSounds[this.#sounds.get(now, i, 'sound_id')];
      if (thing === undefined || (isRace && (thing === 'health' || thing === 'armor'))) continue;
      const [x, y] = [this.#sounds.get(now, i, 'x'), this.#sounds.get(now, i, 'y')];
      const nearest = characters
        .map((k) => ({ client: now.id(k), far: this.#distance(now, k, x, y) }))
        .reduce((a, b) => (b.far < a.far ? b : a), { client: -1, far: reach });
      if (nearest.client < 0 || risen.has(`${nearest.client} ${thing}`)) continue;
      if (nearest.client === local && tick - this.#weaponTaken <= soundTicks) continue;
      yield { what: 'picks_up', who: this.#scene.who(nearest.client), thing, amount: undefined };
    }
  }

  /** Who stood still for long and moves on. */
  *#moves(now: Snapshot, characters: readonly number[]): Iterable<Action> {
    const { tick } = this.#scene;
    for (const i of characters) {
      const client = now.id(i);
      const [x, y] = [this.#characters.get(now, i, 'x'), this.#characters.get(now, i, 'y')];
      const before = this.#standing.get(client);
      if (before?.x === x && before.y === y && before.seen === this.#last) {
        before.seen = tick;
        continue;
      }
      if (before && before.seen === this.#last && tick - this.#last <= longestStep) {
        const still = before.seen - before.since;
        if (still >= stillTicks)
          yield { what: 'moves_on', who: this.#scene.who(client), seconds: still / ticksPerSecond };
      }
      this.#standing.set(client, { x, y, since: tick, seen: tick });
    }
  }

  #near(places: ItemFields<'x' | 'y'>, now: Snapshot, character: number): boolean {
    return places
      .all(now)
      .some((i) => this.#distance(now, character, places.get(now, i, 'x'), places.get(now, i, 'y')) < reach);
  }

  #distance(now: Snapshot, character: number, x: number, y: number): number {
    return Math.hypot(this.#characters.get(now, character, 'x') - x, this.#characters.get(now, character, 'y') - y);
  }
}

interface Loss {
  readonly health: number;
  readonly armor: number;
}

function same(now: Snapshot, i: number, before: Snapshot, was: number): boolean {
  const ints = before.item(was);
  return now.item(i).every((int, k) => int === ints[k]);
}
