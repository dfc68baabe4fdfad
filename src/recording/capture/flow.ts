import { ignore } from '../../wire/bytes/diagnostic.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import { type PacketVersion, readPartOfPacket } from '../../wire/packet/packet.ts';
import { longestTimeout, maxHandshakePackets, provenPackets } from '../replay/limits.ts';
import type { HandshakeFact, RecordingEntry, SentPacket } from '../replay/record.ts';
import type { Datagrams, ReadOptions } from '../replay/replay.ts';
import type { Direction } from '../replay/stream.ts';
import { Asking, type Handshakes } from '../story/handshakes.ts';
import type { Ahead } from './ahead.ts';
import type { Connection, PacketReading } from './connection.ts';
import {
  directionOf,
  type Handshake,
  type HandshakeStep,
  handshakeFact,
  handshakeStepOf,
  readFirstPacket,
} from './handshake.ts';

/*
 * All packets between two addresses with their ports. That is not yet a connection: a client comes back on the same
 * port, a browser asks for a token and goes away, and anyone can send a packet with a forged address. So this file
 * decides which packets begin a connection, and which only claim to.
 *
 *   request ─▶ Attempt: its packets are held
 *      │ answer of the other end ─▶ accept ─┬─ no connection here: it begins, and the held packets are its first ones
 *      │                                    └─ one is going on: only when the client continues with the new token
 *      └─ no answer, or another attempt ────▶ given up: its packets are `handshake` records
 *   any other packet, no connection ─▶ it begins in the middle, if the packet can be read (`#first`)
 *   any other packet, a connection ──▶ `Connection.read` gives a verdict: read it, reject it, or it is another session (`changed`)
 *
 * Both ends must have taken part, since an attacker can send for one end, but does not see what the other answers.
 * `isProven` says the same of a flow without a captured handshake: both ends spoke, and often. capture.ts keeps proven
 * flows apart from the others, so that a flood of forged ones can't push them out.
 */

export type Side = 0 | 1;

/** A packet that is held until the outcome of a handshake is known. */
export interface HeldPacket extends SentPacket {
  readonly sender: Side;
}

/**
 * A client's attempt to connect: a request for a connection, or for a token, which server browsers also send. It
 * becomes a connection when the server answers; if the same two ends already have one, the client must also continue
 * after the answer.
 */
class Attempt {
  readonly version: PacketVersion;
  readonly client: Side;
  readonly packets: HeldPacket[] = [];
  dropped = 0;
  isAnswered = false;
  #hasTokens: boolean | undefined;
  /** The tokens that the client announced. A repeated request may announce another token. */
  readonly #clientTokens = new Set<number | undefined>();
  #clientToken: number | undefined;
  #serverToken: number | undefined;
  #acceptToken: number | undefined;

  constructor(version: PacketVersion, client: Side) {
    this.version = version;
    this.client = client;
  }

  hold(packet: HeldPacket): void {
    if (this.packets.length < maxHandshakePackets) this.packets.push({ ...packet, bytes: packet.bytes.slice() });
    else this.dropped++;
  }

  isRepeatedBy({ version }: HandshakeStep, sender: Side): boolean {
    return version === this.version && sender === this.client;
  }

