import { type Code, ignore } from '../../wire/bytes/diagnostic.ts';
import { checkOptions, expects } from '../../wire/bytes/expects.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import {
  controlCode,
  type Packet,
  type PacketVersion,
  readPartOfPacket,
  tokenMagic,
} from '../../wire/packet/packet.ts';
import { resendSeconds, timeoutSeconds, VitalReceiver, VitalSender } from '../../wire/packet/sequence.ts';
import { isVital } from '../../wire/packet/vital.ts';
import {
  maxMessageBytes,
  noToken,
  packetVersion,
  type SentChunk,
  textBytes,
  writePacket,
} from '../../wire/packet/write.ts';
import type { Version } from '../../wire/protocol/registry.ts';

/** Bytes of messages with their heads in a packet, which leaves room for a header and a token. */
const maxChunkBytes = 1380;
const maxChunks = 255;
/** The longest message of 0.7 that fits in a packet of 1400 bytes with its header and the head of its chunk. */
const maxLongMessage = 1390;
/** The seconds after which an idle end shows that it is there. */
const keepAliveAfter = 0.5;
/**
 * `NET_CONN_BUFFERSIZE`: vital messages that the games keep until they are acknowledged, each with its
 * `CNetChunkResend`.
 */
const inFlightBytes = 32 << 10;
const chunkBytes = 40;
/** Numbers count modulo 1024: more than half of them ahead, a chunk would be an old one. */
const inFlightChunks = 511;
/** What waits for its turn behind those, in bytes counted alike. */
const maxQueuedBytes = 256 << 10;
/** `NET_TOKENREQUEST_DATASIZE`: a request of 0.7 is longer than any answer. */
const requestBytes = 512;
const maxReason = 127;

interface QueuedMessage {
  readonly message: Uint8Array;
  readonly vital: boolean;
}

interface VitalChunk extends SentChunk {
  readonly sequence: number;
  readonly first: number;
  last: number;
}

/** How a connection is watched. */
export interface ChannelOptions {
  /**
   * The seconds of silence, or without an acknowledgement, after which the connection is given up: 10 as in Teeworlds;
   * DDNet has 100.
   */
  readonly timeout?: number;
}

/**
 * Why a connection is over: `self` closed it, the `peer` did or refused it, it was given up as the games do (`timeout`,
 * `weak`), or an `error` ended it.
 */
export interface Closed {
  readonly by: 'self' | 'peer' | 'timeout' | 'weak' | 'error';
  readonly reason: string;
  /** What was thrown: that a host has no address, or a fault of this library, whatever a server has sent. */
  readonly error?: unknown;
}

/**
 * One end of a connection, client or server, of 0.6 (with DDNet's tokens) or 0.7: packets in, messages out, and
 * messages in, packets out. Sequence numbers, acknowledgements and repeated messages are its business; sockets and
 * clocks are the caller's.
 * ```
 * client 0.6   connect →            ← connectaccept    accept →
 *        0.7   token →   ← token    connect →          ← accept
 * ```
 * A packet without the token of the connection changes nothing. Without tokens, as between programs of 0.6 from
 * before DDNet, the address is all that tells who sent a packet.
 *
 * Source: `CNetConnection` in `src/engine/shared/network_conn.cpp` of the games, and `CNetServer` of DDNet.
 *
 * @example
 * ```ts
 * import { Channel } from 'tw-snap/live';
 *
 * const [client, server] = [new Channel('0.7', 'client'), new Channel('0.7', 'server')];
 * for (let seconds = 0; seconds < 10; seconds++) {
 *   // A program sends the packets over a socket.
 *   for (const packet of client.packets(seconds)) server.receive(packet);
 *   for (const packet of server.packets(seconds)) client.receive(packet);
 * }
 * console.log(client.state, client.closed?.reason); // online
 * ```
 */
export class Channel {
  /** Undefined while the connection is being made or is online. */
  closed: Closed | undefined;
  /** The time of the last packet that counted, on the clock of {@link packets}; undefined before the first. */
  lastReceived: number | undefined;
  readonly #version: PacketVersion;
  readonly #isClient: boolean;
  readonly #timeout: number;
  #isOnline = false;
  readonly #own = Math.floor(Math.random() * noToken);
  /** The token that the other end expects, in 0.6 both ends; undefined in 0.6 without tokens. */
  #token: number | undefined;
  readonly #received = new VitalReceiver();
  readonly #sent = new VitalSender<VitalChunk>();
  /** The other end asked for the messages that it has not acknowledged: the next packets contain them once. */
  #mustResend = false;
  #now: number | undefined;
  #started: number | undefined;
  /** Whether a server has answered a request to connect. */
  #hasAnswered = false;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** What was not sent so far, in the order of the calls. */
  #queue: QueuedMessage[] = [];
  #queuedBytes = 0;
  #controls: Uint8Array[] = [];

