import { type Message, MessageFields } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Players } from '../recording/players.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { GameEvent } from './event.ts';
import { GameState } from './game-state.ts';
import { CaptureTheFlag, Match } from './match.ts';
import { MessageEvents } from './message-events.ts';
import { PlayerActions, PlayerStates } from './player-actions.ts';
import { Roster } from './roster.ts';

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
  /** The tick at which each client died, according to the messages. */
  readonly #killed = new Map<number, number>();

  /** @param withActions false to leave out all {@link Action} events, which take most of the time and memory */
  constructor(protocol: Protocol, withActions = true) {
    this.protocol = protocol;
    this.#state = new GameState(protocol);
    this.#roster = new Roster(this.#state);
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
      if (!this.#diedJustNow(client)) yield { what: 'died', player: this.#state.player(client) };
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
