import { ignore } from '../bytes/diagnostic.ts';
import { u32 } from '../bytes/fixed-int.ts';
import { type Packet, type PacketVersion, readPartOfPacket } from '../packet/packet.ts';
import { resendSeconds, VitalReceiver, VitalSender } from '../packet/sequence.ts';
import { noToken, type SentChunk, textBytes, writePacket } from '../packet/write.ts';

/** Bytes of messages with their heads in a packet, which leaves room for a header and a token. */
const maxChunkBytes = 1380;
const maxChunks = 255;
/** The seconds after which an idle end shows that it is there. */
const keepAliveAfter = 0.5;
const magic = [0x54, 0x4b, 0x45, 0x4e];
/** A request of 0.7 is at least as long as its answer could be. */
const requestBytes = 512;

interface UnacknowledgedChunk extends SentChunk {
  readonly sequence: number;
  sent: number;
}

/**
 * One end of a connection, client or server, of 0.6 (with DDNet's tokens) or 0.7: packets in, messages out, and messages in, packets
 * out. Sequence numbers, acknowledgements and repeated messages are its business; sockets and clocks are the caller's.
 * ```
 * client 0.6   connect →            ← connectaccept    accept →
 *        0.7   token →   ← token    connect →          ← accept
 * ```
 *
 * Source: `CNetConnection` in `src/engine/shared/network_conn.cpp` of the games.
 */
export class Channel {
  readonly version: PacketVersion;
  state: 'connecting' | 'online' | 'closed' = 'connecting';
  /** Why the other end closed the connection. */
  reason = '';
  readonly #isClient: boolean;
  readonly #own = Math.floor(Math.random() * noToken);
  /** The token that the other end expects; undefined in 0.6 without tokens. */
  #token: number | undefined;
  readonly #received = new VitalReceiver();
  readonly #sent = new VitalSender<UnacknowledgedChunk>();
  /** The other end asked for the messages that it has not acknowledged: the next packets contain them once. */
  #mustResend = false;
  #lastSent = Number.NEGATIVE_INFINITY;
  #chunks: SentChunk[] = [];
  #controls: Uint8Array[] = [];

  /** @param role a client's channel asks for a connection until there is an answer; a server's waits for that */
  constructor(version: PacketVersion, role: 'client' | 'server') {
    this.version = version;
    this.#isClient = role === 'client';
  }

