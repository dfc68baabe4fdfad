/**
 * A client on the sockets of Node.
 *
 * @module tw-snap/node
 */
import { createSocket, type Socket } from 'node:dgram';
import type { TickEvents } from '../../recording/events/event.ts';
import { Players, unknownPlayer } from '../../recording/events/players.ts';
import { checkOptions, expects } from '../../wire/bytes/expects.ts';
import type { PacketVersion } from '../../wire/packet/packet.ts';
import { timeoutSeconds } from '../../wire/packet/sequence.ts';
import { messageBytes } from '../../wire/packet/write.ts';
import { emoticon } from '../../wire/protocol/enums.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { RecordingEntry } from '../keep.ts';
import { Channel, type Closed } from '../live/channel.ts';
import {
  ClientSession,
  type ClientState,
  type PlayerInput,
  type PlayerOptions,
  type ServerMap,
} from '../live/session.ts';
import { observe } from '../observe.ts';
import { eventsInLater } from '../tick-events.ts';
import { type Address, addressOf, readAddress } from './address.ts';

export type { AnnouncedMap } from '../../recording/capture/map-download.ts';
export type { Closed } from '../live/channel.ts';
export type { ClientState, PlayerInput, PlayerOptions, ServerMap } from '../live/session.ts';
export type { Connection };

/** Who joins, and how a connection is kept. */
export interface ConnectOptions extends PlayerOptions {
  /**
   * The version of the protocol: `0.6`, the default, for DDNet and Teeworlds 0.6; `0.7` for Teeworlds 0.7, and DDNet
   * with `sv_sixup`.
   */
  readonly protocol?: PacketVersion;
  /**
   * The seconds for which a connection is made again that fell silent, or whose server shut down, as for a restart: 60
   * unless it is given, 0 for never. Who is refused, kicked or banned stays away.
   */
  readonly reconnect?: number;
  /** Closes the connection as `close()` does, which ends the loop over its records. */
  readonly signal?: AbortSignal;
}

/** All of them: one that is missing here does not compile. */
const optionNames = Object.keys({
  protocol: 0,
  name: 0,
  clan: 0,
  country: 0,
  skin: 0,
  password: 0,
  downloadMap: 0,
  timeout: 0,
  reconnect: 0,
  signal: 0,
} satisfies Record<keyof ConnectOptions, 0>);

/** The milliseconds between two looks at what is due. Nothing is sent in between, whatever arrives. */
const step = 10;
/** The seconds that a server has for its first message. */
const attemptSeconds = 3;
/** The records that wait for a program that is slow. */
const maxWaiting = 1024;
/** The seconds of silence after which the other version is tried, too: it only shows what to say. */
const probeSeconds = 1;
const otherOf = { '0.6': '0.7', '0.7': '0.6' } as const;
/** What a server says that will be back, before the reason of its owner. */
const shutdown = 'Server shutdown';
const mayReturn = ({ by, reason }: Closed) => by === 'timeout' || by === 'weak' || reason.startsWith(shutdown);

/** What an emoticon is called. */
export type EmoticonName = (typeof emoticon)[keyof typeof emoticon];

/** A player whom the last snapshot has. */
export interface ConnectedPlayer {
  /** The client number, as in events. */
  readonly client: number;
  readonly name: string;
  readonly clan: string;
  /** ISO 3166-1 number, -1 for none. */
  readonly country: number;
  /** -1 for spectators, 0 for red or a game without teams, 1 for blue. */
  readonly team: number;
}

/**
 * Joins a server as a player, and stays there until it is closed: through loss, a map change and a restart of the
 * server.
 *
 * @param address `HOST:PORT` or `HOST`, whose port is 8303; `[::1]:8303`
 * @throws TypeError for another address, or a version other than 0.6 and 0.7
 * @example
 * ```ts
 * import { connect } from 'tw-snap/node';
 *
 * const server = connect('127.0.0.1:8303', { name: 'walker', signal: AbortSignal.timeout(60_000) });
 * for await (const entry of server) {
 *   if (entry.record === 'snapshot') server.input({ direction: entry.tick % 100 < 50 ? 1 : -1 });
 *   if (entry.record === 'message' && entry.head.type?.name === 'sv_killmsg') server.chat('gg');
 * }
 * ```
 */
