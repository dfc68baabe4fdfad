import type { PacketVersion } from '../packet/packet.ts';
import type { Handshake, HandshakeStep } from './handshake.ts';

/** Which of the two ends of a flow sent a packet. */
export type End = 0 | 1;

/** A packet that is held until the outcome of a handshake is known. */
export interface HeldPacket {
  readonly bytes: Uint8Array;
  readonly sender: End;
  readonly time: number;
  readonly frame: number;
}

/** The maximum number of packets that are kept of one handshake; a client repeats its request twice a second. */
const maxPackets = 32;

/**
 * A client's attempt to connect: a request for a connection, or for a token, which server browsers also send. It
 * becomes a connection when the server answers; if the same two ends already have one, the client must also continue
 * after the answer.
 */
export class Attempt {
  readonly version: PacketVersion;
  readonly client: End;
  readonly packets: HeldPacket[] = [];
  /** The number of packets that were not kept. */
  dropped = 0;
  /** Whether the server accepted. */
  isAnswered = false;
  /** Whether the connection has tokens; undefined before the answer. */
  #hasTokens: boolean | undefined;
  /** The tokens that the client announced. A repeated request may announce another token. */
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

  /** Adds the answer to a request; returns false for any other packet. */
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

  /** Whether a packet of the client has the token that the server assigned to it, in a connection with tokens. */
  isContinuedWith(token: number | undefined): boolean {
    return this.isAnswered && this.#hasTokens === true && token !== undefined && token === this.#serverToken;
  }

  get isWithoutTokens(): boolean {
    return this.#hasTokens === false;
  }

  /** The handshake of the resulting connection. */
  get handshake(): Handshake {
    const { version } = this;
    const begun = { begins: true, version, sender: 'client' } as const;
    if (this.#hasTokens === undefined) return begun;
    const server = this.#serverToken;
    // In 0.6 DDNet uses one token for both directions.
    const isForBoth = version === '0.6' && !this.#isOf065;
    const tokens = { to_client: isForBoth ? server : this.#clientToken, to_server: server };
    return version === '0.7' && server === undefined ? begun : { ...begun, tokens };
  }

  /** 0.6.5 has a token for each side. DDNet's client requests one with -1; older 0.6 clients send none. */
  get #isOf065(): boolean {
    const token = this.#clientToken;
    return this.version === '0.6' && token !== undefined && token !== 0xffffffff;
  }
}
