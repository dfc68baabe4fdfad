import type { Snapshot } from '../model/snapshot.ts';
import type { Flag, GameState, Happening, Who } from './happening.ts';
import { ItemPlaces } from './item-places.ts';
import type { Scene } from './story-scene.ts';

const bits: Readonly<Record<'0.6' | '0.7', readonly (readonly [bit: number, state: GameState])[]>> = {
  '0.6': [
    [1, 'gameover'],
    [2, 'suddendeath'],
    [4, 'paused'],
  ],
  '0.7': [
    [1, 'warmup'],
    [2, 'suddendeath'],
    [4, 'roundover'],
    [8, 'gameover'],
    [16, 'paused'],
    [32, 'startcountdown'],
  ],
};
const raceTime06 = 8;

const ticksPerSecond = 50;
/** While a game is paused or about to start its first tick runs along: a step further than that is a new round. */
const newRoundTicks = 100;
const standingLength = 5;

/** State of the match and its rounds. */
export class Match {
  readonly #scene: Scene;
  readonly #info: ItemPlaces<'game_state_flags' | 'round_start_tick' | 'warmup_timer'>;
  readonly #data: ItemPlaces<'game_start_tick' | 'game_state_flags' | 'game_state_end_tick'>;
  readonly #players: ItemPlaces<'score'>;
  #states: ReadonlySet<GameState> | undefined;
  #start = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    const { protocol } = scene;
    this.#info = new ItemPlaces(protocol, 'obj_game_info', ['game_state_flags', 'round_start_tick', 'warmup_timer']);
    this.#data = new ItemPlaces(protocol, 'obj_game_data', [
      'game_start_tick',
      'game_state_flags',
      'game_state_end_tick',
    ]);
    this.#players = new ItemPlaces(protocol, 'obj_player_info', ['score']);
  }

  *see(snapshot: Snapshot): Iterable<Happening> {
    const is07 = this.#scene.protocol.version === '0.7';
    const i = (is07 ? this.#data : this.#info).all(snapshot)[0];
    if (i === undefined) return;
    const flags = (is07 ? this.#data : this.#info).get(snapshot, i, 'game_state_flags');
    const start = is07
      ? this.#data.get(snapshot, i, 'game_start_tick')
      : this.#info.get(snapshot, i, 'round_start_tick');
    const timer = this.#info.get(snapshot, i, 'warmup_timer');
    const states = new Set(bits[is07 ? '0.7' : '0.6'].filter(([bit]) => flags & bit).map(([, state]) => state));
    if (!is07 && timer > 0 && !(flags & raceTime06)) states.add('warmup');
    const end = is07 ? this.#data.get(snapshot, i, 'game_state_end_tick') - this.#scene.tick : timer;

    const before = this.#states;
    this.#states = states;
    for (const state of states) {
      if (before?.has(state)) continue;
      const seconds = end > 0 ? end / ticksPerSecond : undefined;
      yield { what: 'state', state, on: true, seconds, ...this.#standing(state, snapshot) };
    }
    for (const state of before ?? []) {
      if (!states.has(state)) yield { what: 'state', state, on: false, seconds: undefined };
    }
    const step = start - this.#start;
    this.#start = start;
    if (before && step > newRoundTicks && this.#scene.tick - start < newRoundTicks) yield { what: 'round' };
  }

  /** The best players, where a game ends that counts points. */
  #standing(state: GameState, snapshot: Snapshot): { standing?: { who: Who; score: number }[] } {
    if ((state !== 'gameover' && state !== 'roundover') || this.#scene.isRace) return {};
    const scores = this.#players
      .all(snapshot)
      .map((i) => ({ who: this.#scene.who(snapshot.id(i)), score: this.#players.get(snapshot, i, 'score') }));
    return { standing: scores.sort((a, b) => b.score - a.score).slice(0, standingLength) };
  }
}

const atStand = -2;
const taken = -1;

interface Carried {
  readonly carrier: number;
  readonly score: number;
}

/** Flags and team scores. */
export class CaptureTheFlag {
  readonly #scene: Scene;
  readonly #flags: ItemPlaces<`flag_carrier_${Flag}`>;
  readonly #scores: ItemPlaces<`teamscore_${Flag}`>;
  readonly #before = new Map<Flag, Carried>();
  /** Captures that a message has told: the snapshots follow. */
  readonly #told = new Map<Flag, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    const { protocol } = scene;
    const is07 = protocol.version === '0.7';
    this.#flags = new ItemPlaces(protocol, is07 ? 'obj_game_data_flag' : 'obj_game_data', [
      'flag_carrier_red',
      'flag_carrier_blue',
    ]);
    this.#scores = new ItemPlaces(protocol, is07 ? 'obj_game_data_team' : 'obj_game_data', [
      'teamscore_red',
      'teamscore_blue',
    ]);
  }

  /** `parameters` of a 0.7 capture: flag, client, ticks. */
  captured(flag: number, client: number, ticks: number): Happening {
    const color = flag === 0 ? 'red' : 'blue';
    this.#told.set(color, this.#scene.tick);
    return { what: 'flag_captured', who: this.#scene.who(client), flag: color, ticks };
  }

  *see(snapshot: Snapshot): Iterable<Happening> {
    const at = this.#flags.all(snapshot)[0];
    const scoreAt = this.#scores.all(snapshot)[0];
    const score = (flag: Flag) =>
      scoreAt === undefined ? 0 : this.#scores.get(snapshot, scoreAt, `teamscore_${flag}`);
    const [red, blue] = [score('red'), score('blue')];
    let scored = false;
    for (const flag of ['red', 'blue'] as const) {
      const carrier = at === undefined ? atStand : this.#flags.get(snapshot, at, `flag_carrier_${flag}`);
      const before = this.#before.get(flag);
      this.#before.set(flag, { carrier, score: score(flag) });
      if (!before) continue;
      scored ||= before.score !== score(flag);
      if (before.carrier !== carrier) yield* this.#passed(flag, before.carrier, carrier);
    }
    // Kills count in team deathmatch, too: there scores tell nothing new.
    if (scored && this.#scene.hasTeams && at !== undefined) yield { what: 'score', red, blue };
  }

  *#passed(flag: Flag, from: number, to: number): Iterable<Happening> {
    const who = this.#scene.who(Math.max(from, to));
    if (to >= 0) yield { what: 'flag_taken', who: this.#scene.who(to), flag };
    else if (from >= 0 && to === taken) yield { what: 'flag_dropped', who, flag };
    else if (from >= 0 && to === atStand) {
      const told = this.#told.get(flag);
      if (told === undefined || this.#scene.tick - told > ticksPerSecond) {
        yield { what: 'flag_captured', who, flag, ticks: undefined };
      }
    } else if (from === taken && to === atStand) yield { what: 'flag_returned', flag };
  }
}
