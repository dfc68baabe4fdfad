import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Deeds } from './characters.ts';
import type { Happening } from './event.ts';
import { Scene } from './game-state.ts';
import { ItemPlaces } from './item-fields.ts';
import { CaptureTheFlag, Match } from './match.ts';
import { Hearsay } from './message-events.ts';
import { MessageFields } from './message-fields.ts';
import { States } from './player-states.ts';
import { Roster } from './roster.ts';

/** Ticks in which the snapshots follow what a message has told of a death. */
const deathTicks = 25;
const capture = 9;

/** All who tell what snapshots and messages mean, and what they know of each other. */
export class Tellers {
  readonly protocol: Protocol;
  readonly #scene: Scene;
  readonly #roster: Roster;
  readonly #hearsay: Hearsay;
  readonly #match: Match;
  readonly #flags: CaptureTheFlag;
  readonly #deeds: Deeds;
  readonly #states: States;
  readonly #deaths: ItemPlaces<'client_id'>;
  /** Tick at which each died, as a message told. */
  readonly #killed = new Map<number, number>();

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.#scene = new Scene(protocol);
    this.#roster = new Roster(this.#scene);
    this.#hearsay = new Hearsay(this.#scene, this.#roster);
    this.#match = new Match(this.#scene);
    this.#flags = new CaptureTheFlag(this.#scene);
    this.#deeds = new Deeds(this.#scene);
    this.#states = new States(this.#scene);
    this.#deaths = new ItemPlaces(protocol, 'event_death', ['client_id']);
  }

  turn(tick: number): void {
    this.#scene.tick = tick;
  }

  *see(snapshot: Snapshot, before: Snapshot | undefined): Iterable<Happening> {
    this.#scene.learn(snapshot);
    yield* this.#roster.see(snapshot);
    yield* this.#match.see(snapshot);
    yield* this.#flags.see(snapshot);
    for (const i of before ? this.#deaths.all(snapshot) : []) {
      const client = this.#deaths.get(snapshot, i, 'client_id');
      if (!this.#diedJustNow(client)) yield { what: 'died', who: this.#scene.who(client) };
    }
    for (const deed of this.#deeds.see(snapshot, before)) {
      if (deed.what !== 'hit' || !this.#diedJustNow(deed.who.client)) yield deed;
    }
    yield* this.#states.see(snapshot);
  }

  *hear(message: Message): Iterable<Happening> {
    const name = message.type!.name;
    const fields = new MessageFields(message);
    this.#scene.names.hear(message);
    yield* this.#roster.hear(name, fields);
    yield* this.#hearsay.hear(name, fields);
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
