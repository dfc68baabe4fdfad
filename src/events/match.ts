import { ticksPerSecond } from '../protocol/ticks.ts';
import { ItemFields } from '../snapshot/item-fields.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Flag, GameEvent, GamePhase, PlayerRef } from './event.ts';
import type { GameState } from './game-state.ts';

const bits: Readonly<Record<'0.6' | '0.7', readonly (readonly [bit: number, phase: GamePhase])[]>> = {
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

/** Only a larger step of the start tick is a new round: the tick keeps rising while a game is paused or about to start. */
const newRoundTicks = 100;
const rankingLength = 5;

/** Finds changes of the phase of the match and new rounds. */
export class Match {
  readonly #state: GameState;
  readonly #info: ItemFields<'game_state_flags' | 'round_start_tick' | 'warmup_timer'>;
  readonly #data: ItemFields<'game_start_tick' | 'game_state_flags' | 'game_state_end_tick'>;
  readonly #players: ItemFields<'score'>;
  #phases: ReadonlySet<GamePhase> | undefined;
  #start = 0;

  constructor(state: GameState) {
    this.#state = state;
    const { protocol } = state;
    this.#info = new ItemFields(protocol, 'obj_game_info', ['game_state_flags', 'round_start_tick', 'warmup_timer']);
    this.#data = new ItemFields(protocol, 'obj_game_data', [
      'game_start_tick',
      'game_state_flags',
      'game_state_end_tick',
    ]);
    this.#players = new ItemFields(protocol, 'obj_player_info', ['score']);
  }

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const is07 = this.#state.protocol.version === '0.7';
    const i = (is07 ? this.#data : this.#info).all(snapshot)[0];
    if (i === undefined) return;
    const flags = (is07 ? this.#data : this.#info).get(snapshot, i, 'game_state_flags');
    const start = is07
      ? this.#data.get(snapshot, i, 'game_start_tick')
      : this.#info.get(snapshot, i, 'round_start_tick');
    const timer = this.#info.get(snapshot, i, 'warmup_timer');
    const phases = new Set(bits[is07 ? '0.7' : '0.6'].filter(([bit]) => flags & bit).map(([, phase]) => phase));
    if (!is07 && timer > 0 && !(flags & raceTime06)) phases.add('warmup');
    const end = is07 ? this.#data.get(snapshot, i, 'game_state_end_tick') - this.#state.tick : timer;

    const before = this.#phases;
    this.#phases = phases;
    for (const phase of phases) {
      if (before?.has(phase)) continue;
      const seconds = end > 0 ? end / ticksPerSecond : undefined;
      yield { what: 'game_phase', phase, on: true, seconds, ...this.#ranking(phase, snapshot) };
    }
    for (const phase of before ?? []) {
      if (!phases.has(phase)) yield { what: 'game_phase', phase, on: false, seconds: undefined };
    }
    const step = start - this.#start;
    this.#start = start;
    if (before && step > newRoundTicks && this.#state.tick - start < newRoundTicks) yield { what: 'round' };
  }

  /** The best players at the end of a round or game. Races have no such ranking. */
  #ranking(phase: GamePhase, snapshot: Snapshot): { ranking?: { player: PlayerRef; score: number }[] } {
    if ((phase !== 'gameover' && phase !== 'roundover') || this.#state.isRace) return {};
    const scores = this.#players
      .all(snapshot)
      .map((i) => ({ player: this.#state.player(snapshot.id(i)), score: this.#players.get(snapshot, i, 'score') }));
    return { ranking: scores.sort((a, b) => b.score - a.score).slice(0, rankingLength) };
  }
}

const missing = -3;
const atStand = -2;
const taken = -1;

/** Finds events of the flags and changes of the team scores. */
export class CaptureTheFlag {
  readonly #state: GameState;
  readonly #flags: ItemFields<`flag_carrier_${Flag}`>;
  readonly #scores: ItemFields<`teamscore_${Flag}`>;
  #carriers: Readonly<Record<Flag, number>> | undefined;
  #score: Readonly<Record<Flag, number>> | undefined;

  constructor(state: GameState) {
    this.#state = state;
    const { protocol } = state;
    const is07 = protocol.version === '0.7';
    this.#flags = new ItemFields(protocol, is07 ? 'obj_game_data_flag' : 'obj_game_data', [
      'flag_carrier_red',
      'flag_carrier_blue',
    ]);
    this.#scores = new ItemFields(protocol, is07 ? 'obj_game_data_team' : 'obj_game_data', [
      'teamscore_red',
      'teamscore_blue',
    ]);
  }

  /** Accepts the parameters of the 0.7 game message about a capture. */
  onCapture(flag: number, client: number, ticks: number): GameEvent {
    return { what: 'flag_captured', player: this.#state.player(client), flag: flag === 0 ? 'red' : 'blue', ticks };
  }

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const i = this.#flags.all(snapshot)[0];
    const k = this.#scores.all(snapshot)[0];
    // Other team games have the item too; their score counts kills.
    if (!this.#state.hasFlags || i === undefined || k === undefined) return;
    const carrierOf = (flag: Flag) => this.#flags.get(snapshot, i, `flag_carrier_${flag}`);
    const points = (flag: Flag) => this.#scores.get(snapshot, k, `teamscore_${flag}`);
    const [carriers, score] = [this.#carriers, this.#score];
    const now = { red: points('red'), blue: points('blue') };
    this.#carriers = { red: carrierOf('red'), blue: carrierOf('blue') };
    this.#score = now;
    if (!carriers || !score) return;
    for (const flag of ['red', 'blue'] as const) {
      const scorer = flag === 'red' ? 'blue' : 'red';
      yield* this.#flagMoved(flag, carriers[flag], carrierOf(flag), now[scorer] > score[scorer]);
    }
    if (now.red !== score.red || now.blue !== score.blue) yield { what: 'score', ...now };
  }

  *#flagMoved(flag: Flag, from: number, to: number, hasScored: boolean): Iterable<GameEvent> {
    if (from === to) return;
    if (to >= 0) yield { what: 'flag_taken', player: this.#state.player(to), flag };
    else if (to === taken && from >= 0) yield { what: 'flag_dropped', player: this.#state.player(from), flag };
    else if (to !== atStand || from === missing) return;
    else if (from < 0 || !hasScored) yield { what: 'flag_returned', flag };
    // 0.7 sends a message about the capture that also contains the time.
    else if (this.#state.protocol.version !== '0.7') {
      yield { what: 'flag_captured', player: this.#state.player(from), flag, ticks: undefined };
    }
  }
}
