import { ignore } from '../../wire/bytes/diagnostic.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import {
  isConnless,
  isWrittenByGames,
  type Packet,
  type PacketVersion,
  readPartOfPacket,
} from '../../wire/packet/packet.ts';
import { bestFit } from '../../wire/packet/version.ts';
import type { CaptureFrame } from '../container/capture/capture-frame.ts';
import { NetlogReader } from '../container/capture/netlog-frames.ts';
import { maxConnections, maxForgotten } from '../replay/limits.ts';
import type { RecordingEntry, SentPacket } from '../replay/record.ts';
import { Datagrams, type ReadOptions, type Replay } from '../replay/replay.ts';
import type { Direction } from '../replay/stream.ts';
import { Connection } from './connection.ts';
import { handshakeStepOf, readFirstPacket } from './handshake.ts';
import { SharedMemory } from './snapshot-history.ts';

const maxWaiting = 32;

/**
 * Follows a network log piece by piece: the packets that one side sent, without addresses and times. Connections are
 * distinguished by their version and token; those without tokens count as one.
 */
export class NetlogReplay implements Replay {
  readonly container = 'netlog';
  readonly #reader = new NetlogReader();
  readonly #options: ReadOptions;
  readonly streams: Connection[] = [];
  readonly datagrams: Datagrams;
  readonly #memory = new SharedMemory();
  #direction: Direction | undefined;
  readonly #connections = new Map<string, Connection>();
  /** The connections that are not followed. */
  readonly #refused = new Set<string>();
  /** Packets that are kept until the sender is known. */
  readonly #waiting: SentPacket[] = [];

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.datagrams = new Datagrams(options);
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.feed(piece));
  }

  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader.finish());
    if (!this.#direction) yield* this.#begin('to_server');
    for (const connection of this.streams) yield* connection.finish();
    yield* this.datagrams.finish();
  }

  *#records(frames: Iterable<CaptureFrame>): Generator<RecordingEntry, void> {
    for (const { kind, bytes, start, end, time, number, diagnostic } of frames) {
      if (kind === 'diagnostic') {
        yield { record: 'diagnostic', stream: undefined, time, frame: number, diagnostic: diagnostic! };
      } else if (kind === 'datagram') yield* this.#packet({ bytes: bytes.subarray(start, end), time, frame: number });
    }
  }

  *#packet(packet: SentPacket): Generator<RecordingEntry, void> {
    const { bytes, frame } = packet;
    this.datagrams.total++;
    this.#memory.bases.packets = frame;
    this.#memory.bases.ends = 2 * this.streams.length;
    if (isConnless(bytes)) yield* this.datagrams.unconnected(isWrittenByGames(bytes) ? 'connless' : 'other', packet);
    else if (this.#direction) yield* this.#add(packet, this.#direction);
    else {
      const sender = readFirstPacket(bytes, this.#options)?.sender;
      this.#waiting.push({ ...packet, bytes: bytes.slice() });
      if (sender) yield* this.#begin(sender === 'client' ? 'to_server' : 'to_client');
      else if (this.#waiting.length >= maxWaiting) yield* this.#begin('to_server');
    }
  }

  *#begin(direction: Direction): Generator<RecordingEntry, void> {
    this.#direction = direction;
    for (const packet of this.#waiting.splice(0)) yield* this.#add(packet, direction);
  }

  *#add(packet: SentPacket, direction: Direction): Generator<RecordingEntry, void> {
    const { bytes, time, frame } = packet;
    const known = this.#known(bytes);
    if (known) {
      const reading = known.read(packet, direction);
      const { verdict } = reading;
      if (verdict)
        yield* known.reject(verdict === 'changed' ? 'wrong_token' : verdict, packet, direction, reading.args);
      else yield* known.add(reading, packet, direction);
      return;
    }
    const first = readFirstPacket(bytes, this.#options);
    const step = handshakeStepOf(bytes);
    if (!first || step) {
      yield* this.datagrams.unconnected(step ? 'handshakes' : 'other', packet);
      return;
    }
    const { packet: read, version } = bestFit(bytes, this.#options);
    const key = keyOf(version, read ? tokenOf(bytes, read) : undefined);
    if (this.streams.length >= maxConnections) {
      yield* this.#refuse(key, packet);
      return;
    }
    const number = this.streams.length + 1;
    const stream = new Connection(number, 'client', 'server', time, first, this.#options, this.#memory);
    this.streams.push(stream);
    this.#connections.set(key, stream);
    yield { record: 'connection', stream, time, frame };
    yield* stream.add(stream.read(packet, direction), packet, direction);
  }

  #refuse(key: string, packet: SentPacket): Iterable<RecordingEntry> {
    const isFirst = !this.#refused.has(key) && this.#refused.size < maxForgotten;
    if (isFirst) {
      this.#refused.add(key);
      this.datagrams.dropped.connections++;
    }
    return this.datagrams.unread(packet, isFirst);
  }

  #known(bytes: Uint8Array): Connection | undefined {
    const connections = this.#connections;
    if (connections.size === 0) return undefined;
    // A token in the header does not require reading the packet.
    if (bytes.length >= 7) {
      const found = connections.get(keyOf('0.7', u32(bytes, 3, false)));
      if (found) return found;
    }
    const { packet, error } = readPartOfPacket(bytes, '0.6', ignore);
    const found = packet && !error ? connections.get(keyOf('0.6', tokenOf(bytes, packet))) : undefined;
    // A damaged packet shows no token; it must belong to the only connection.
    return found ?? (error && connections.size === 1 ? this.streams[0] : undefined);
  }
}

const keyOf = (version: PacketVersion, token: number | undefined) => `${version} ${token ?? ''}`;

/** A control packet of DDNet's 0.6 has its token at the end, like the others, but nothing announces it. */
function tokenOf(bytes: Uint8Array, { version, kind, headSize, token }: Packet): number | undefined {
  const hasTokenAtEnd = kind === 'control' && version === '0.6' && headSize === 3 && bytes.length >= 8;
  return hasTokenAtEnd ? u32(bytes, bytes.length - 4, false) : token;
}
