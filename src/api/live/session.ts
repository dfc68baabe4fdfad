import { type AnnouncedMap, MapDownload, maxKeptMapBytes } from '../../recording/capture/map-download.ts';
import { SnapshotReceiver } from '../../recording/capture/snapshot-receiver.ts';
import { join } from '../../wire/bytes/copy.ts';
import { expects } from '../../wire/bytes/expects.ts';
import { type Message, readMessage, valueNamed } from '../../wire/packet/message.ts';
import type { PacketVersion } from '../../wire/packet/packet.ts';
import { messageBytes } from '../../wire/packet/write.ts';
import { type Protocol, protocolOf } from '../../wire/protocol/registry.ts';
import type { WritableMessageFields } from '../../wire/protocol/typed-names.ts';
import { Channel, type ChannelOptions, checkSize } from './channel.ts';

/** Who joins. */
export interface PlayerOptions extends ChannelOptions {
  /** The name of the player, of at most 15 bytes; the server changes one that is taken. Default: `nameless tee`. */
  readonly name?: string;
  readonly clan?: string;
  /** The number of a country by ISO 3166-1, such as 276; -1, the default, is none. */
  readonly country?: number;
  /** The name of a skin of 0.6; in 0.7 that of the body. Default: `default` and `standard`. */
  readonly skin?: string;
  /** The password of the server. */
  readonly password?: string;
  /** Whether the maps are downloaded, from the game server; default: true. */
  readonly downloadMap?: boolean;
}

/** What a player does, until it is changed. Not given is 0. */
export type PlayerInput = Partial<
  Omit<WritableMessageFields<'0.6', 'input'>, 'ack_snapshot' | 'intended_tick' | 'input_size' | 'ping_correction'>
>;

/** The map of a server. */
export interface ServerMap extends AnnouncedMap {
  /** The file; undefined before it is downloaded, or if it isn't. Its checksums are those that the server announced. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * `connecting`: a handshake; `loading`: the map, and what the server asks before a player is in the game; then
 * `playing`.
 */
export type ClientState = 'connecting' | 'loading' | 'playing' | 'closed';

/** What the games announce: their network version, and for 0.6 that the client knows what DDNet has added. */
const gameVersions = { '0.6': '0.6 626fce9a778df4d4', '0.7': '0.7 802f1be60a05665f' } as const;
const clientVersion07 = 0x0705;
const ddnetVersion = { ddnet_version: 19_060, ddnet_version_string: 'tw-snap' } as const;

/** By how many ticks an input is for the future. */
const ahead = 2;
/** The seconds between two inputs: servers have 50 ticks a second. */
const inputGap = 0.015;

const idle = {
  direction: 0,
  target_x: 0,
  target_y: -1,
  jump: 0,
  fire: 0,
  hook: 0,
  player_flags: 0,
  wanted_weapon: 0,
  next_weapon: 0,
  prev_weapon: 0,
} as const;

/**
 * A player of one connection, from the handshake to its end: what the client of a game answers without its user.
 * ```
 *   info →            ← map_change
 *   request_map_data →    ← map_data       as often as needed
 *   ready →           ← con_ready
 *   cl_startinfo →    ← sv_readytoenter
 *   enter_game →      ← snap, snap, …      and an input for each, which acknowledges it
 * ```
 * A map change begins again at the second line. Sockets and clocks are the caller's.
 *
 * Source: `CClient::ProcessServerPacket` in `src/engine/client/client.cpp` of the games.
 */
export class ClientSession {
  readonly channel: Channel;
  readonly protocol: Protocol;
  /** Whether the server has sent a message: before, it may not know of the connection. */
  isKnown = false;
  /** The client number of the player, where the server has said it. */
  clientId: number | undefined;
  map: ServerMap | undefined;
  readonly #version: PacketVersion;
  readonly #downloadsMap: boolean;
  /** What the client says of itself: made first, so that what cannot be sent is refused at once. */
  readonly #greeting: readonly Uint8Array[];
  readonly #startInfo: Uint8Array;
  readonly #receiver: SnapshotReceiver;
  readonly #download = new MapDownload();
  /** In 0.7, the pieces that the server sends for each request. */
  #piecesPerRequest = 1;
  #hasGreeted = false;
  /** Whether it has entered the game: games forget the snapshots before that, which may be of another map. */
  #isPlaying = false;
  #input: Required<PlayerInput> = idle;
  #tick = 0;
  #isInputDue = false;
  #lastInput = Number.NEGATIVE_INFINITY;

  /**
   * @param before an earlier connection, whose input goes on, and whose map is not downloaded again
   * @throws TypeError for an option of another type; RangeError for a text or number that no message holds
   */
  constructor(version: PacketVersion, options: PlayerOptions, before?: ClientSession) {
    this.#version = version;
    this.channel = new Channel(version, 'client', options);
    this.protocol = protocolOf(version);
    this.#receiver = new SnapshotReceiver(this.protocol);
    const { downloadMap = true, password = '' } = options;
    if (typeof downloadMap !== 'boolean') expects('downloadMap', 'true or false', downloadMap);
    this.#downloadsMap = downloadMap;
    this.#greeting = this.#greetingOf(password);
    this.#startInfo = this.#bytes('cl_startinfo', this.#startInfoOf(options));
    this.map = before?.map;
    if (before) this.#input = before.#input;
  }

