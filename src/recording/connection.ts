import { ByteBuffer } from '../bytes/buffers.ts';
import type { DecodeError, Warn } from '../bytes/diagnostic.ts';
import { readControl } from '../packet/control.ts';
import { type Message, readMessage } from '../packet/message.ts';
import { type Packet, type PacketChunk, type PacketVersion, readPartOfPacket } from '../packet/packet.ts';
import { fitPacket } from '../packet/version.ts';
import type { ItemType } from '../protocol/item.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import type { ReceivedSnapshot } from './received-snapshot.ts';
import { SnapshotReceiver } from './snapshot-receiver.ts';
import { VitalSequence } from './vital-sequence.ts';

/** One end of a connection: `127.0.0.1:8303`, `[::1]:8303`. */
export type Endpoint = string;

export type Direction = 'to_client' | 'to_server';

/** When something came: the number of its packet, 0 at the end of the capture. */
interface Moment {
  readonly time: number;
  readonly number: number;
  readonly connection: Connection;
}

/** What a packet of a connection brings, in order. */
export type Event = Moment &
  (
    | {
        readonly event: 'message';
        readonly direction: Direction;
        readonly message: Message;
        /** Those it was read from. */
        readonly bytes: Uint8Array;
      }
    | { readonly event: 'snapshot'; readonly received: ReceivedSnapshot }
    | { readonly event: 'close'; readonly direction: Direction; readonly reason: string }
    /** A packet that can't be read to its end; what was read of it comes behind. */
    | { readonly event: 'undecodable'; readonly direction: Direction; readonly code: DecodeError['code'] }
  );

/** A packet as it came, for who counts its bytes. Valid only while it is shown. */
export interface ObservedPacket {
  /** Of the games' packets without a connection, and of what is none of theirs, undefined. */
  readonly connection: Connection | undefined;
  readonly direction: Direction | undefined;
  readonly time: number;
  /** As it was on the wire. */
  readonly bytes: Uint8Array;
  /** As far as it can be read. */
  readonly packet: Packet | undefined;
  /** What is wrong with it. */
  readonly code: DecodeError['code'] | undefined;
  /** Chunks that came before. */
  readonly again: readonly PacketChunk[];
}

/** A datagram of no connection, as it is shown to who counts. */
export function unconnected(bytes: Uint8Array, time: number): ObservedPacket {
  return { connection: undefined, direction: undefined, time, bytes, packet: undefined, code: undefined, again: [] };
}

export interface ConnectionOptions {
  /** Whether messages are wanted, as they are unless told: they are skipped undecoded otherwise. */
  readonly messages?: boolean;
  /** A mod's items. */
  readonly extraItems?: readonly ItemType[];
  /** Is shown each packet, before what it brings. */
  readonly onPacket?: (seen: ObservedPacket) => void;
}

/** What was seen of one direction. */
class Side {
  readonly sequence: VitalSequence<Uint8Array>;
  packets = 0;
  bytes = 0;
  chunks = 0;

  constructor(last: number | undefined) {
    this.sequence = new VitalSequence(last);
  }
}

/** A player's connection to a server, from handshake to close, as far as it was captured. */
export class Connection {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly firstTime: number;
  /** Of the last packet. */
  lastTime: number;
  #number = 0;
  /** Undefined before the first packet, where that does not begin the connection. */
  version: PacketVersion | undefined;
  #isVersionSure: boolean;
  readonly #options: ConnectionOptions;
  readonly #sides: Readonly<Record<Direction, Side>>;
  #snapshots: SnapshotReceiver | undefined;
  readonly #payload = new ByteBuffer();
  isClosed = false;
  undecodable = 0;
  mapChanges = 0;
  /** How much better packets fit 0.7 than 0.6, while the version is not known. */
  #fits07 = 0;
  /** When the last packet of the handshake came; before any chunk it is still going on. */
  #handshakeTime: number;

  /** @param begins whether the connection was seen to begin */
  constructor(
    client: Endpoint,
    server: Endpoint,
    time: number,
    { begins, version }: { readonly begins: boolean; readonly version: PacketVersion | undefined },
    options: ConnectionOptions = {},
  ) {
    this.client = client;
    this.server = server;
    this.firstTime = time;
    this.lastTime = time;
    this.#handshakeTime = time;
    this.version = version;
    this.#isVersionSure = version !== undefined;
    this.#options = options;
    const last = begins ? 0 : undefined;
    this.#sides = { to_client: new Side(last), to_server: new Side(last) };
  }