  /** @param role a client's channel asks for a connection until there is an answer; a server's waits for that */
  constructor(
    protocol: PacketVersion | { readonly version: Version },
    role: 'client' | 'server',
    { timeout = timeoutSeconds }: ChannelOptions = {},
  ) {
    this.#version = packetVersion(protocol);
    if (role !== 'client' && role !== 'server')
      throw new TypeError(`a channel is of a client or a server, not ${role}`);
    if (typeof timeout !== 'number') expects('timeout', 'a number of seconds', timeout);
    if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; it takes a number of seconds above 0`);
    this.#isClient = role === 'client';
    this.#timeout = timeout;
  }

  get state(): 'connecting' | 'online' | 'closed' {
    return this.closed ? 'closed' : this.#isOnline ? 'online' : 'connecting';
  }

  /**
   * Sends a message with the next packets. A vital one arrives in any case, in the order of the calls; if too much
   * waits to be acknowledged, the connection is closed as too weak. Others may be lost. After the end of the
   * connection, nothing is sent.
   *
   * @param options.vital as the games do, all messages are vital but snapshots, inputs, their timing and pings
   * @throws RangeError if no chunk can hold the message: from 1024 bytes in 0.6, from 1391 in 0.7
   */
  send(message: Uint8Array, options: { readonly vital?: boolean } = {}): void {
    if (!(message instanceof Uint8Array)) expects('send', 'a message as a Uint8Array', message);
    checkOptions('send', options, ['vital']);
    const { vital = isVital(message, this.#version) } = options;
    if (typeof vital !== 'boolean') expects('vital', 'true or false', vital);
    checkSize(message, this.#version);
    if (this.closed) return;
    this.#queuedBytes += message.length + chunkBytes;
    this.#queue.push({ message: message.slice(), vital });
    if (this.#queuedBytes <= maxQueuedBytes) return;
    if (vital) this.#giveUp('weak', 'too weak connection (out of buffer)');
    else this.#dropOldest();
  }

  close(reason = ''): void {
    if (this.closed) return;
    this.#control([controlCode.close, ...textBytes(String(reason)).subarray(0, -1).subarray(0, maxReason), 0]);
    this.closed = { by: 'self', reason };
  }

  /** The packets that are due. @param seconds the time, by which old messages are sent again and silence is noticed */
  packets(seconds: number): Uint8Array[] {
    if (typeof seconds !== 'number' || Number.isNaN(seconds)) {
      throw new TypeError(
        `packets takes the time in seconds, not ${typeof seconds === 'number' ? seconds : typeof seconds}`,
      );
    }
    this.#now = seconds;
    this.#started ??= seconds;
    if (!this.closed) this.#checkTime(seconds);
    if (!this.closed && seconds - this.#lastSent > keepAliveAfter) this.#showPresence();
    const packets = this.#controls.splice(0);
    if (this.#isOnline && !this.closed) this.#sendChunks(packets, seconds);
    if (packets.length > 0) this.#lastSent = seconds;
    return packets;
  }

  /**
   * The messages of a packet that are next in their order; of one that ends early, those that are whole. Packets that
   * can't be decompressed, or are of someone else, have none, and change nothing.
   */
  receive(bytes: Uint8Array): Uint8Array[] {
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`a packet is a Uint8Array, not a ${typeof bytes}`);
    const { packet, error } = readPartOfPacket(bytes, this.#version, ignore, { token: this.#token });
    if (!packet || (error && !afterChunks.has(error.code)) || packet.kind === 'connless' || this.closed) return [];
    if (!this.#isOnline) this.#onHandshake(packet, bytes.length);
    if (!this.#isRight(packet) || !this.#sent.acknowledge(packet.ack)) return [];
    if (packet.kind === 'control' && packet.control === controlCode.close) {
      this.closed = { by: 'peer', reason: reasonIn(packet.payload) };
      return [];
    }
    // The server is not online before its client sends something.
    if (!this.#isOnline && this.#hasAnswered && beginsWith(packet)) this.#isOnline = true;
    if (!this.#isOnline) return [];
    this.lastReceived = this.#now;
    if (packet.resend) this.#mustResend = true;
    return packet.chunks.flatMap(({ start, end, vital, sequence }) =>
      vital && this.#received.take(sequence) !== 'next' ? [] : [packet.payload.slice(start, end)],
    );
  }

  /**
   * Whether a packet has the token of this connection. In 0.6 it is at the end of a control packet, too, where nothing
   * announces it.
   */
  #isRight({ kind, token, payload }: Packet): boolean {
    if (this.#version === '0.7') return token === this.#own;
    if (kind !== 'control') return token === this.#token;
    return this.#token === undefined || tokenAtEnd(payload) === this.#token;
  }

  #onHandshake({ kind, control, payload, token }: Packet, bytes: number): void {
    if (kind !== 'control') return;
    if (this.#version === '0.6') this.#onHandshake06(control, payload, bytes);
    else this.#onHandshake07(control, payload, token, bytes);
  }

  #onHandshake06(control: number | undefined, payload: Uint8Array, bytes: number): void {
    const announced = announced06(payload);
    if (this.#isClient) {
      if (control !== controlCode.accept) return;
      this.#token = announced;
      this.#begin();
      this.#control([controlCode.accept06]);
      return;
    }
    // Who knows of tokens gets one, and is believed when it comes back; nobody else can connect then.
    if (control !== controlCode.connect || (this.#token !== undefined && announced === undefined)) return;
    if (announced !== undefined) this.#token = this.#own;
    this.#answer(bytes, [controlCode.accept, ...(announced === undefined ? [] : tokenMagic)], this.#token);
  }

  /** Of 0.7, only who was given the token can connect. */
  #onHandshake07(control: number | undefined, payload: Uint8Array, token: number | undefined, bytes: number): void {
    const announced = payload.length >= 5 ? u32(payload, 1, false) : undefined;
    const isRight = token === this.#own;
    if (this.#isClient) {
      if (!isRight) return;
      if (control === controlCode.token && announced !== undefined) {
        this.#token = announced;
        this.#request07(controlCode.connect, announced);
        this.lastReceived = this.#now;
      } else if (control === controlCode.accept && this.#token !== undefined) this.#begin();
    } else if (announced !== undefined && control === controlCode.token && payload.length >= requestBytes) {
      this.#control([controlCode.token, ...bytesOf(this.#own)], announced);
    } else if (announced !== undefined && control === controlCode.connect && isRight) {
      this.#token = announced;
      this.#answer(bytes, [controlCode.accept], announced);
    }
  }

  /** Answers a request to connect, with no more bytes than it has: its sender's address may be forged. */
  #answer(bytes: number, content: readonly number[], token: number | undefined): void {
    this.#control(content, token);
    if (this.#controls.at(-1)!.length > bytes) {
      this.#controls.pop();
      return;
    }
    this.#hasAnswered = true;
    this.lastReceived = this.#now;
  }

  #begin(): void {
    this.#isOnline = true;
    this.lastReceived = this.#now;
  }

  /** What the games do as time passes: they give up who is silent, or does not acknowledge. */
  #checkTime(seconds: number): void {
    if (seconds - (this.lastReceived ?? this.#started!) > this.#timeout) this.#giveUp('timeout', 'Timeout');
    const [oldest] = this.#sent.waiting;
    if (oldest && seconds - oldest.first > this.#timeout) {
      this.#giveUp('weak', `too weak connection (not acked for ${this.#timeout} seconds)`);
    }
  }

  /** An end that is online says so if it has nothing else to send; a client asks until it is answered. */
  #showPresence(): void {
    if (this.#isOnline) {
      if (this.#queue.length === 0) this.#control([controlCode.keepAlive]);
      return;
    }
    if (!this.#isClient) return;
    if (this.#version === '0.6') this.#control([controlCode.connect, ...tokenMagic], noToken);
    else if (this.#token === undefined) this.#request07(controlCode.token, noToken);
    else this.#request07(controlCode.connect, this.#token);
  }

  /** A client of 0.7 says its own token in each request, first for the server's token, then to connect. */
  #request07(code: number, token: number): void {
    this.#control([code, ...bytesOf(this.#own)], token, requestBytes);
  }

  #sendChunks(packets: Uint8Array[], seconds: number): void {
    const chunks = [...this.#again(seconds), ...this.#fresh(seconds)];
    while (chunks.length > 0 || this.#received.asksAgain) {
      let count = 0;
      for (let size = 0; count < chunks.length && count < maxChunks; count++) {
        size += chunks[count]!.message.length + 3;
        if (size > maxChunkBytes && count > 0) break;
      }
      const own = chunks.splice(0, count);
      const { last: ack, asksAgain: resend } = this.#received;
      packets.push(writePacket(this.#version, { ack, resend, chunks: own, token: this.#token }));
      this.#received.asksAgain = false;
    }
  }

  /** What was asked for, or is not acknowledged for a second. */
  #again(seconds: number): SentChunk[] {
    const all = this.#mustResend;
    this.#mustResend = false;
    const again = this.#sent.waiting.filter(({ last }) => all || seconds - last > resendSeconds);
    for (const chunk of again) chunk.last = seconds;
    return again.map((chunk) => ({ ...chunk, resend: true }));
  }

  /** What was not sent so far, as much as the other end can take before it acknowledges something. */
  #fresh(seconds: number): SentChunk[] {
    const { waiting } = this.#sent;
    let room = inFlightBytes - waiting.reduce((sum, { message }) => sum + message.length + chunkBytes, 0);
    const chunks: SentChunk[] = [];
    const left: QueuedMessage[] = [];
    for (const queued of this.#queue) {
      const { message, vital } = queued;
      const size = message.length + chunkBytes;
      // A vital message that has to wait keeps those after it waiting.
      if (vital && (room < size || waiting.length >= inFlightChunks)) {
        room = 0;
        left.push(queued);
        continue;
      }
      this.#queuedBytes -= size;
      if (!vital) chunks.push({ message });
      else {
        room -= size;
        chunks.push(this.#sent.add((sequence) => ({ message, vital, sequence, first: seconds, last: seconds })));
      }
    }
    this.#queue = left;
    return chunks;
  }

  #dropOldest(): void {
    const i = this.#queue.findIndex(({ vital }) => !vital);
    const [dropped] = this.#queue.splice(i, 1);
    this.#queuedBytes -= dropped!.message.length + chunkBytes;
  }

  #giveUp(by: Closed['by'], reason: string): void {
    if (this.#isOnline) this.#control([controlCode.close, ...textBytes(reason)]);
    this.closed = { by, reason };
  }

  #control(content: readonly number[], token = this.#token, least = 0): void {
    const control = new Uint8Array(Math.max(content.length, least));
    control.set(content);
    this.#controls.push(writePacket(this.#version, { ack: this.#received.last, control, token }));
  }
}

/** What ends a packet too early: the games have taken the whole chunks before it. */
const afterChunks = new Set<Code>(['missing_chunks', 'truncated_packet_chunk']);

/** @throws RangeError if no chunk can hold the message */
export function checkSize(message: Uint8Array, version: PacketVersion): void {
  const most = Math.min(maxMessageBytes[version], maxLongMessage);
  if (message.length > most) {
    throw new RangeError(`a message of ${message.length} bytes; a chunk of ${version} holds ${most}`);
  }
}

/** Whether a client whose request was answered goes on: with messages, with `accept` in 0.6, or with nothing to say. */
const beginsWith = ({ kind, control, version }: Packet) =>
  kind === 'chunks' || control === controlCode.keepAlive || (version === '0.6' && control === controlCode.accept06);

/** Without control characters, as the games show it. */
const reasonIn = (payload: Uint8Array): string =>
  new TextDecoder()
    .decode(payload.subarray(1, 1 + maxReason))
    .split('\0', 1)[0]!
    .replace(/\p{Cc}/gu, ' ');

/** DDNet's token follows a mark. */
const announced06 = (payload: Uint8Array) =>
  payload.length >= 9 && tokenMagic.every((byte, i) => payload[1 + i] === byte) ? u32(payload, 5, false) : undefined;
/** The last bytes of a control packet of 0.6 with a token. */
const tokenAtEnd = (payload: Uint8Array) => (payload.length >= 5 ? u32(payload, payload.length - 4, false) : undefined);

const bytesOf = (token: number) => [token >>> 24, (token >>> 16) & 0xff, (token >>> 8) & 0xff, token & 0xff];
