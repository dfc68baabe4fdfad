import { type Message, MessageFields } from '../../wire/packet/message.ts';
import { gameStateFlags06, gameStateFlags07 } from '../../wire/protocol/enums.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Flag, GameEvent, GameNotice, GamePhase } from './event.ts';
import { Detector, GameState, raceTime06 } from './game-state.ts';
import { MessageEvents } from './message-events.ts';
import { PlayerActions, PlayerStates } from './player-actions.ts';
import type { Players } from './players.ts';
import { Roster } from './roster.ts';
import { byScore } from './score.ts';

/** The phases that `game_state_flags` show; `racetime` is none. */
function phasesOf(flags: number, is07: boolean): Set<GamePhase> {
  const names = is07 ? gameStateFlags07 : gameStateFlags06;
  const set = [1, 2, 4, 8, 16, 32].flatMap((bit) => (flags & bit && names[bit]) || []);
  return new Set(set.filter((name) => name !== 'racetime'));
}

/**
 * Only a larger step of the start tick is a new round: the tick keeps rising while a game is paused or about to start.
 */
const newRoundTicks = 100;
const rankingLength = 5;

class Match extends Detector {
  #phases: ReadonlySet<GamePhase> | undefined;
  /** The flags and the warmup from which the phases followed. */
  #flags = 0;
  #isWarmup = false;
  #start = 0;

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const is07 = this.state.protocol.version === '0.7';
    const { gameInfo, gameData } = this.state.items;
    const items = is07 ? gameData : gameInfo;
    const i = items.all(snapshot)[0];
    if (i === undefined) return;
    const flags = items.get(snapshot, i, 'game_state_flags');
    const start = items.get(snapshot, i, is07 ? 'game_start_tick' : 'round_start_tick');
    const timer = items.get(snapshot, i, 'warmup_timer');
    const isWarmup = !is07 && timer > 0 && !(flags & raceTime06);
    const phases = this.#phasesOf(flags, isWarmup, is07);
    const end = is07 ? items.get(snapshot, i, 'game_state_end_tick') - this.state.tick : timer;

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
    if (before && step > newRoundTicks && this.state.tick - start < newRoundTicks) yield { what: 'round' };
  }

  #phasesOf(flags: number, isWarmup: boolean, is07: boolean): ReadonlySet<GamePhase> {
    if (this.#phases && flags === this.#flags && isWarmup === this.#isWarmup) return this.#phases;
    this.#flags = flags;
    this.#isWarmup = isWarmup;
    const phases = phasesOf(flags, is07);
    if (isWarmup) phases.add('warmup');
    return phases;
  }

  /** The best players at the end of a round or game. Races have no such ranking. */
  #ranking(phase: GamePhase, snapshot: Snapshot): Pick<GameNotice & { what: 'game_phase' }, 'ranking' | 'scoreUnit'> {
    if ((phase !== 'gameover' && phase !== 'roundover') || this.state.isRace) return {};
    const { scoreUnit, items } = this.state;
    const { playerInfos } = items;
    const scores = playerInfos
      .all(snapshot)
      .map((i) => ({ player: this.state.player(snapshot.id(i)), score: playerInfos.get(snapshot, i, 'score') }));
    const ranking = scores.sort((a, b) => byScore(a.score, b.score, scoreUnit)).slice(0, rankingLength);
    return scoreUnit === 'points' ? { ranking } : { ranking, scoreUnit };
  }
}

const missing = -3;
const atStand = -2;
const taken = -1;

class CaptureTheFlag extends Detector {
  #carriers: Readonly<Record<Flag, number>> | undefined;
  #score: Readonly<Record<Flag, number>> | undefined;

  onCapture(flag: number, client: number, ticks: number): GameEvent {
    return { what: 'flag_capture', player: this.state.player(client), flag: flag === 0 ? 'red' : 'blue', ticks };
  }

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const { flags, scores } = this.state.items;
    const i = flags.all(snapshot)[0];
    const k = scores.all(snapshot)[0];
    // Other team games have the item too; their score counts kills.
    if (!this.state.hasFlags || i === undefined || k === undefined) return;
    const carrierOf = (flag: Flag) => flags.get(snapshot, i, `flag_carrier_${flag}`);
    const points = (flag: Flag) => scores.get(snapshot, k, `teamscore_${flag}`);
    const carriers = this.#carriers;
    const score = this.#score;
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
    if (to >= 0) yield { what: 'flag_take', player: this.state.player(to), flag };
    else if (to === taken && from >= 0) yield { what: 'flag_drop', player: this.state.player(from), flag };
    else if (to !== atStand || from === missing) return;
    else if (from < 0 || !hasScored) yield { what: 'flag_return', flag };
    // 0.7 sends a message about the capture that also contains the time.
    else if (this.state.protocol.version !== '0.7') {
      yield { what: 'flag_capture', player: this.state.player(from), flag, ticks: undefined };
    }
  }
}

