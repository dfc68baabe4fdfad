import type { PacketVersion } from '../packet/packet.ts';
import type { Handshake, HandshakeStep } from './handshake.ts';

/** Which of the two ends of a flow sent a packet. */
export type End = 0 | 1;

/** A packet that waits until it is known what becomes of a handshake. */
export interface HeldPacket {
  readonly bytes: Uint8Array;
  readonly sender: End;
  readonly time: number;
  readonly frame: number;
}

/** Packets of one handshake that are kept; a client repeats its request twice a second. */
const maxPackets = 32;

/**
 * A client's attempt to connect: a request for a token, as server browsers send it too, or for a connection. It is a connection only
 * when the server answers, and where one is going on with the same ends, when the client goes on after that.
 */
export class Attempt {
  readonly version: PacketVersion;
  readonly client: End;
  readonly packets: HeldPacket[] = [];
  /** Packets that were not kept. */
  dropped = 0;
  /** Whether the server accepted. */
  isAnswered = false;
  /** Whether the connection has tokens; undefined before the answer. */
  #hasTokens: boolean | undefined;
  /** Those that the client announced: a client that asks again may announce another. */
  readonly #clientTokens = new Set<number | undefined>();
  #clientToken: number | undefined;
  #serverToken: number | undefined;

  constructor(version: PacketVersion, client: End) {
    this.version = version;
    this.client = client;
  }

  hold(packet: HeldPacket): void {
    if (this.packets.length < maxPackets) this.packets.push({ ...packet, bytes: packet.bytes.slice() });
    else this.dropped++;
  }

  /** Whether a request continues this attempt. */
  isRepeatedBy({ version }: HandshakeStep, sender: End): boolean {
    return version === this.version && sender === this.client;
  }

  onRequest({ kind, headerToken, token }: HandshakeStep): void {
    this.#clientToken = token;
    if (this.#clientTokens.size < maxPackets) this.#clientTokens.add(token);
    if (this.version === '0.7' && kind === 'connect') this.#serverToken = headerToken;
  }

  /** Takes the answer to a request; false where the packet is none. */
  onAnswer({ version, kind, headerToken, token }: HandshakeStep, sender: End): boolean {
    if (version !== this.version || sender === this.client) return false;
    if (headerToken !== undefined && !this.#clientTokens.has(headerToken)) return false;
    if (headerToken !== undefined) this.#clientToken = headerToken;
    if (kind === 'token' || version === '0.6') this.#serverToken = token;
    if (kind === 'accept') {
      this.isAnswered = true;
      this.#hasTokens = version === '0.7' || token !== undefined;
    }
    return true;
  }

  /** Whether a packet of the client has the token that the server gave it, in a connection with tokens. */
  isContinuedWith(token: number | undefined): boolean {
    return this.isAnswered && this.#hasTokens === true && token !== undefined && token === this.#serverToken;
  }

  get isWithoutTokens(): boolean {
    return this.#hasTokens === false;
  }

  /** The connection that results from it. */
  get handshake(): Handshake {
    const { version } = this;
    const begun = { begins: true, version, sender: 'client' } as const;
    if (this.#hasTokens === undefined) return begun;
    const server = this.#serverToken;
    // DDNet's token for 0.6 is one for both.
    const isForBoth = version === '0.6' && !this.#isOf065;
    const tokens = { to_client: isForBoth ? server : this.#clientToken, to_server: server };
    return version === '0.7' && server === undefined ? begun : { ...begun, tokens };
  }

  /** 0.6.5 has a token for each side; DDNet's client asks for one with -1, and clients of 0.6 before say nothing. */
  get #isOf065(): boolean {
    const token = this.#clientToken;
    return this.version === '0.6' && token !== undefined && token !== 0xffffffff;
  }
}
