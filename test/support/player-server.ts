import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { build } from '../../src/api/index.ts';
import { Channel, readMessage, SnapshotSender, writeMessage } from '../../src/api/live.ts';
import { MapSummary } from '../../src/recording/replay/map-summary.ts';

type Version = '0.6' | '0.7';

interface Client {
  readonly channel: Channel;
  readonly sender: SnapshotSender;
  isPlaying: boolean;
  pieces: number;
}

/** What a test's server offers. */
export interface PlayerServerOptions {
  readonly port?: number;
  readonly map?: { readonly name: string; readonly bytes: Uint8Array };
  /** The checksum that is announced, if it is not that of the map. */
  readonly crc?: number;
  readonly pieceBytes?: number;
  /** Of every five packets in each direction one is lost, and one of the server's is overtaken by the next. */
  readonly isLossy?: boolean;
  /** Whether it knows nothing of DDNet's tokens, as servers of 0.6 from before. */
  readonly isOld?: boolean;
}

/** The messages that clients sent, by name, with the number of the connection from 1. */
export interface Heard {
  readonly connection: number;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * A server with a map and one player, as far as a client notices. It answers as `src/engine/server/server.cpp` of the
 * games does.
 */
export class PlayerServer {
  readonly heard: Heard[] = [];
  readonly #version: Version;
  readonly #socket: Socket = createSocket('udp4');
  readonly #clients = new Map<string, Client>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #pieceBytes: number;
  readonly #isOld: boolean;
  readonly #isLossy: boolean;
  #received = 0;
  #sent = 0;
  /** A packet that the next one overtakes. */
  #held: (() => void) | undefined;
  #map: { readonly name: string; readonly bytes: Uint8Array };
  #crc: number | undefined;
  #tick = 100;
  /** Nothing is received or sent while it is set. */
  isSilent = false;
  /** It sends no snapshots of its own. */
  isFrozen = false;

  private constructor(version: Version, options: PlayerServerOptions) {
    this.#version = version;
    this.#map = options.map ?? { name: 'dm1', bytes: mapOf(3000) };
    this.#crc = options.crc;
    this.#pieceBytes = options.pieceBytes ?? 800;
    this.#isOld = options.isOld ?? false;
    this.#isLossy = options.isLossy ?? false;
    this.#socket.on('message', (bytes, { port }) => this.#receive(bytes, port));
    this.#timer = setInterval(() => this.#step(), 10);
  }

  static async start(version: Version, options: PlayerServerOptions = {}): Promise<PlayerServer> {
    const server = new PlayerServer(version, options);
    server.#socket.bind(options.port ?? 0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  changeMap(map: { readonly name: string; readonly bytes: Uint8Array }): void {
    this.#map = map;
    for (const client of this.#clients.values()) {
      client.isPlaying = false;
      this.#announceMap(client);
    }
  }

  say(name: string, fields: Readonly<Record<string, unknown>>): void {
    for (const client of this.#clients.values()) this.#send(client, name, fields);
  }

  closeAll(reason: string): void {
    for (const { channel } of this.#clients.values()) channel.close(reason);
    this.#step();
    this.#clients.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  #receive(datagram: Uint8Array, port: number): void {
    if (this.isSilent) return;
    if (this.#isLossy && ++this.#received % 5 === 0) return;
    // A control packet with the code 1, a request: all that an old server reads of it.
    const bytes = this.#isOld && datagram[0] === 0x10 && datagram[3] === 1 ? datagram.subarray(0, 4) : datagram;
    const key = String(port);
    const fresh = () => ({
      channel: new Channel(this.#version, 'server'),
      sender: new SnapshotSender(this.#version),
      isPlaying: false,
      pieces: 0,
    });
    const client = this.#clients.get(key) ?? fresh();
    this.#clients.set(key, client);
    const connection = [...this.#clients.keys()].indexOf(key) + 1;
    for (const message of client.channel.receive(bytes)) {
      const { name, fields } = readMessage(message, this.#version);
      this.heard.push({ connection, name: name ?? '', fields: fields as Heard['fields'] });
      this.#answer(client, name ?? '', fields as Heard['fields']);
    }
  }

  #answer(client: Client, name: string, fields: Heard['fields']): void {
    if (name === 'info') this.#announceMap(client);
    else if (name === 'request_map_data') this.#sendPieces(client, fields.chunk as number | undefined);
    else if (name === 'ready') this.#send(client, 'con_ready', {});
    else if (name === 'cl_startinfo') this.#send(client, 'sv_readytoenter', {});
    else if (name === 'enter_game') client.isPlaying = true;
    else if (name === 'input') client.sender.acknowledge(fields.ack_snapshot as number);
  }

  #announceMap(client: Client): void {
    const { name, bytes } = this.#map;
    const sums = new MapSummary();
    sums.add(bytes);
    const crc = (this.#crc ?? sums.crc) | 0;
    client.pieces = 0;
    const more = {
      num_response_chunks_per_request: 2,
      chunk_size: this.#pieceBytes,
      sha256: Uint8Array.from(Buffer.from(sums.sha256, 'hex')),
    };
    this.#send(client, 'map_change', { name, crc, size: bytes.length, ...(this.#version === '0.7' && more) });
  }

  #sendPieces(client: Client, chunk: number | undefined): void {
    const size = this.#pieceBytes;
    const { bytes } = this.#map;
    if (chunk !== undefined) {
      const data = bytes.subarray(chunk * size, (chunk + 1) * size);
      const last = Number((chunk + 1) * size >= bytes.length);
      this.#send(client, 'map_data', { last, crc: 0, chunk, size: data.length, data });
      return;
    }
    for (let i = 0; i < 2 && client.pieces * size < bytes.length; i++, client.pieces++) {
      this.#send(client, 'map_data', { data: bytes.subarray(client.pieces * size, (client.pieces + 1) * size) });
    }
  }

  #send({ channel }: Client, name: string, fields: Readonly<Record<string, unknown>>): void {
    channel.send(writeMessage(this.#version as string as never, name as never, fields as never));
  }

  #put(packet: Uint8Array, port: number): void {
    const send = () => this.#socket.send(packet, port, '127.0.0.1');
    const place = this.#isLossy ? ++this.#sent % 5 : 0;
    if (place === 1) return;
    if (place === 2) {
      this.#held = send;
      return;
    }
    send();
    this.#held?.();
    this.#held = undefined;
  }

  #step(): void {
    if (this.isSilent) return;
    this.#tick++;
    for (const [key, client] of this.#clients) {
      if (client.isPlaying && !this.isFrozen && this.#tick % 2 === 0) {
        const info = { client_id: 0, score: this.#tick, local: 1 };
        const item = this.#version === '0.6' ? info : { score: this.#tick };
        const snapshot = build(this.#version as '0.6').add('obj_player_info', 0, item as never);
        // In 0.7 a message says who a player is.
        if (this.#version === '0.6') snapshot.add('obj_client_info', 0, { name: 'player' } as never);
        for (const message of client.sender.send(this.#tick, snapshot.build())) client.channel.send(message);
      }
      for (const packet of client.channel.packets(performance.now() / 1000)) {
        this.#put(packet, Number(key));
      }
      if (client.channel.state === 'closed') this.#clients.delete(key);
    }
  }
}

/** Bytes that are no map, which a client does not look into. */
export const mapOf = (size: number, first = 1): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (first + i * 7 + (i >> 8)) & 0xff);