export const connect = (address: string, options: ConnectOptions = {}): Connection => new Connection(address, options);

/**
 * A connection to a server. To iterate over it yields its records, as `readCapture` does from a capture of the same
 * packets; leaving the loop closes the connection. Of a program that does not keep up, the oldest records are lost:
 * `missed` counts them.
 */
class Connection implements AsyncIterable<RecordingEntry> {
  /** Why the connection is over; undefined until then, also while it is made again. */
  closed: Closed | undefined;
  /** The records that were lost, because the program did not take them. */
  missed = 0;
  /** The last snapshot of this connection and map. */
  snapshot: Snapshot | undefined;
  readonly #options: ConnectOptions;
  readonly #version: PacketVersion;
  #session: ClientSession;
  #socket: Socket | undefined;
  #observer = observe();
  #own: Address | undefined;
  #server: Address | undefined;
  #players = new Players(true);
  readonly #waiting: RecordingEntry[] = [];
  #wake: () => void = () => {};
  #error: unknown;
  /** The tick of the last snapshot of this connection and map. */
  #tick = -1;
  /** When the connection was lost that is made again, or the first was tried. */
  #lostAt: number | undefined;
  #triedAt: number | undefined;
  #wasPlaying = false;
  /** Finds out whether a server that does not answer speaks the other version. */
  #probe: Channel | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #onAbort = () => this.close();

  constructor(address: string, options: ConnectOptions) {
    const named = typeof address === 'string' ? readAddress(address) : undefined;
    if (!named) throw new TypeError(`an address is HOST:PORT, as 127.0.0.1:8303; not ${JSON.stringify(address)}`);
    checkOptions('connect', options, optionNames);
    const { protocol: version = '0.6', reconnect = 60, signal } = options;
    if (typeof reconnect !== 'number') expects('reconnect', 'a number of seconds', reconnect);
    if (!(reconnect >= 0)) throw new RangeError(`reconnect is ${reconnect}; it takes a number of seconds from 0`);
    if (signal !== undefined && !(signal instanceof AbortSignal)) expects('signal', 'an AbortSignal', signal);
    this.#options = { ...options, reconnect };
    this.#version = version;
    this.#session = new ClientSession(version, options);
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
    else void this.#start(named);
  }

  get state(): ClientState {
    const { state } = this.#session;
    // A connection that was lost is made again.
    return this.closed ? 'closed' : state === 'closed' ? 'connecting' : state;
  }

  get protocol(): Protocol {
    return this.#session.protocol;
  }

  /** The map of the server; undefined before it has said which. */
  get map(): ServerMap | undefined {
    return this.#session.map;
  }

  /** The client number of the player; undefined before the server has said it. */
  get clientId(): number | undefined {
    return this.#session.clientId;
  }

  /** The players of {@link snapshot}, spectators among them. */
  get players(): ConnectedPlayer[] {
    const players = this.#players;
    return Array.from(players.present, (client) => {
      const { name, clan, country } = players.infoOf(client) ?? unknownPlayer;
      return { client, name, clan, country, team: players.teamOf(client) };
    });
  }

  /**
   * What happens, tick by tick, as `eventsOf` finds it: instead of the records, which it takes. Leaving its loop closes
   * the connection.
   */
  get events(): AsyncGenerator<TickEvents, void> {
    return eventsInLater(this);
  }

  /**
   * Changes what the player does. It is sent with the next acknowledgement, and stays until it is changed. `fire`
   * counts: odd is pressed.
   * @throws TypeError for what no input has
   */
  input(changes: PlayerInput): void {
    this.#session.input(changes);
  }

