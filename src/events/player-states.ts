import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Action } from './event.ts';
import type { GameState } from './game-state.ts';
import { ItemFields } from './item-fields.ts';

const afk = 1;
const withoutEnd = -1;
const raceTime06 = 8;
/** Ticks on the start line, in which a race starts again and again. */
const startTicks = 50;

/** States that players get into: frozen, away, racing, watching. */
export class PlayerStates {
  readonly #scene: GameState;
  readonly #characters: ItemFields<'freeze_end'>;
  readonly #players: ItemFields<'flags'>;
  readonly #game: ItemFields<'game_state_flags' | 'warmup_timer'>;
  readonly #races: ItemFields<'race_start_tick'>;
  readonly #spectators: ItemFields<'spectator_id'>;
  #frozen: ReadonlyMap<number, boolean> = new Map();
  #afk: ReadonlyMap<number, boolean> = new Map();
  /** Who has gone away while it was seen. */
  readonly #left = new Set<number>();
  /** Tick at which the race of each was started last. */
  readonly #started = new Map<number, number>();
  #watched: number | undefined;

  constructor(scene: GameState) {
    this.#scene = scene;
    const { protocol } = scene;
    this.#characters = new ItemFields(protocol, 'ddnet_character', ['freeze_end']);
    this.#players = new ItemFields(protocol, 'ddnet_player', ['flags']);
    this.#game = new ItemFields(protocol, 'obj_game_info', ['game_state_flags', 'warmup_timer']);
    this.#races = new ItemFields(protocol, 'obj_player_info_race', ['race_start_tick']);
    this.#spectators = new ItemFields(protocol, 'obj_spectator_info', ['spectator_id']);
  }

  *onSnapshot(now: Snapshot): Iterable<Action> {
    const { tick } = this.#scene;
    const frozen = this.#all(this.#characters, now, (i) => {
      const end = this.#characters.get(now, i, 'freeze_end');
      return end === withoutEnd || end > tick;
    });
    for (const [who, on] of this.#turned(this.#frozen, frozen)) yield { what: on ? 'frozen' : 'thawed', who };
    this.#frozen = frozen;

    const away = this.#all(this.#players, now, (i) => (this.#players.get(now, i, 'flags') & afk) !== 0);
    for (const [who, on] of this.#turned(this.#afk, away)) {
      // Who has only just come counts as away until the first key is pressed.
      if (on) this.#left.add(who.client);
      else if (!this.#left.delete(who.client)) continue;
      yield { what: 'afk', who, on };
    }
    this.#afk = away;

    yield* this.#races06(now);
    for (const i of this.#races.all(now)) {
      yield* this.#starts(now.id(i), this.#races.get(now, i, 'race_start_tick'));
    }
    yield* this.#watches(now);
  }

  /** Whether each client of an extended item is in a state. */
  #all(places: ItemFields<never>, now: Snapshot, is: (i: number) => boolean): ReadonlyMap<number, boolean> {
    places.register(now);
    return new Map(places.all(now).map((i) => [now.id(i), is(i)]));
  }

  /** Those who were in sight before. */
  *#turned(before: ReadonlyMap<number, boolean>, now: ReadonlyMap<number, boolean>) {
    for (const [client, on] of now) {
      const was = before.get(client);
      if (was !== undefined && was !== on) yield [this.#scene.who(client), on] as const;
    }
  }

  /** DDNet puts the tick at which the local player's race began into the warmup timer. */
  *#races06(now: Snapshot): Iterable<Action> {
    const { local, protocol } = this.#scene;
    if (local === undefined || protocol.version !== '0.6') return;
    for (const i of this.#game.all(now)) {
      if (!(this.#game.get(now, i, 'game_state_flags') & raceTime06)) continue;
      yield* this.#starts(local, -this.#game.get(now, i, 'warmup_timer'));
    }
  }

  *#starts(client: number, start: number): Iterable<Action> {
    const before = this.#started.get(client);
    if (before === start) return;
    this.#started.set(client, start);
    const isNew = before === undefined ? this.#scene.tick - start <= startTicks : start - before > startTicks;
    if (isNew) yield { what: 'starts_race', who: this.#scene.who(client) };
  }

  /** Whom the local player looks at, while it doesn't play. */
  *#watches(now: Snapshot): Iterable<Action> {
    const i = this.#spectators.all(now)[0];
    const watched = i === undefined ? undefined : this.#spectators.get(now, i, 'spectator_id');
    const before = this.#watched;
    this.#watched = watched;
    const { local } = this.#scene;
    if (local === undefined || watched === undefined || watched === before) return;
    if (watched < 0 && (before === undefined || before < 0)) return;
    yield { what: 'watches', who: this.#scene.who(local), target: this.#scene.anyone(watched) };
  }
}