  get protocol(): Protocol {
    return protocolOf(this.version ?? '0.6', this.#options.extraItems);
  }

  counts(direction: Direction) {
    const { packets, bytes, chunks, sequence } = this.#sides[direction];
    return { packets, bytes, chunks, resent: sequence.resent, lost: sequence.lost };
  }

  /** Whether a client's request to connect begins another connection on the same ports. */
  beginsAnew(time: number): boolean {
    const isUsed = this.#sides.to_client.chunks + this.#sides.to_server.chunks > 0;
    return isUsed && (this.isClosed || time - this.#handshakeTime > handshakeSeconds);
  }

  /** Takes a packet and gives what it brings. */
  *add(bytes: Uint8Array, direction: Direction, time: number, number: number): Generator<Event, void> {
    const side = this.#sides[direction];
    side.packets++;
    side.bytes += bytes.length;
    this.lastTime = time;
    this.#number = number;
    const { packet, code } = this.#read(bytes);
    const seen: ObservedPacket = { connection: this, direction, time, bytes, packet, code, again: [] };
    if (code) {
      this.undecodable++;
      yield { event: 'undecodable', time, number, connection: this, direction, code };
    }
    if (packet?.kind === 'chunks') {
      yield* this.#chunks(packet, seen, direction);
      return;
    }
    this.#options.onPacket?.(seen);
    if (packet?.kind === 'control') {
      if (packet.control !== 0) this.#handshakeTime = time;
      if (packet.control !== 4) return;
      this.isClosed = true;
      // Nothing comes before these any more.
      yield* this.#waiting(direction);
      const reason = String(readControl(bytes, packet).find(({ name }) => name === 'reason')?.value ?? '');
      yield { event: 'close', time, number, connection: this, direction, reason };
    }
  }

  /** The capture has ended: gives what still waits. */
  *finish(): Generator<Event, void> {
    this.#number = 0;
    yield* this.#waiting('to_client');
    yield* this.#waiting('to_server');
    yield* this.#received(this.#snapshots?.finish());
  }

  /** What waits for chunks that were not captured. */
  *#waiting(direction: Direction): Generator<Event, void> {
    const chunks: Uint8Array[] = [];
    this.#sides[direction].sequence.finish((chunk) => chunks.push(chunk));
    for (const chunk of chunks) yield* this.#message(chunk, direction);
  }

  *#chunks(packet: Packet, seen: ObservedPacket, direction: Direction): Generator<Event, void> {
    const { ack, chunks, cut, payload } = packet;
    const side = this.#sides[direction];
    const opposite = direction === 'to_client' ? 'to_server' : 'to_client';
    let ready: Uint8Array[] = [];
    const read = (chunk: Uint8Array) => ready.push(chunk);
    this.#sides[opposite].sequence.acknowledged(ack, read);
    for (const chunk of ready) yield* this.#message(chunk, opposite);
    ready = [];
    const again: PacketChunk[] = [];
    for (const one of chunks) {
      const { start, end, vital, sequence } = one;
      side.chunks++;
      const chunk = payload.subarray(start, end);
      if (!vital) read(chunk);
      else if (side.sequence.add(sequence, chunk, (early) => early.slice(), read) === 'again') again.push(one);
    }
    this.#options.onPacket?.({ ...seen, again });
    if (cut && !cut.vital && cut.start < payload.length) read(payload.subarray(cut.start));
    for (const chunk of ready) yield* this.#message(chunk, direction);
  }

  *#message(chunk: Uint8Array, direction: Direction): Generator<Event, void> {
    const version = this.version!;
    const name = direction === 'to_client' ? keptNames[version][chunk[0]!] : undefined;
    if (!name && this.#options.messages === false) return;
    const message = readMessage(chunk, 0, chunk.length, version);
    if (name && name !== 'map_change') {
      this.#snapshots ??= new SnapshotReceiver(this.protocol);
      yield* this.#received(this.#snapshots.add(message));
      return;
    }
    if (name === 'map_change') {
      this.mapChanges++;
      yield* this.#received(this.#snapshots?.restart());
    }
    if (this.#options.messages === false) return;
    const { lastTime: time } = this;
    yield { event: 'message', time, number: this.#number, connection: this, direction, message, bytes: chunk };
  }

  *#received(all: Iterable<ReceivedSnapshot> | undefined): Generator<Event, void> {
    for (const received of all ?? []) {
      yield { event: 'snapshot', time: this.lastTime, number: this.#number, connection: this, received };
    }
  }

  /** The packet as far as it can be read, and the code of what is wrong with it. */
  #read(bytes: Uint8Array): { readonly packet: Packet | undefined; readonly code: DecodeError['code'] | undefined } {
    if (!this.#isVersionSure) this.#guessVersion(bytes);
    let code: DecodeError['code'] | undefined;
    const warn: Warn = (warning) => {
      if (warning === 'missing_chunks' || warning === 'truncated_packet_chunk') code ??= warning;
    };
    const { packet, error } = readPartOfPacket(bytes, this.version!, warn, { into: this.#payload });
    return { packet, code: error?.code ?? code };
  }

  /** Without a handshake the version is learnt from what fits. */
  #guessVersion(bytes: Uint8Array): void {
    const [best, other] = fitPacket(bytes);
    this.#fits07 += best.version === '0.7' ? other.odd - best.odd : best.odd - other.odd;
    this.#isVersionSure = Math.abs(this.#fits07) >= sureFit;
    const version = this.#fits07 > 0 ? '0.7' : '0.6';
    if (this.version !== version) this.#snapshots = undefined;
    this.version = version;
  }
}

/** A handshake's packets may come again within this. */
const handshakeSeconds = 2;

/** How much better packets have to fit one version than the other: one packet in order does. */
const sureFit = 6;

/** The messages that snapshots are rebuilt from, by their first byte. */
const keptNames: Readonly<Record<PacketVersion, readonly (string | undefined)[]>> = {
  '0.6': firstBytes('0.6'),
  '0.7': firstBytes('0.7'),
};

function firstBytes(version: PacketVersion): (string | undefined)[] {
  const byByte: string[] = [];
  for (const { system, id, name } of messagesOf(version).all) {
    if (system && /^(snap|snap_single|snap_empty|map_change)$/.test(name)) byByte[(id! << 1) | 1] = name;
  }
  return byByte;
}