  /** Says something, to all or to the own team. @returns whether it was sent: only a player in the game is heard */
  chat(message: string, { team = false }: { readonly team?: boolean } = {}): boolean {
    const to = this.#version === '0.7' ? { mode: team ? 2 : 1, target: -1 } : { team: Number(team) };
    return this.#send('cl_say', { ...to, message });
  }

  /** The player dies, and begins again. @returns whether it was sent */
  kill(): boolean {
    return this.#send('cl_kill');
  }

  /** Shows an emoticon. @returns whether it was sent @throws TypeError if none has the name */
  emoticon(name: EmoticonName): boolean {
    const found = Object.entries(emoticon).find(([, known]) => known === name);
    if (!found) throw new TypeError(`no emoticon is ${name}: ${Object.values(emoticon).join(', ')}`);
    return this.#send('cl_emoticon', { emoticon: Number(found[0]) });
  }

  /** Leaves the server. */
  close(reason = ''): void {
    if (this.closed) return;
    if (typeof reason !== 'string') expects('close', 'a text as the reason', reason);
    this.#session.channel.close(reason);
    this.#end({ by: 'self', reason });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordingEntry, void> {
    try {
      for (;;) {
        if (this.#error !== undefined) throw this.#error;
        const next = this.#waiting.shift();
        if (next) yield next;
        else if (this.closed) return;
        else await new Promise<void>((done) => (this.#wake = done));
      }
    } finally {
      this.close();
    }
  }

  #send(name: string, fields: Readonly<Record<string, unknown>> = {}): boolean {
    const isPlaying = this.state === 'playing';
    // What is wrong with a message is said in any state.
    const bytes = messageBytes(this.protocol, name, fields);
    if (isPlaying) this.#session.channel.send(bytes);
    return isPlaying;
  }

  async #start(named: { readonly host: string; readonly port: number }): Promise<void> {
    try {
      this.#server = await addressOf(named);
      await this.#open();
    } catch (error) {
      this.#error = error;
      this.#fail(error);
      return;
    }
    if (!this.closed) this.#timer = setInterval(() => this.#guarded(() => this.#step()), step);
  }

  /** A connection has a socket of its own: a server may still know the one before by its port. */
  async #open(): Promise<void> {
    const { address, port, family } = this.#server!;
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    // Nobody listens at the port, as while a server restarts. Silence decides.
    socket.on('error', () => {});
    // The system takes datagrams of the server only.
    await new Promise<void>((done, fail) => {
      socket.connect(port, address, ((error?: Error) => (error ? fail(error) : done())) as () => void);
    });
    if (this.closed) {
      socket.close();
      return;
    }
    this.#own = { ...socket.address(), family };
    this.#socket = socket;
    socket.on('message', (bytes) => this.#guarded(() => this.#receive(socket, bytes)));
  }

  /**
   * The edge to what calls back: the socket and the timer. Nobody could catch what is thrown there, and it would end
   * the process.
   */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', reason: error instanceof Error ? error.message : String(error), error });
  }

  #receive(socket: Socket, bytes: Uint8Array): void {
    if (socket !== this.#socket) return;
    this.#session.receive(bytes, seconds());
    this.#probe?.receive(bytes);
    this.#tell(this.#observer.add(Date.now() / 1000, this.#server!, this.#own!, bytes));
  }

