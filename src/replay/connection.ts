import { DecodeError } from '../bytes/diagnostic.ts';
import { type Packet, type PacketVersion, readPacket } from '../container/packet.ts';
import { fitPacket } from '../container/packet-version.ts';
import { type Message, readMessage } from '../model/message.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import { Sequence } from './sequence.ts';
import { type Received, SnapshotReceiver } from './snapshot-receiver.ts';

/** One end of a connection: `127.0.0.1:8303`, `[::1]:8303`. */
export type Endpoint = string;

export type Direction = 'to_client' | 'to_server';

/** What a packet of a connection brings, in order. */
export type Event =
  | { readonly event: 'message'; readonly direction: Direction; readonly message: Message }
  | { readonly event: 'snapshot'; readonly received: Received }
  | { readonly event: 'close'; readonly direction: Direction; readonly reason: string }
  | {
      readonly event: 'undecodable';
      readonly direction: Direction;
      readonly code: DecodeError['code'] | 'missing_chunks';
    };

/** What was seen of one direction. */
class Side {
  readonly sequence: Sequence<Uint8Array>;
  packets = 0;
  bytes = 0;
  chunks = 0;

  constructor(last: number | undefined) {
    this.sequence = new Sequence(last);
  }
}

/** A player's connection to a server, from handshake to close, as far as it was captured. */
export class Connection {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly firstTime: number;
  lastTime: number;
  version: PacketVersion | undefined;
  readonly #sides: Readonly<Record<Direction, Side>>;
  #snapshots: SnapshotReceiver | undefined;
  isClosed = false;
  undecodable = 0;
  mapChanges = 0;
  /** When the last packet of the handshake came; before any chunk it is still going on. */
  #handshakeTime: number;

  /** @param begins whether the connection was seen to begin */
  constructor(client: Endpoint, server: Endpoint, time: number, begins: boolean, version: PacketVersion | undefined) {
    this.client = client;
    this.server = server;
    this.firstTime = time;
    this.lastTime = time;
    this.#handshakeTime = time;
    this.version = version;
    const last = begins ? 0 : undefined;
    this.#sides = { to_client: new Side(last), to_server: new Side(last) };
  }

  get protocol(): Protocol {
    return protocolOf(this.version ?? '0.6');
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
  *take(bytes: Uint8Array, direction: Direction, time: number): Generator<Event, void> {
    const side = this.#sides[direction];
    side.packets++;
    side.bytes += bytes.length;
    this.lastTime = time;
    const packet = this.#read(bytes);
    if (!(packet instanceof Object) || !('kind' in packet)) {
      this.undecodable++;
      yield { event: 'undecodable', direction, code: packet };
      return;
    }
    if (packet.kind === 'control') {
      if (packet.control !== 0) this.#handshakeTime = time;
      if (packet.control === 4) {
        this.isClosed = true;
        yield { event: 'close', direction, reason: textOf(packet.payload.subarray(1)) };
      }
      return;
    }
    if (packet.kind === 'connless') return;
    const messages: { message: Message; direction: Direction }[] = [];
    const read = (to: Direction) => (chunk: Uint8Array) => {
      messages.push({ message: readMessage(chunk, 0, chunk.length, this.version ?? '0.6'), direction: to });
    };
    const opposite = direction === 'to_client' ? 'to_server' : 'to_client';
    this.#sides[opposite].sequence.acknowledged(packet.ack, read(opposite));
    for (const { start, end, vital, sequence } of packet.chunks) {
      side.chunks++;
      const chunk = packet.payload.subarray(start, end);
      if (vital) side.sequence.take(sequence, chunk, (early) => early.slice(), read(direction));
      else read(direction)(chunk);
    }
    for (const one of messages) yield* this.#message(one.message, one.direction);
  }

  /** The capture has ended: gives what still waits. */
  *finish(): Generator<Event, void> {
    for (const direction of ['to_client', 'to_server'] as const) {
      const messages: Message[] = [];
      this.#sides[direction].sequence.finish((chunk) => {
        messages.push(readMessage(chunk, 0, chunk.length, this.version ?? '0.6'));
      });
      for (const message of messages) yield* this.#message(message, direction);
    }
    yield* received(this.#snapshots?.finish());
  }

  *#message(message: Message, direction: Direction): Generator<Event, void> {
    const name = message.type?.name;
    if (direction === 'to_client' && message.system) {
      if (name === 'snap' || name === 'snap_single' || name === 'snap_empty') {
        this.#snapshots ??= new SnapshotReceiver(this.protocol);
        yield* received(this.#snapshots.take(message));
        return;
      }
      if (name === 'map_change') {
        this.mapChanges++;
        yield* received(this.#snapshots?.restart());
      }
    }
    yield { event: 'message', direction, message };
  }

  /** The packet, or the code of what is wrong with it. Without a handshake the version is learnt from what fits. */
  #read(bytes: Uint8Array): Packet | DecodeError['code'] {
    if (this.version === undefined) {
      const [best, other] = fitPacket(bytes);
      if (best.odd < 3 && other.odd >= best.odd + 3) this.version = best.version;
      return best.packet ?? 'truncated_packet';
    }
    try {
      let broken: DecodeError['code'] | undefined;
      const packet = readPacket(bytes, this.version, (code) => {
        if (code === 'missing_chunks' || code === 'truncated_packet_chunk') broken = code;
      });
      return broken ?? packet;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return error.code;
    }
  }
}

/** A handshake's packets may come again within this. */
const handshakeSeconds = 2;

function* received(all: Iterable<Received> | undefined): Generator<Event, void> {
  for (const one of all ?? []) yield { event: 'snapshot', received: one };
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
