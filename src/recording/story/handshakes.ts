import type { Passage } from '../../wire/packet/sequence.ts';
import { wholeRows } from '../games/expectations.ts';
import { RecordingClock } from '../replay/clock.ts';
import { maxAnswered, maxServers, maxUnanswered } from '../replay/limits.ts';
import type { HandshakeFact } from '../replay/record.ts';
import type { Endpoint } from '../replay/stream.ts';
import { Connects, connectsPerSecond } from './flood.ts';
import { beyond, type Told, tell } from './told.ts';

/*
 * Handshakes that lead nowhere. Nothing in them is vital, so the one who asks is the proof:
 *
 *   client                            server
 *     │  connect  ───────────────────▶  │
 *     │  connect, 0.5 s later  ──────▶  │   asked three times: no answer arrived, whatever the capture lacks
 *     │  …
 *     │  connect  ───────────────────▶  │
 *     │  ◀────────────  accept, token   │   the client never goes on: its address is forged, or the answer is lost
 *
 * All of one server are one line. A client asks all addresses of a server at once and goes on with the first that
 * answers, which is normal. So is a client that goes away: it is told only if nobody goes on, or after a flood.
 */

/** Seconds. A client asks again after half a second; server browsers ask for a token every two. */
const askedWithin = 1;
const enoughAsks = 3;
/** Guess. Clients that do not go on, of a server with which nobody does. */
const enoughLeft = 3;
/** Seconds. A client asks all addresses of one server within this time. */
const sameTime = 1;

/** The requests of one client to one server, until it goes on or gives up. */
export class Asking {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly first: Passage;
  last: Passage;
  /** The requests of the last kind, which follow each other by the client's clock: all, or those after the answer. */
  asks = 0;
  isAnswered = false;
  goesOn = false;
  #step: HandshakeFact['step'];

  constructor({ client, server, step }: HandshakeFact, passage: Passage) {
    this.client = client;
    this.server = server;
    this.first = passage;
    this.last = passage;
    this.#step = step;
  }

  add({ step, direction }: HandshakeFact, passage: Passage): void {
    if (step === 'token_request' || step === 'connect') {
      // A client with a token asks to connect.
      const isOther = step !== this.#step;
      const isLater = passage.time - this.last.time > askedWithin && this.asks < enoughAsks;
      this.asks = isOther || isLater ? 1 : this.asks + 1;
      this.isAnswered &&= !isOther;
      this.#step = step;
      this.last = passage;
    } else if (direction === 'to_server') this.goesOn ||= step === 'accepted' || this.isAnswered;
    else if (!this.isAnswered) {
      this.isAnswered = true;
      this.asks = 0;
    }
  }
}

/** Clients of one server that are told together. */
interface Group {
  readonly client: Endpoint;
  readonly first: Passage;
  last: Passage;
  clients: number;
  asks: number;
}

class Server {
  readonly unanswered: Asking[] = [];
  /** Those who asked once or twice, and more than are remembered. */
  others: Group | undefined;
  /** Those who were answered, and did not go on. */
  left: Group | undefined;
  goOn = 0;
  readonly connects = new Connects();
  /** Whether there was a flood: then those who ask once, or go away beside others, are told, if they are so many. */
  isFlooded = false;

  #isOfFlood(group: Group | undefined): boolean {
    return this.isFlooded && group !== undefined && group.clients > connectsPerSecond;
  }

  /** One client that asks again although it was answered is enough. */
  get toldLeft(): Group | undefined {
    const { left, goOn } = this;
    if (!left || goOn > 0) return this.#isOfFlood(left) ? left : undefined;
    return left.clients >= enoughLeft || left.asks >= enoughAsks ? left : undefined;
  }

  /** @param isAnswered whether another address answered a client */
  toldUnanswered(isAnswered: (asking: Asking) => boolean): Group | undefined {
    const { unanswered, others } = this;
    const isMany = unanswered.length >= maxUnanswered || this.#isOfFlood(others);
    const alone = unanswered.filter((asking) => !isAnswered(asking));
    return alone.reduce<Group | undefined>(joined, isMany ? others : undefined);
  }
}

