import { ignore } from '../bytes/diagnostic.ts';
import { u32 } from '../bytes/fixed-int.ts';
import { type NetlogFrame, NetlogReader } from '../container/capture/netlog.ts';
import { isConnless, isWrittenByGames } from '../packet/connectionless.ts';
import type { Packet, PacketVersion } from '../packet/packet.ts';
import { readPartOfPacket } from '../packet/read-packet.ts';
import { bestFit } from '../packet/version.ts';
import { Connection } from './connection.ts';
import { handshakeStepOf, readFirstPacket } from './handshake.ts';
import { type Direction, type RecordingEntry, unconnected } from './record.ts';
import type { ReadOptions, Replay } from './replay.ts';
import { SharedMemory } from './snapshot-history.ts';

/** A packet that is kept until the sender is known. */
interface WaitingPacket {
  readonly bytes: Uint8Array;
  readonly number: number;
}

/** The maximum number of packets before the sender must be known. */
const maxWaiting = 32;
/** A log contains one connection, or those of a server's clients. */
const maxConnections = 256;

/**
 * Follows a network log piece by piece: the packets that one side sent, without addresses and times. Connections are
 * distinguished by their version and token; those without tokens count as one.
 */
export class NetlogReplay implements Replay {
  readonly container = 'netlog';
  readonly #reader = new NetlogReader();
  readonly #options: ReadOptions;
  readonly streams: Connection[] = [];
  readonly datagrams = {
    total: 0,
    connless: 0,
    handshakes: 0,
    dropped: { connections: 0, packets: 0, undecodable: 0 },
    other: 0,
  };
  readonly #memory = new SharedMemory();
  #direction: Direction | undefined;
  /** By version and token. */
  readonly #connections = new Map<string, Connection>();
  #waiting: WaitingPacket[] = [];

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** Ends the log and yields the remaining records. */
  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader.finish());
    if (!this.#direction) yield* this.#begin('to_server');
    for (const connection of this.streams) yield* connection.finish();
  }

  *#records(frames: Iterable<NetlogFrame>): Generator<RecordingEntry, void> {
    for (const frame of frames) {
      const { number } = frame;
      if (frame.kind === 'diagnostic') {
        const diagnostic = frame.diagnostic!;
        yield { record: 'diagnostic', stream: undefined, time: Number.NaN, frame: number, diagnostic };
      }
      // Payload records only repeat the payloads of the packets.
      if (frame.kind === 'packet') yield* this.#packet(frame.bytes.subarray(frame.start, frame.end), number);
    }
  }

  *#packet(bytes: Uint8Array, number: number): Generator<RecordingEntry, void> {
    this.datagrams.total++;
    this.#memory.bases.packets = number;
    this.#memory.bases.ends = 2 * this.streams.length;
    if (isConnless(bytes)) yield* this.#unconnected(bytes, number, isWrittenByGames(bytes) ? 'connless' : 'other');
    else if (this.#direction) yield* this.#add(bytes, number, this.#direction);
    else {
      const sender = readFirstPacket(bytes, this.#options)?.sender;
      this.#waiting.push({ bytes: bytes.slice(), number });
      if (sender) yield* this.#begin(sender === 'client' ? 'to_server' : 'to_client');
      else if (this.#waiting.length >= maxWaiting) yield* this.#begin('to_server');
    }
  }

  *#begin(direction: Direction): Generator<RecordingEntry, void> {
    this.#direction = direction;
    for (const { bytes, number } of this.#waiting.splice(0)) yield* this.#add(bytes, number, direction);
  }

  *#add(bytes: Uint8Array, number: number, direction: Direction): Generator<RecordingEntry, void> {
    const connection = this.#known(bytes);
    if (connection) {
      const code = connection.read(bytes, direction);
      if (code)
        yield* connection.setAside(code === 'changed' ? 'wrong_token' : code, bytes, direction, Number.NaN, number);
      else yield* connection.add(bytes, direction, Number.NaN, number);
      return;
    }
    const first = this.streams.length < maxConnections ? readFirstPacket(bytes, this.#options) : undefined;
    const step = handshakeStepOf(bytes);
    if (!first || step) {
      yield* this.#unconnected(bytes, number, step ? 'handshakes' : 'other');
      return;
    }
    const stream = new Connection(
      this.streams.length + 1,
      'client',
      'server',
      Number.NaN,
      first,
      this.#options,
      this.#memory,
    );
    this.streams.push(stream);
    const { packet, version } = bestFit(bytes, this.#options);
    this.#connections.set(keyOf(version, packet ? tokenOf(bytes, packet) : undefined), stream);
    yield { record: 'connection', stream, time: Number.NaN, frame: number };
    stream.read(bytes, direction);
    yield* stream.add(bytes, direction, Number.NaN, number);
  }

  /** The connection that a packet belongs to, by its version and token. */
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

  *#unconnected(
    bytes: Uint8Array,
    number: number,
    kind: 'connless' | 'handshakes' | 'other',
  ): Generator<RecordingEntry, void> {
    this.datagrams[kind]++;
    if (this.#options.parts) yield unconnected(bytes, Number.NaN, number);
  }
}

const keyOf = (version: PacketVersion, token: number | undefined) => `${version} ${token ?? ''}`;

/** A control packet of DDNet's 0.6 has its token at the end, like the others, but nothing announces it. */
function tokenOf(bytes: Uint8Array, { version, kind, headSize, token }: Packet): number | undefined {
  const hasTokenAtEnd = kind === 'control' && version === '0.6' && headSize === 3 && bytes.length >= 8;
  return hasTokenAtEnd ? u32(bytes, bytes.length - 4, false) : token;
}