/** A message about a death and the snapshot that shows it are at most this many ticks apart. */
const deathTicks = 25;
const flagCapture = 9;

/** Finds events in snapshots and messages. The detectors share one {@link GameState}. */
export class EventDetectors {
  readonly protocol: Protocol;
  readonly #state: GameState;
  readonly #roster: Roster;
  readonly #messages: MessageEvents;
  readonly #match: Match;
  readonly #flags: CaptureTheFlag;
  readonly #actions: PlayerActions | undefined;
  readonly #playerStates: PlayerStates | undefined;
  readonly #killed = new Map<number, number>();

  /**
   * @param withActions false to leave out all {@link Action} events, which take most of the time and memory
   * @param withTold whether events remain that the chat announces
   */
  constructor(protocol: Protocol, withActions = true, withTold = false) {
    this.protocol = protocol;
    this.#state = new GameState(protocol);
    this.#roster = new Roster(this.#state, withTold);
    this.#messages = new MessageEvents(this.#state, this.#roster);
    this.#match = new Match(this.#state);
    this.#flags = new CaptureTheFlag(this.#state);
    this.#actions = withActions ? new PlayerActions(this.#state) : undefined;
    this.#playerStates = withActions ? new PlayerStates(this.#state) : undefined;
  }

  get players(): Players {
    return this.#state.names;
  }

  onTick(tick: number): void {
    this.#state.tick = tick;
  }

  /**
   * @param before the snapshot with which the players' actions are compared
   * @param isFirst whether the deaths in the snapshot may have been reported before
   */
  *onSnapshot(snapshot: Snapshot, before: Snapshot | undefined, isFirst = before === undefined): Iterable<GameEvent> {
    this.#state.onSnapshot(snapshot);
    yield* this.#roster.onSnapshot(snapshot);
    yield* this.#match.onSnapshot(snapshot);
    yield* this.#flags.onSnapshot(snapshot);
    const { deaths } = this.#state.items;
    for (const i of isFirst ? [] : deaths.all(snapshot)) {
      const client = deaths.get(snapshot, i, 'client_id');
      if (!this.#diedJustNow(client)) yield { what: 'death', victim: this.#state.player(client) };
    }
    for (const action of this.#actions?.onSnapshot(snapshot, before) ?? []) {
      if (action.what !== 'hit' || !this.#diedJustNow(action.player.client)) yield action;
    }
    if (this.#playerStates) yield* this.#playerStates.onSnapshot(snapshot);
  }

  *onMessage(message: Message): Iterable<GameEvent> {
    // A message with excess bytes may have been decoded incorrectly.
    if (message.diagnostics.warnings.some(({ code }) => code === 'excess_bytes')) return;
    const name = message.type!.name;
    const fields = new MessageFields(message);
    if (message.version !== undefined) {
      yield* this.#onOtherVersion(name, fields);
      return;
    }
    this.#state.names.onMessage(message);
    yield* this.#roster.onMessage(name, fields);
    yield* this.#messages.onMessage(name, fields);
    if (name === 'sv_gameinfo') this.#state.onGameFlags(fields.int('game_flags'));
    if (name === 'sv_killmsg') this.#killed.set(fields.int('victim'), this.#state.tick);
    if (name === 'sv_gamemsg' && fields.int('game_msg_id') === flagCapture) {
      const parameter = (i: number) => fields.int(`parameters[${i}]`);
      yield this.#flags.onCapture(parameter(0), parameter(1), parameter(2));
    }
    const { local } = this.#state;
    if (this.#actions && name === 'sv_weaponpickup' && local !== undefined) {
      yield* this.#actions.onWeaponPickup(fields.int('weapon'), local);
    }
  }

  /** Messages of the other version have player numbers of their receivers, so they name no players, joins or leaves. */
  *#onOtherVersion(name: string, fields: MessageFields): Iterable<GameEvent> {
    this.#state.hasForeignNumbers = true;
    const events = [...this.#messages.onMessage(name, fields)];
    this.#state.hasForeignNumbers = false;
    yield* events;
  }

  #diedJustNow(client: number): boolean {
    return Math.abs(this.#state.tick - (this.#killed.get(client) ?? Number.NEGATIVE_INFINITY)) <= deathTicks;
  }
}
