import { ItemFields } from '../snapshot/item-fields.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Action } from './event.ts';
import type { GameState } from './game-state.ts';

const afk = 1;
const withoutEnd = -1;
const raceTime06 = 8;
/** Only a larger step of the start tick is a new race: on the start line, the race restarts at every tick. */
const startTicks = 50;

/** Finds changes in the states of players: frozen, away, racing, watching. */
export class PlayerStates {
  readonly #state: GameState;
  readonly #characters: ItemFields<'freeze_end'>;
  readonly #players: ItemFields<'flags'>;
  readonly #game: ItemFields<'game_state_flags' | 'warmup_timer'>;
  readonly #races: ItemFields<'race_start_tick'>;
  readonly #spectators: ItemFields<'spectator_id'>;
  #frozen: ReadonlyMap<number, boolean> = new Map();
  #afk: ReadonlyMap<number, boolean> = new Map();
  /** Clients that became away while they were in the snapshots. */
  readonly #wentAfk = new Set<number>();
  /** The tick at which each client's last race began. */
  readonly #started = new Map<number, number>();
  #watched: number | undefined;

  constructor(state: GameState) {
    this.#state = state;
    const { protocol } = state;
    this.#characters = new ItemFields(protocol, 'ddnet_character', ['freeze_end']);
    this.#players = new ItemFields(protocol, 'ddnet_player', ['flags']);
    this.#game = new ItemFields(protocol, 'obj_game_info', ['game_state_flags', 'warmup_timer']);
    this.#races = new ItemFields(protocol, 'obj_player_info_race', ['race_start_tick']);
    this.#spectators = new ItemFields(protocol, 'obj_spectator_info', ['spectator_id']);
  }

  *onSnapshot(now: Snapshot): Iterable<Action> {
    const { tick } = this.#state;
    const frozen = this.#statesOf(this.#characters, now, (i) => {
      const end = this.#characters.get(now, i, 'freeze_end');
      return end === withoutEnd || end > tick;
    });
    for (const [player, on] of this.#changed(this.#frozen, frozen)) yield { what: on ? 'frozen' : 'thawed', player };
    this.#frozen = frozen;

    const away = this.#statesOf(this.#players, now, (i) => (this.#players.get(now, i, 'flags') & afk) !== 0);
    for (const [player, on] of this.#changed(this.#afk, away)) {
      // New players are away until they press a key, so a return is an event only after the player became away.
      if (on) this.#wentAfk.add(player.client);
      else if (!this.#wentAfk.delete(player.client)) continue;
      yield { what: 'afk', player, on };
    }
    this.#afk = away;

    yield* this.#races06(now);
    for (const i of this.#races.all(now)) {
      yield* this.#startsRace(now.id(i), this.#races.get(now, i, 'race_start_tick'));
    }
    yield* this.#watches(now);
  }

  /** Returns for each client of an extended item whether it is in a state. */
  #statesOf(items: ItemFields<never>, now: Snapshot, is: (i: number) => boolean): ReadonlyMap<number, boolean> {
    items.register(now);
    return new Map(items.all(now).map((i) => [now.id(i), is(i)]));
  }

  /** The clients whose state changed. Clients that were not in the previous snapshot are left out. */
  *#changed(before: ReadonlyMap<number, boolean>, now: ReadonlyMap<number, boolean>) {
    for (const [client, on] of now) {
      const was = before.get(client);
      if (was !== undefined && was !== on) yield [this.#state.player(client), on] as const;
    }
  }

  /** DDNet stores the start tick of the local player's race as a negative number in the warmup timer. */
  *#races06(now: Snapshot): Iterable<Action> {
    const { local, protocol } = this.#state;
    if (local === undefined || protocol.version !== '0.6') return;
    for (const i of this.#game.all(now)) {
      if (!(this.#game.get(now, i, 'game_state_flags') & raceTime06)) continue;
      yield* this.#startsRace(local, -this.#game.get(now, i, 'warmup_timer'));
    }
  }

  *#startsRace(client: number, start: number): Iterable<Action> {
    const before = this.#started.get(client);
    if (before === start) return;
    this.#started.set(client, start);
    const isNew = before === undefined ? this.#state.tick - start <= startTicks : start - before > startTicks;
    if (isNew) yield { what: 'starts_race', player: this.#state.player(client) };
  }

  /** Finds changes of the player whom the local player watches as a spectator. */
  *#watches(now: Snapshot): Iterable<Action> {
    const i = this.#spectators.all(now)[0];
    const watched = i === undefined ? undefined : this.#spectators.get(now, i, 'spectator_id');
    const before = this.#watched;
    this.#watched = watched;
    const { local } = this.#state;
    if (local === undefined || watched === undefined || watched === before) return;
    if (watched < 0 && (before === undefined || before < 0)) return;
    yield { what: 'watches', player: this.#state.player(local), target: this.#state.optionalPlayer(watched) };
  }
}