  get state(): ClientState {
    const { state } = this.channel;
    return state === 'online' ? (this.#isPlaying ? 'playing' : 'loading') : state;
  }

  receive(datagram: Uint8Array, seconds: number): void {
    for (const bytes of this.channel.receive(datagram)) {
      this.isKnown = true;
      this.#onMessage(readMessage(bytes, 0, bytes.length, this.protocol), seconds);
    }
  }

  /** The packets that are due. */
  packets(seconds: number): Uint8Array[] {
    if (!this.#hasGreeted && this.channel.state === 'online') this.#greet();
    if (this.#isInputDue && this.#isPlaying && seconds - this.#lastInput >= inputGap) this.#sendInput(seconds);
    return this.channel.packets(seconds);
  }

  input(changes: PlayerInput): void {
    const input = { ...this.#input, ...changes };
    // Wrong names and values are refused here, not when it is sent.
    messageBytes(this.protocol, 'input', this.#whole(input));
    this.#input = input;
    this.#isInputDue = true;
  }

  send(name: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.channel.send(messageBytes(this.protocol, name, fields));
  }

  #bytes(name: string, fields: Readonly<Record<string, unknown>>): Uint8Array {
    const bytes = messageBytes(this.protocol, name, fields);
    checkSize(bytes, this.#version);
    return bytes;
  }

  get #is07(): boolean {
    return this.#version === '0.7';
  }

  #greetingOf(password: string): Uint8Array[] {
    const info = { version: gameVersions[this.#version], password };
    if (this.#is07) return [this.#bytes('info', { ...info, client_version: clientVersion07 })];
    // Servers before DDNet ignore the first.
    const client = { connection_id: randomUuid(), ...ddnetVersion };
    return [this.#bytes('client_version', client), this.#bytes('info', info)];
  }

  #greet(): void {
    this.#hasGreeted = true;
    for (const bytes of this.#greeting) this.channel.send(bytes);
  }

  #onMessage(message: Message, seconds: number): void {
    const name = message.type?.name;
    const isRead = this.#isPlaying || name === 'map_change';
    for (const { tick, snapshot } of isRead ? this.#receiver.add(message, seconds) : []) {
      this.#tick = Math.max(this.#tick, tick);
      this.#isInputDue = true;
      if (snapshot && this.clientId === undefined && !this.#is07) {
        const { type, fields } = this.protocol.byName('obj_player_info')!;
        const at = fields.find((field) => field.name === 'local')!.at;
        for (let i = 0; i < snapshot.count; i++) {
          if (snapshot.type(i) === type && snapshot.data[snapshot.offsets[i]! + at] === 1)
            this.clientId = snapshot.id(i);
        }
      }
    }
    const announcesMap = this.#download.add(message);
    if (announcesMap) this.#beginMap(message);
    else if (name === 'map_data') this.#onMapData();
    else if (name === 'con_ready') this.channel.send(this.#startInfo);
    else if (name === 'sv_readytoenter') {
      this.send('enter_game');
      this.#isPlaying = true;
      this.#isInputDue = true;
    } else if (name === 'sv_clientinfo' && valueNamed(message.values, 'local') === 1) {
      this.clientId = Number(valueNamed(message.values, 'client_id'));
    }
  }

  #beginMap({ values }: Message): void {
    const { announced } = this.#download;
    this.#isPlaying = false;
    this.#tick = 0;
    this.clientId = undefined;
    this.#piecesPerRequest = Number(valueNamed(values, 'num_response_chunks_per_request') ?? 1);
    const known = this.map && isSame(this.map, announced) ? this.map.bytes : undefined;
    this.map = { ...announced, bytes: known };
    if (known || !this.#downloadsMap || announced.size === 0) this.#ready();
    else if (announced.size > maxKeptMapBytes)
      this.channel.close(`the map has ${announced.size} bytes, more than ${maxKeptMapBytes}`);
    else this.#requestMap();
  }

  #requestMap(): void {
    this.send('request_map_data', this.#is07 ? {} : { chunk: this.#download.pieces });
  }

  #onMapData(): void {
    const download = this.#download;
    if (!this.map || this.map.bytes || download.pieces === 0) return;
    if (!download.isWhole) {
      if (download.pieces % this.#piecesPerRequest === 0) this.#requestMap();
      return;
    }
    const { pieces, ...map } = download.finish();
    if (pieces.length === 0) this.channel.close(`the map ${map.name} has another checksum than the server announced`);
    else {
      this.map = { ...map, bytes: join(pieces) };
      this.#ready();
    }
  }

  #ready(): void {
    this.send('ready');
  }

  #startInfoOf({ name = 'nameless tee', clan = '', country = -1, skin }: PlayerOptions) {
    const player = { name, clan, country };
    if (!this.#is07) return { ...player, skin: skin ?? 'default', use_custom_color: 0, color_body: 0, color_feet: 0 };
    return {
      ...player,
      skin_part_names: [skin ?? 'standard', '', '', 'standard', 'standard', 'standard'],
      use_custom_colors: [0, 0, 0, 0, 0, 0],
      skin_part_colors: [0, 0, 0, 0, 0, 0],
    };
  }

  #whole(input: Required<PlayerInput>) {
    return {
      ack_snapshot: this.#receiver.acknowledged,
      // Ints wrap, as in the games.
      intended_tick: (this.#tick + ahead) | 0,
      input_size: 4 * Object.keys(idle).length,
      ...input,
    };
  }

  #sendInput(seconds: number): void {
    this.#isInputDue = false;
    this.#lastInput = seconds;
    this.channel.send(messageBytes(this.protocol, 'input', this.#whole(this.#input)));
  }
}

const isSame = (a: AnnouncedMap, b: AnnouncedMap) =>
  a.name === b.name && a.crc === b.crc && a.size === b.size && (a.sha256 === b.sha256 || b.sha256 === undefined);

/** A number for the server to know the connection by, which this client does not need. */
const randomUuid = () => {
  const digits = Array.from({ length: 32 }, () => Math.floor(16 * Math.random()).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
