import { createSocket, type Socket } from 'node:dgram';
import type { Address } from '../../src/api/node/address.ts';
import { handshakeStepOf } from '../../src/recording/capture/handshake.ts';
import { endpointText } from '../../src/recording/container/net/ip.ts';
import type { Direction } from '../../src/recording/replay/stream.ts';
import { isConnless } from '../../src/wire/packet/packet.ts';

/** The clients at once. Others are not answered. */
const maxClients = 16;
/**
 * The seconds of silence after which a client has gone: one that is connected, and one that is not. DDNet's servers
 * wait 100 s.
 */
const connectedSilence = 120;
const otherSilence = 10;
/** The seconds after which the place of a client that is not connected goes to another. */
const ownSeconds = 1;

/** What a client's packets are given to. */
export interface Passenger {
  readonly isConnected: boolean;
  /** Whether the server has answered to the token that only the owner of the client's address knows. */
  readonly isProven: boolean;
  /** A datagram that passes, before it is sent on. */
  pass(direction: Direction, datagram: Uint8Array): void;
  end(): void;
}

interface Client {
  readonly end: { readonly address: string; readonly port: number };
  readonly socket: Socket;
  readonly passenger: Passenger;
  readonly isLocal: boolean;
  lastTime: number;
  /** The bytes that it sent, less those that it got. */
  credit: number;
}

interface RelayOptions {
  readonly listen: Address;
  readonly server: Address;
  board(client: Client['end']): Passenger;
  /** A failure inside, which ends the relay. */
  failed(error: unknown): void;
}

/**
 * Passes datagrams between clients and one server, each as it is, in its order.
 * ```
 *   game ──→ listen ─ socket of its own ──→ server
 *        ←──        ←─                  ←──
 * ```
 * Who may take part: a client that asks for a connection or for the server's information, {@link maxClients} of
 * them at once, and the server, for each client on a socket that nobody else knows. Nothing is answered by the relay,
 * repeated or kept, so that what it sends is what it gets. A client of another machine, whose address may be forged,
 * gets no more bytes than it sent, until the server has seen the token that it gave to this address.
 */
export class Relay {
  /**
   * Datagrams that were not passed on: of others, of too many clients, or too large for a client that may be forged.
   */
  refused = 0;
  readonly #options: RelayOptions;
  readonly #front: Socket;
  readonly #clients = new Map<string, Client>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** @throws Error with a `code` if the address can't be used */
  static async open(options: RelayOptions): Promise<Relay> {
    const { address, port, family } = options.listen;
    const front = createSocket(family === 6 ? 'udp6' : 'udp4');
    await new Promise<void>((done, fail) => {
      front.once('error', fail);
      front.bind(port, address, () => {
        front.off('error', fail);
        done();
      });
    });
    return new Relay(front, options);
  }

  private constructor(front: Socket, options: RelayOptions) {
    this.#options = options;
    this.#front = front;
    front.on('error', options.failed);
    front.on('message', (bytes, from) => this.#guarded(() => this.#fromClient(bytes, from)));
    this.#timer = setInterval(() => this.#guarded(() => this.#endSilent()), 1000);
  }

  get address(): string {
    const { address, port } = this.#front.address();
    return endpointText(address, port);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const key of [...this.#clients.keys()]) this.#end(key);
    this.#front.close();
  }

  #guarded(job: () => void): void {
    try {
      job();
    } catch (error) {
      this.#options.failed(error);
    }
  }

  #fromClient(bytes: Uint8Array, from: Client['end']): void {
    const key = endpointText(from.address, from.port);
    const client = this.#clients.get(key) ?? this.#admit(key, bytes, from);
    if (!client) {
      this.refused++;
      return;
    }
    const { server } = this.#options;
    client.lastTime = seconds();
    client.credit += bytes.length;
    client.passenger.pass('to_server', bytes);
    client.socket.send(bytes, server.port, server.address, ignored);
  }

  #admit(key: string, bytes: Uint8Array, { address, port }: Client['end']): Client | undefined {
    if (!asks(bytes) || !this.#hasRoom()) return undefined;
    const end = { address, port };
    const socket = createSocket(this.#options.server.family === 6 ? 'udp6' : 'udp4');
    const passenger = this.#options.board(end);
    const client: Client = { end, socket, passenger, isLocal: isLoopback(address), lastTime: seconds(), credit: 0 };
    // A server that is not there, as while it restarts, is one that is silent.
    socket.on('error', () => {});
    socket.on('message', (answer, sender) => this.#guarded(() => this.#fromServer(client, answer, sender)));
    this.#clients.set(key, client);
    return client;
  }

  /** The client that has been silent for longest makes room, unless it is connected or has just come. */
  #hasRoom(): boolean {
    if (this.#clients.size < maxClients) return true;
    const now = seconds();
    const idle = [...this.#clients].filter(
      ([, { passenger, lastTime }]) => !passenger.isConnected && now - lastTime >= ownSeconds,
    );
    const [oldest] = idle.sort(([, a], [, b]) => a.lastTime - b.lastTime);
    if (oldest) this.#end(oldest[0]);
    return oldest !== undefined;
  }

  #fromServer(client: Client, bytes: Uint8Array, { address, port }: Client['end']): void {
    const { server } = this.#options;
    const { end, passenger } = client;
    if (address !== server.address || port !== server.port) {
      this.refused++;
      return;
    }
    passenger.pass('to_client', bytes);
    if (!client.isLocal && !passenger.isProven && bytes.length > client.credit) {
      this.refused++;
      return;
    }
    client.credit -= bytes.length;
    this.#front.send(bytes, end.port, end.address, ignored);
  }

  #endSilent(): void {
    const now = seconds();
    for (const [key, { passenger, lastTime }] of this.#clients) {
      if (now - lastTime > (passenger.isConnected ? connectedSilence : otherSilence)) this.#end(key);
    }
  }

  #end(key: string): void {
    const client = this.#clients.get(key)!;
    this.#clients.delete(key);
    client.socket.close();
    client.passenger.end();
  }
}

/** Whether a datagram may be the first of a client: the request of a connection, or of the server's information. */
function asks(bytes: Uint8Array): boolean {
  const kind = handshakeStepOf(bytes)?.kind;
  return isConnless(bytes) || kind === 'connect' || kind === 'token_request';
}

const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/.test(address);

/** A datagram that can't be sent is one that is lost. */
const ignored = () => {};

const seconds = () => performance.now() / 1000;