  #step(): void {
    this.#flush();
    const now = seconds();
    const { state, channel, isKnown } = this.#session;
    if (state === 'playing') {
      this.#wasPlaying = true;
      this.#lostAt = undefined;
    }
    this.#triedAt ??= now;
    const { closed, lastReceived } = channel;
    const silence = now - this.#triedAt;
    if (lastReceived === undefined && silence >= probeSeconds)
      this.#probe ??= new Channel(otherOf[this.#version], 'client');
    const { timeout = timeoutSeconds, reconnect } = this.#options;
    const isOther = this.#probe?.state === 'online' && lastReceived === undefined;
    if (isOther && silence >= Math.min(attemptSeconds, timeout)) {
      const reason = `the server speaks ${otherOf[this.#version]}, not ${this.#version}`;
      this.#end({ by: 'peer', reason });
      return;
    }
    // Where the last packet of a handshake is lost, servers of DDNet neither repeat it nor know of the client: only
    // another helps.
    const isStuck = !isKnown && silence >= attemptSeconds;
    if (closed || isStuck) this.#lostAt ??= this.#wasPlaying ? now : (lastReceived ?? this.#triedAt);
    if (this.#lostAt === undefined) return;
    const isOver = now - this.#lostAt >= (this.#wasPlaying ? reconnect! : timeout) || (closed && !mayReturn(closed));
    if (isOver && (closed || !isKnown)) this.#end(closed ?? { by: 'timeout', reason: 'Timeout' });
    else if (closed || isStuck) this.#tryAgain();
  }

  #tryAgain(): void {
    this.#session.channel.close();
    this.#flush();
    this.#socket?.close();
    this.#socket = undefined;
    this.#tell(this.#observer.finish());
    this.#observer = observe();
    this.#triedAt = undefined;
    // The next socket is another client.
    this.#probe = undefined;
    this.#session = new ClientSession(this.#version, this.#options, this.#session);
    // Without a socket, as without a network, nothing is heard, and it is tried again.
    this.#open().catch(() => {});
  }

  #flush(): void {
    for (const packet of this.#session.packets(seconds())) {
      if (!this.#socket) continue;
      this.#socket.send(packet, () => {});
      this.#tell(this.#observer.add(Date.now() / 1000, this.#own!, this.#server!, packet));
    }
    for (const packet of this.#probe?.packets(seconds()) ?? []) this.#socket?.send(packet, () => {});
  }

  #tell(observed: readonly RecordingEntry[]): void {
    const entries = observed.filter((entry) => this.#isNew(entry));
    for (const entry of entries) this.#see(entry);
    if (entries.length === 0) return;
    this.#waiting.push(...entries);
    const tooMany = this.#waiting.length - maxWaiting;
    if (tooMany > 0) {
      this.#waiting.splice(0, tooMany);
      this.missed += tooMany;
    }
    this.#wake();
  }

  /**
   * Time does not go back: of snapshots that overtook each other, the older is left out.
   *
   * Source: `GameTick >= m_CurrentRecvTick` in `CClient::ProcessServerPacket` of the games.
   */
  #isNew(entry: RecordingEntry): boolean {
    if (entry.record === 'connection' || (entry.record === 'message' && entry.head.type?.name === 'map_change')) {
      this.#tick = -1;
      this.snapshot = undefined;
    }
    if (entry.record !== 'snapshot') return true;
    if (entry.tick < this.#tick) return false;
    this.#tick = entry.tick;
    return true;
  }

  /** Keeps what the server has said last. */
  #see(entry: RecordingEntry): void {
    const { record } = entry;
    if (record === 'connection') this.#players = new Players(true);
    if (record === 'snapshot' && entry.snapshot) {
      this.snapshot = entry.snapshot;
      this.#players.onSnapshot(entry.snapshot, entry.stream.protocol);
    } else if (record === 'message' && entry.direction === 'to_client' && entry.head.version === undefined) {
      this.#players.onMessage(entry.message);
    }
  }

  #end(closed: Closed): void {
    if (this.closed) return;
    this.closed = closed;
    clearInterval(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#probe?.close();
    // With the packet that says goodbye. What fails now would have to end a connection that is over.
    this.#guarded(() => this.#flush());
    this.#guarded(() => this.#tell(this.#observer.finish()));
    this.#socket?.close();
    this.#socket = undefined;
    this.#wake();
  }
}

/** On a clock that nobody sets. */
const seconds = () => performance.now() / 1000;
