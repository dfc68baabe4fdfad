import { ignore } from '../bytes/diagnostic.ts';
import { u32 } from '../bytes/fixed-int.ts';
import { type Packet, type PacketVersion, readPartOfPacket } from '../packet/packet.ts';
import { noToken, type SentChunk, textBytes, writePacket } from '../packet/write.ts';

/** Bytes of messages with their heads in a packet, which leaves room for a header and a token. */
const maxChunkBytes = 1380;
const maxChunks = 255;
const modulus = 1024;
/** The seconds after which a message without acknowledgement is sent again, and after which an idle end shows that it is there. */
const [resendAfter, keepAliveAfter] = [1, 0.5];
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
  #received = 0;
  #sent = 0;
  #asksForResend = false;
  #lastSent = Number.NEGATIVE_INFINITY;
  #unacknowledged: UnacknowledgedChunk[] = [];
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
    if (!vital) {
      this.#chunks.push({ message });
      return;
    }
    this.#sent = (this.#sent + 1) % modulus;
    const chunk = { message, vital, sequence: this.#sent, sent: Number.NaN };
    this.#unacknowledged.push(chunk);
    this.#chunks.push(chunk);
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
    if (this.#unacknowledged.some(({ sent }) => seconds - sent > resendAfter)) this.#resend();
    const chunks = this.#chunks.splice(0);
    while (chunks.length > 0 || this.#asksForResend) {
      let count = 0;
      for (let size = 0; count < chunks.length && count < maxChunks; count++) {
        size += chunks[count]!.message.length + 3;
        if (size > maxChunkBytes && count > 0) break;
      }
      const own = chunks.splice(0, count);
      packets.push(writePacket({ version, ack: this.#received, resend: this.#asksForResend, chunks: own, token }));
      this.#asksForResend = false;
    }
    if (packets.length > 0) this.#lastSent = seconds;
    for (const chunk of this.#unacknowledged) if (!(seconds - chunk.sent <= resendAfter)) chunk.sent = seconds;
    return packets;
  }

  /** The messages of a packet that are next in their order. Packets that are damaged or of someone else have none. */
  receive(bytes: Uint8Array): Uint8Array[] {
    const { packet, error } = readPartOfPacket(bytes, this.version, ignore);
    if (!packet || error || packet.kind === 'connless' || this.state === 'closed') return [];
    if (packet.kind === 'control') this.#onControl(packet);
    if (packet.kind === 'control' || !this.#isRight(packet)) return [];
    this.state = 'online';
    this.#acknowledged(packet.ack);
    if (packet.resend) this.#resend();
    return packet.chunks.flatMap(({ start, end, vital, sequence }) => {
      const message = packet.payload.slice(start, end);
      if (!vital) return [message];
      const ahead = (sequence - this.#received + modulus) % modulus;
      if (ahead !== 1) {
        // Behind is what was received before; ahead is what comes after a loss.
        if (ahead > 1 && ahead < modulus / 2) this.#asksForResend = true;
        return [];
      }
      this.#received = sequence;
      return [message];
    });
  }

  #isRight({ token }: Packet): boolean {
    return this.version === '0.7' ? token === this.#own : token === this.#token;
  }

  #onControl(packet: Packet): void {
    const { control, payload, token } = packet;
    const is07 = this.version === '0.7';
    const announced = payload.length >= 5 ? u32(payload, is07 ? 1 : payload.length - 4, false) : undefined;
    if (control === 4 && (this.state === 'connecting' || !is07 || this.#isRight(packet))) {
      this.state = 'closed';
      this.reason = new TextDecoder().decode(payload.subarray(1)).split('\0', 1)[0]!;
    } else if (this.#isClient) this.#onAnswer(control, announced, token);
    else this.#onRequest(control, announced);
  }

  #onAnswer(control: number | undefined, announced: number | undefined, token: number | undefined): void {
    if (this.state !== 'connecting') return;
    if (this.version === '0.6' && control === 2) {
      this.#token = announced;
      this.state = 'online';
      this.#control([3]);
    } else if (this.version === '0.7' && token === this.#own && control === 5) {
      this.#token = announced;
      this.#control([1, ...bytesOf(this.#own)], announced, requestBytes);
    } else if (this.version === '0.7' && token === this.#own && control === 2) this.state = 'online';
  }

  /** A server of 0.6 answers without a token, as those before DDNet do. */
  #onRequest(control: number | undefined, announced: number | undefined): void {
    if (this.version === '0.6') {
      if (control === 1) this.#control([2]);
      return;
    }
    if (announced === undefined || (control !== 5 && control !== 1)) return;
    this.#token = announced;
    this.#control(control === 5 ? [5, ...bytesOf(this.#own)] : [2]);
  }

  #control(content: readonly number[], token = this.#token, least = 0): void {
    const control = new Uint8Array(Math.max(content.length, least));
    control.set(content);
    this.#controls.push(writePacket({ version: this.version, ack: this.#received, control, token }));
  }

  #acknowledged(ack: number): void {
    const isReceived = ({ sequence }: UnacknowledgedChunk) => (ack - sequence + modulus) % modulus < modulus / 2;
    this.#unacknowledged = this.#unacknowledged.filter((chunk) => !isReceived(chunk));
  }

  #resend(): void {
    const waiting = new Set<SentChunk>(this.#chunks);
    const again = this.#unacknowledged.filter((chunk) => !waiting.has(chunk));
    this.#chunks.unshift(...again.map((chunk) => ({ ...chunk, resend: true })));
    for (const chunk of again) chunk.sent = Number.NaN;
  }
}

const bytesOf = (token: number) => [token >>> 24, (token >>> 16) & 0xff, (token >>> 8) & 0xff, token & 0xff];