  #request(): void {
    if (this.version === '0.6') this.#control([1, ...magic], noToken);
    else this.#control([5, ...bytesOf(this.#own)], noToken, requestBytes);
  }

  /** Sends a message with the next packets; a vital one arrives in any case, in the order of the calls. */
  send(message: Uint8Array, { vital = false }: { readonly vital?: boolean } = {}): void {
    this.#chunks.push(
      vital ? this.#sent.add((sequence) => ({ message, vital, sequence, sent: Number.NaN })) : { message },
    );
  }

  close(reason = ''): void {
    this.state = 'closed';
    this.#control([4, ...textBytes(reason)]);
  }

  /** The packets that are due. @param seconds the time, by which old messages are sent again */
  packets(seconds: number): Uint8Array[] {
    const { version } = this;
    const token = this.#token;
    if (seconds - this.#lastSent > keepAliveAfter) {
      if (this.state === 'online' && this.#chunks.length === 0) this.#control([0]);
      else if (this.state === 'connecting' && this.#isClient) this.#request();
    }
    const packets = this.#controls.splice(0);
    if (packets.length > 0) this.#lastSent = seconds;
    if (this.state !== 'online') return packets;
    if (this.#mustResend || this.#sent.waiting.some(({ sent }) => seconds - sent > resendSeconds)) this.#resend();
    this.#mustResend = false;
    const chunks = this.#chunks.splice(0);
    while (chunks.length > 0 || this.#received.asksAgain) {
      let count = 0;
      for (let size = 0; count < chunks.length && count < maxChunks; count++) {
        size += chunks[count]!.message.length + 3;
        if (size > maxChunkBytes && count > 0) break;
      }
      const own = chunks.splice(0, count);
      const { last: ack, asksAgain: resend } = this.#received;
      packets.push(writePacket({ version, ack, resend, chunks: own, token }));
      this.#received.asksAgain = false;
    }
    if (packets.length > 0) this.#lastSent = seconds;
    for (const chunk of this.#sent.waiting) if (!(seconds - chunk.sent <= resendSeconds)) chunk.sent = seconds;
    return packets;
  }

  /** The messages of a packet that are next in their order. Packets that are damaged or of someone else have none. */
  receive(bytes: Uint8Array): Uint8Array[] {
    const { packet, error } = readPartOfPacket(bytes, this.version, ignore);
    if (!packet || error || packet.kind === 'connless' || this.state === 'closed') return [];
    const isRight = this.#isRight(packet);
    if (packet.kind === 'control') this.#onControl(packet, isRight);
    else if (isRight) this.state = 'online';
    // A keep-alive acknowledges and asks as every packet does.
    if (!isRight || this.state !== 'online' || !this.#sent.acknowledge(packet.ack)) return [];
    if (packet.resend) this.#mustResend = true;
    return packet.chunks
      .filter(({ vital, sequence }) => !vital || this.#received.take(sequence) === 'next')
      .map(({ start, end }) => packet.payload.slice(start, end));
  }

  /** Whether a packet has the token of this connection. In 0.6 it is at the end of a control packet, too, where nothing announces it. */
  #isRight({ kind, token, payload }: Packet): boolean {
    if (this.version === '0.7') return token === this.#own;
    if (kind !== 'control') return token === this.#token;
    return this.#token === undefined || tokenAtEnd(payload) === this.#token;
  }

  #onControl({ control, payload }: Packet, isRight: boolean): void {
    const is07 = this.version === '0.7';
    const announced = is07 ? announced07(payload) : announced06(payload);
    if (control === 4) {
      if (!isRight) return;
      this.state = 'closed';
      this.reason = new TextDecoder().decode(payload.subarray(1)).split('\0', 1)[0]!;
    } else if (this.state === 'connecting') {
      if (this.#isClient) this.#onAnswer(control, announced, isRight);
      else this.#onRequest(control, announced, isRight);
    }
  }

  #onAnswer(control: number | undefined, announced: number | undefined, isRight: boolean): void {
    if (this.version === '0.6' && control === 2) {
      this.#token = announced;
      this.state = 'online';
      this.#control([3]);
    } else if (this.version === '0.7' && isRight && control === 5) {
      this.#token = announced;
      this.#control([1, ...bytesOf(this.#own)], announced, requestBytes);
    } else if (this.version === '0.7' && isRight && control === 2) this.state = 'online';
  }

  /** A server of 0.6 answers without a token, as those before DDNet do. Of 0.7, only who was given the token can connect. */
  #onRequest(control: number | undefined, announced: number | undefined, isRight: boolean): void {
    if (this.version === '0.6') {
      if (control === 1) this.#control([2]);
    } else if (announced !== undefined && control === 5) this.#control([5, ...bytesOf(this.#own)], announced);
    else if (announced !== undefined && control === 1 && isRight) {
      this.#token = announced;
      this.#control([2]);
    }
  }

  #control(content: readonly number[], token = this.#token, least = 0): void {
    const control = new Uint8Array(Math.max(content.length, least));
    control.set(content);
    this.#controls.push(writePacket({ version: this.version, ack: this.#received.last, control, token }));
  }

  #resend(): void {
    const waiting = new Set<SentChunk>(this.#chunks);
    const again = this.#sent.waiting.filter((chunk) => !waiting.has(chunk));
    this.#chunks.unshift(...again.map((chunk) => ({ ...chunk, resend: true })));
    for (const chunk of again) chunk.sent = Number.NaN;
  }
}

const announced07 = (payload: Uint8Array) => (payload.length >= 5 ? u32(payload, 1, false) : undefined);
/** DDNet's token follows a mark. */
const announced06 = (payload: Uint8Array) =>
  payload.length >= 9 && magic.every((byte, i) => payload[1 + i] === byte) ? u32(payload, 5, false) : undefined;
/** The last bytes of a control packet of 0.6 with a token. */
const tokenAtEnd = (payload: Uint8Array) => (payload.length >= 5 ? u32(payload, payload.length - 4, false) : undefined);

const bytesOf = (token: number) => [token >>> 24, (token >>> 16) & 0xff, (token >>> 8) & 0xff, token & 0xff];