  onRequest({ kind, headerToken, token }: HandshakeStep): void {
    this.#clientToken = token;
    if (this.#clientTokens.size < maxHandshakePackets) this.#clientTokens.add(token);
    if (this.version === '0.7' && kind === 'connect') this.#serverToken = headerToken;
  }

  /** Adds the answer to a request; returns false for any other packet. */
  onAnswer({ version, kind, headerToken, token }: HandshakeStep, sender: Side): boolean {
    if (version !== this.version || sender === this.client) return false;
    if (headerToken !== undefined && !this.#clientTokens.has(headerToken)) return false;
    if (headerToken !== undefined) this.#clientToken = headerToken;
    if (kind === 'token' || version === '0.6') this.#serverToken = token;
    if (kind === 'accept') {
      this.isAnswered = true;
      this.#hasTokens = version === '0.7' || token !== undefined;
      if (version === '0.7') this.#acceptToken = token;
    }
    return true;
  }

  /** Whether a packet of the client has the token that the server assigned to it, in a connection with tokens. */
  isContinuedWith(token: number | undefined): boolean {
    return this.isAnswered && this.#hasTokens === true && token !== undefined && token === this.#serverToken;
  }

  get isWithoutTokens(): boolean {
    return this.#hasTokens === false;
  }

  get handshake(): Handshake {
    const { version, packets, dropped } = this;
    const seconds = Math.max(0, packets.at(-1)!.time - packets[0]!.time);
    const made = { packets: packets.length + dropped, seconds };
    const begun = { begins: true, version, sender: 'client', made } as const;
    if (this.#hasTokens === undefined) return begun;
    const server = this.#serverToken;
    // In 0.6 DDNet uses one token for both directions.
    const isForBoth = version === '0.6' && !this.#isOf065;
    const tokens = { to_client: isForBoth ? server : this.#clientToken, to_server: server };
    if (version === '0.7' && server === undefined) return begun;
    const accepted = this.#acceptToken;
    return { ...begun, tokens, ...(accepted !== server && { acceptToken: accepted }) };
  }

  /** 0.6.5 has a token for each side. DDNet's client requests one with -1; older 0.6 clients send none. */
  get #isOf065(): boolean {
    const token = this.#clientToken;
    return this.version === '0.6' && token !== undefined && token !== 0xffffffff;
  }
}

export interface FlowOwner {
  /** Creates the next connection; `first` is its first packet, `client` the client's end. */
  begin(flow: Flow, client: Side, handshake: Handshake, first: HeldPacket): Connection;
  readonly datagrams: Datagrams;
  readonly handshakes: Handshakes;
  readonly options: ReadOptions;
}

/**
 * All packets between two ends, which may be several successive connections. Forged and stray packets do not begin, end
 * or replace a connection: a handshake counts only if both sides took part in it.
 */
export class Flow {
  readonly #owner: FlowOwner;
  /** The ports decide which end is the client if no packet does: operating systems assign high ports to clients. */
  readonly ports: readonly [number, number];
  readonly names: readonly [string, string];
  connection: Connection | undefined;
  #client: Side = 0;
  /** The packet that was read last, which may wait for later ones, and its bytes. */
  #reading: PacketReading | undefined;
  #readBytes: Uint8Array | undefined;
  #attempt: Attempt | undefined;
  readonly #failed: Attempt[] = [];
  /** The last requests to connect, and the connection that came of them. */
  #asking: Asking | undefined;
  #asked: Connection | undefined;
  lastTime = Number.NaN;
  /** Whether it was proven, and has a place among those that are followed. */
  isFollowed = false;

  constructor(owner: FlowOwner, names: readonly [string, string], ports: readonly [number, number]) {
    this.#owner = owner;
    this.names = names;
    this.ports = ports;
  }

  /** Whether both ends have spoken after a handshake, or often: nobody forges both. */
  get isProven(): boolean {
    const { connection } = this;
    if (!connection) return false;
    const toClient = connection.counts('to_client');
    const toServer = connection.counts('to_server');
    if (toClient.chunks === 0 || toServer.chunks === 0) return false;
    return connection.hasHandshake || toClient.packets + toServer.packets >= provenPackets;
  }

  /**
   * Whether a packet has to wait for later ones, which show what became of its chunks.
   * @param ahead it and those after it; empty if none was captured so far
   * @param isLast whether it can't wait any longer
   */
  waits(packet: HeldPacket, ahead: Ahead, isLast: boolean): boolean {
    const { connection } = this;
    if (!connection || this.#attempt || handshakeStepOf(packet.bytes)) return false;
    const direction = this.#directionOf(packet);
    let reading = this.#reading;
    if (!reading) reading = connection.read(packet, direction);
    else if (this.#readBytes !== packet.bytes) reading = connection.readAgain(reading, packet.bytes, direction);
    this.#reading = reading;
    this.#readBytes = packet.bytes;
    return !reading.verdict && !connection.lookAhead(reading, packet.time, direction, ahead) && !isLast;
  }

  /** Reads the packet again that does not wait any longer, since another one was read in between. */
  readAgain(packet: HeldPacket): void {
    const { connection } = this;
    if (!connection || !this.#reading) return;
    this.#reading = connection.readAgain(this.#reading, packet.bytes, this.#directionOf(packet));
  }

  /** The records of a packet. Most packets continue the current connection. */
  add(packet: HeldPacket): Iterable<RecordingEntry> {
    const { connection } = this;
    const reading = this.#reading;
    this.#reading = undefined;
    if (!connection || !reading) return this.#add(packet);
    return reading.verdict ? this.#add(packet, reading) : connection.add(reading, packet, this.#directionOf(packet));
  }

  *#add(packet: HeldPacket, reading?: PacketReading): Generator<RecordingEntry, void> {
    const place = this.#attemptedBy(packet);
    if (this.#failed.length > 0) yield* this.#giveUp();
    if (place === 'held') return;
    if (place === 'begins') yield* this.#beginAttempted();
    else if (this.connection) yield* this.#inConnection(packet, this.connection, reading);
    else yield* this.#first(packet);
  }

  #directionOf({ sender }: HeldPacket): Direction {
    return sender === this.#client ? 'to_server' : 'to_client';
  }

  /** Ends the flow, because the capture ends or there are too many flows. */
  *finish(): Generator<RecordingEntry, void> {
    if (this.#attempt) this.#failed.push(this.#attempt);
    this.#attempt = undefined;
    yield* this.#giveUp();
    if (this.connection) yield* this.connection.finish();
    this.#endAsking();
  }

  /** Whether a packet belongs to an attempt to connect. Then it is held, and the attempt may now be a connection. */
  #attemptedBy(packet: HeldPacket): 'held' | 'begins' | undefined {
    const step = handshakeStepOf(packet.bytes);
    const attempt = this.#attempt;
    if (!step && !attempt) return undefined;
    const { sender } = packet;
    if (step) this.#follow(step, packet);
    const hold = (to: Attempt, begins = false) => {
      to.hold(packet);
      return begins ? 'begins' : 'held';
    };
    if (step?.kind === 'token_request' || step?.kind === 'connect') {
      const { connection } = this;
      // The packet repeats the handshake of a connection that has just begun. A server of 0.6.5 sends a challenge with
      // messages to older clients, whose accept may be lost.
      const isBegun = connection && (!connection.isUsed || (connection.hasHandshake && !connection.hasTokens));
      const isOfConnection = isBegun && !connection.goesOn && connection.version === step.version;
      if (isOfConnection && sender === this.#client) return undefined;
      const repeated = attempt?.isRepeatedBy(step, sender) && !attempt.isAnswered ? attempt : undefined;
      const current = repeated ?? new Attempt(step.version, sender);
      if (attempt && attempt !== current) this.#failed.push(attempt);
      this.#attempt = current;
      current.onRequest(step);
      return hold(current);
    }
    if (!attempt) return undefined;
    const isFree = !this.#isGoingOn(packet.time);
    switch (step?.kind) {
      case 'token':
      case 'accept':
        return attempt.onAnswer(step, sender) ? hold(attempt, step.kind === 'accept' && isFree) : undefined;
      case 'close':
        // A refusal is an answer too. A client may give up and try again.
        if (this.connection?.isUsed || attempt.isAnswered) return undefined;
        if (sender === attempt.client) return hold(attempt);
        return attempt.onAnswer(step, sender) ? hold(attempt, true) : undefined;
      case 'accepted':
        if (sender !== attempt.client) return undefined;
        // It may be captured before the answer to which it responds.
        if (!attempt.isAnswered) return isFree ? hold(attempt) : undefined;
        if (attempt.isContinuedWith(step.token) || attempt.isContinuedWith(step.headerToken))
          return hold(attempt, true);
        return attempt.isWithoutTokens ? hold(attempt) : undefined;
      default:
        // If only one side was captured, there is no answer.
        if (!this.connection ? readFirstPacket(packet.bytes, this.#owner.options) : this.#goesOnWith(attempt, packet))
          return hold(attempt, true);
        return undefined;
    }
  }

  /** Adds a packet of a handshake to what is expected after it. */
  #follow(step: HandshakeStep, packet: HeldPacket): void {
    const fact = this.#factOf(step, packet);
    const isRequest = step.kind === 'connect' || step.kind === 'token_request';
    if (isRequest && (this.#asked?.goesOn || fact.client !== this.#asking?.client)) this.#endAsking();
    const { time, frame } = packet;
    if (isRequest) this.#asking ??= new Asking(fact, { time, frame });
    if (step.kind === 'connect') this.#owner.handshakes.asks(fact, { time, frame });
    this.#asking?.add(fact, { time, frame });
  }

  #endAsking(): void {
    if (!this.#asking) return;
    this.#asking.goesOn ||= this.#asked?.goesOn === true;
    this.#owner.handshakes.add(this.#asking);
    this.#asking = undefined;
    this.#asked = undefined;
  }

  /** A packet without a connection between the two ends: a browser that was given a token goes on with it. */
  onConnless(): void {
    if (this.#asking) this.#asking.goesOn = true;
  }

  #factOf(step: HandshakeStep, { sender }: HeldPacket): HandshakeFact {
    const client = this.#attempt?.client ?? this.#client;
    const direction = directionOf(step) ?? (sender === client ? 'to_server' : 'to_client');
    return handshakeFact(step, [this.names[sender], this.names[1 - sender]!], direction);
  }

  /** Whether a packet after the handshake continues the attempt, although the other connection was not seen to end. */
  #goesOnWith(attempt: Attempt, { bytes, sender }: HeldPacket): boolean {
    if (!attempt.isAnswered) return false;
    const isFromClient = sender === attempt.client;
    if (attempt.version === '0.7' || (bytes[0]! & 0x08) !== 0) {
      return isFromClient && bytes.length >= 7 && attempt.isContinuedWith(u32(bytes, 3, false));
    }
    const { packet, error } = readPartOfPacket(bytes, '0.6', ignore);
    if (!packet || error) return false;
    if (!attempt.isWithoutTokens) return isFromClient && attempt.isContinuedWith(packet.token);
    const [chunk] = packet.chunks;
    return chunk?.vital === true && !chunk.resend && chunk.sequence === 1;
  }

  /** Whether there is a connection that the first packets of another one must not replace. */
  #isGoingOn(time: number): boolean {
    const { connection } = this;
    if (!connection?.isUsed || connection.isClosed) return false;
    return !(time - connection.time > longestTimeout);
  }

  *#beginAttempted(): Generator<RecordingEntry, void> {
    const attempt = this.#attempt!;
    this.#attempt = undefined;
    const [first] = attempt.packets as [HeldPacket];
    if (this.connection) yield* this.connection.finish();
    yield* this.#begin(attempt.client, attempt.handshake, first);
    for (const packet of attempt.packets) yield* this.#inConnection(packet, this.connection!);
  }

  /** Begins with the first packet between two ends, without a captured handshake. */
  *#first(packet: HeldPacket): Generator<RecordingEntry, void> {
    const { bytes, sender } = packet;
    const step = handshakeStepOf(bytes);
    const first = step?.kind === 'token' ? undefined : readFirstPacket(bytes, this.#owner.options);
    if (!first) {
      yield* this.#unconnected(packet, step);
      return;
    }
    const isFromClient = first.sender ? first.sender === 'client' : this.ports[sender] > this.ports[1 - sender]!;
    const client = isFromClient ? sender : ((1 - sender) as Side);
    yield* this.#begin(client, first, packet);
    yield* this.#inConnection(packet, this.connection!);
  }

  #unconnected(packet: HeldPacket, step = handshakeStepOf(packet.bytes)): Iterable<RecordingEntry> {
    const { datagrams } = this.#owner;
    return step ? datagrams.handshake(this.#factOf(step, packet), packet) : datagrams.unconnected('other', packet);
  }

  *#begin(client: Side, handshake: Handshake, first: HeldPacket): Generator<RecordingEntry, void> {
    const { time, frame } = first;
    const { connection: before } = this;
    this.#client = client;
    this.connection = this.#owner.begin(this, client, handshake, first);
    if (before) this.connection.comesAgain = this.connection.hasTokenOf(before);
    this.#asked = this.connection;
    yield { record: 'connection', stream: this.connection, time, frame };
  }

  *#inConnection(
    packet: HeldPacket,
    connection: Connection,
    reading = connection.read(packet, this.#directionOf(packet)),
  ): Generator<RecordingEntry, void> {
    const { verdict } = reading;
    if (verdict === 'changed') {
      // This is another session on the same ports, whose handshake was not captured.
      yield* connection.finish();
      this.connection = undefined;
      yield* this.#first(packet);
    } else if (verdict) yield* connection.reject(verdict, packet, this.#directionOf(packet), reading.args);
    else yield* connection.add(reading, packet, this.#directionOf(packet));
  }

  /** Packets that were held for attempts without a result belong to no connection. */
  *#giveUp(): Generator<RecordingEntry, void> {
    const { datagrams } = this.#owner;
    for (const { packets, dropped } of this.#failed.splice(0)) {
      datagrams.handshakes += dropped;
      for (const packet of packets) yield* this.#unconnected(packet);
    }
  }
}