const none: readonly Told[] = [];

/** Follows the handshakes of a capture. */
export class Handshakes {
  readonly #servers = new Map<Endpoint, Server>();
  /** All servers beyond the limit: what may be missing between them and their clients, but not of which. */
  readonly #rest = new Server();
  /** When each client that was answered began to ask. */
  readonly #answered = new Map<Endpoint, number[]>();
  readonly #flooded = new Map<Endpoint, Connects>();

  /** Adds a request to connect when it comes. */
  asks({ client, server: name }: Pick<HandshakeFact, 'client' | 'server'>, passage: Passage): void {
    const server = this.#serverOf(name);
    if (!server.connects.add(client, passage)) return;
    server.isFlooded = true;
    if (server !== this.#rest) this.#flooded.set(name, server.connects);
  }

  /** The floods that are over at a time. */
  floodsEndedAt(time: number): readonly Told[] {
    // It is asked for each datagram.
    if (this.#flooded.size === 0) return none;
    const ended: Told[] = [];
    for (const [server, connects] of this.#flooded) {
      const flood = connects.endedAt(time);
      if (!flood) continue;
      this.#flooded.delete(server);
      const { first, last, requests, addresses } = flood;
      const seconds = RecordingClock.rounded(Math.max(0, last.time - first.time));
      const args = { server, requests, addresses: addresses.size, seconds };
      const told = tell(wholeRows.flood, { frame: first.frame }, { frame: last.frame }, args, 'to_server');
      ended.push({ ...told, time: first.time });
    }
    return ended;
  }

  /** Adds the requests of a client when it is known what came of them. */
  add(asking: Asking): void {
    const { client, isAnswered, goesOn, asks } = asking;
    const server = this.#serverOf(asking.server);
    if (isAnswered || goesOn) this.#addAnswered(client, asking.first.time);
    if (!goesOn && isAnswered) server.left = joined(server.left, asking);
    else if (goesOn) {
      // Those who go on may be clients of other servers than those who do not.
      if (server !== this.#rest) server.goOn++;
    } else if (asks >= enoughAsks && server.unanswered.length < maxUnanswered) server.unanswered.push(asking);
    else server.others = joined(server.others, asking);
  }

  finish(): Told[] {
    const groups = [...this.#servers].flatMap(([server, of]) =>
      this.#groupsOf(of).map(([code, { client, first, last, clients, asks }]) =>
        tell(wholeRows[code], { frame: first.frame }, { frame: last.frame }, { client, server, clients, asks }),
      ),
    );
    const told = [...this.floodsEndedAt(Infinity), ...groups];
    const rest = this.#groupsOf(this.#rest).map(([, { first }]) => first.frame);
    if (rest.length === 0) return told;
    return [...told, { frame: Math.min(...rest), ...beyond('servers', maxServers), direction: 'to_client' }];
  }

  #groupsOf(server: Server) {
    const unanswered = server.toldUnanswered((asking) => this.#isAnsweredElsewhere(asking));
    const groups = [['never_answered', unanswered] as const, ['never_went_on', server.toldLeft] as const];
    return groups.flatMap(([code, group]) => (group ? [[code, group] as const] : []));
  }

  #serverOf(name: Endpoint): Server {
    const known = this.#servers.get(name);
    if (known || this.#servers.size >= maxServers) return known ?? this.#rest;
    const server = new Server();
    this.#servers.set(name, server);
    return server;
  }

  #addAnswered(client: Endpoint, time: number): void {
    const times = this.#answered.get(client);
    if (times) times.push(time);
    else if (this.#answered.size < maxAnswered) this.#answered.set(client, [time]);
  }

  #isAnsweredElsewhere({ client, first }: Asking): boolean {
    return this.#answered.get(client)?.some((time) => Math.abs(time - first.time) <= sameTime) ?? false;
  }
}

function joined(group: Group | undefined, { client, first, last, asks }: Asking): Group {
  if (!group) return { client, first, last, clients: 1, asks };
  group.clients++;
  group.asks += asks;
  if (last.frame > group.last.frame) group.last = last;
  return group;
}
