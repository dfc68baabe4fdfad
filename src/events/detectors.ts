import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { PlayerActions } from './characters.ts';
import type { GameEvent } from './event.ts';
import { GameState } from './game-state.ts';
import { ItemFields } from './item-fields.ts';
import { CaptureTheFlag, Match } from './match.ts';
import { MessageEvents } from './message-events.ts';
import { MessageFields } from './message-fields.ts';
import { PlayerStates } from './player-states.ts';
import { Roster } from './roster.ts';

/** Ticks in which the snapshots follow what a message has told of a death. */
const deathTicks = 25;
const capture = 9;

/** All who tell what snapshots and messages mean, and what they know of each other. */
export class EventDetectors {
  readonly protocol: Protocol;
  readonly #scene: GameState;
  readonly #roster: Roster;
  readonly #hearsay: MessageEvents;
  readonly #match: Match;
  readonly #flags: CaptureTheFlag;
  readonly #deeds: PlayerActions;
  readonly #states: PlayerStates;
  readonly #deaths: ItemFields<'client_id'>;
  /** Tick at which each died, as a message told. */
  readonly #killed = new Map<number, number>();

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.#scene = new GameState(protocol);
    this.#roster = new Roster(this.#scene);
    this.#hearsay = new MessageEvents(this.#scene, this.#roster);
    this.#match = new Match(this.#scene);
    this.#flags = new CaptureTheFlag(this.#scene);
    this.#deeds = new PlayerActions(this.#scene);
    this.#states = new PlayerStates(this.#scene);
    this.#deaths = new ItemFields(protocol, 'event_death', ['client_id']);
  }

  onTick(tick: number): void {
    this.#scene.tick = tick;
  }

  *onSnapshot(snapshot: Snapshot, before: Snapshot | undefined): Iterable<GameEvent> {
    this.#scene.onSnapshot(snapshot);
    yield* this.#roster.onSnapshot(snapshot);
    yield* this.#match.onSnapshot(snapshot);
    yield* this.#flags.onSnapshot(snapshot);
    for (const i of before ? this.#deaths.all(snapshot) : []) {
      const client = this.#deaths.get(snapshot, i, 'client_id');
      if (!this.#diedJustNow(client)) yield { what: 'died', who: this.#scene.who(client) };
    }
    for (const deed of this.#deeds.onSnapshot(snapshot, before)) {
      if (deed.what !== 'hit' || !this.#diedJustNow(deed.who.client)) yield deed;
    }
    yield* this.#states.onSnapshot(snapshot);
  }

  *onMessage(message: Message): Iterable<GameEvent> {
    const name = message.type!.name;
    const fields = new MessageFields(message);
    this.#scene.names.onMessage(message);
    yield* this.#roster.onMessage(name, fields);
    yield* this.#hearsay.onMessage(name, fields);
    if (name === 'sv_killmsg') this.#killed.set(fields.int('victim'), this.#scene.tick);
    if (name === 'sv_gamemsg' && fields.int('game_msg_id') === capture) {
      const parameter = (i: number) => fields.int(`parameters[${i}]`);
      yield this.#flags.captured(parameter(0), parameter(1), parameter(2));
    }
    const { local } = this.#scene;
    if (name === 'sv_weaponpickup' && local !== undefined) {
      yield* this.#deeds.weaponTaken(fields.int('weapon'), local);
    }
  }

  #diedJustNow(client: number): boolean {
    return Math.abs(this.#scene.tick - (this.#killed.get(client) ?? Number.NEGATIVE_INFINITY)) <= deathTicks;
  }
}
