import { type Message, readMessage } from '../packet/message.ts';
import type { Packet } from '../packet/packet.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../protocol/ticks.ts';
import { isConnless } from '../recording/handshake.ts';
import type {
  ConnectionStream,
  Direction,
  PacketEntry,
  RecordingEntry,
  SnapshotEntry,
  Stream,
} from '../recording/record.ts';
import { perSecond, type RateMode, secondsOf } from '../recording/snapshot-rates.ts';
import { countDelta } from './count-snapshot.ts';
import { nameOf } from './message-name.ts';
import { bitsOfBytes, endOfStream, PayloadInts, type PayloadPart } from './payload-ints.ts';
import { type ModeTally, StatsConnection } from './stats-connection.ts';
import { Tally } from './tally.ts';

export interface CaptureStatsOptions {
  /** The only client that is wanted, if one is; what belongs to no connection is then left out. */
  readonly client?: string;
  /** Of a connection, what comes while its last snapshot has one of these ticks. */
  readonly range?: TickRange;
}

/**
 * Counts where the bytes of captured packets go: all between the headers of UDP and the ends of the datagrams.
 * ```ts
 * const stats = new CaptureStats();
 * const replay = new CaptureReplay({ messages: false, parts: true });
 * for (const record of replay.feed(bytes)) stats.add(record);
 * for (const record of replay.finish()) stats.add(record);
 * stats.finish();
 * ```
 */
export class CaptureStats {
  readonly format = 'capture';
  readonly tally = new Tally();
  readonly #options: CaptureStatsOptions;
  readonly #connections = new Map<Stream, StatsConnection>();
  readonly #payload = new PayloadInts();
  /** Of the datagrams that were counted. */
  bytes = 0;
  readonly packets: Record<Direction | 'other', { count: number; bytes: number }> = {
    to_client: { count: 0, bytes: 0 },
    to_server: { count: 0, bytes: 0 },
    other: { count: 0, bytes: 0 },
  };
  /** Seconds from the first packet to the last; by the ticks where there are no times. */
  seconds = 0;
  #firstTime = Number.NaN;
  #firstTick = -1;

  constructor(options: CaptureStatsOptions = {}) {
    this.#options = options;
  }

  /** Connections that were seen. */
  get connections(): ConnectionStream[] {
    return [...this.#connections.values()].map(({ connection }) => connection);
  }

  /** Takes each packet, before what it brings. */
  #packetOf(seen: PacketEntry): void {
    const { stream: connection, direction, time = Number.NaN, bytes } = seen;
    const { client, range } = this.#options;
    if (!connection || !direction) {
      if (client !== undefined || range) return;
      this.#at(time);
      this.#count('other', bytes);
      this.tally.part(isConnless(bytes) ? 'connless_packets' : 'other_datagrams', 8 * bytes.length);
      return;
    }
    if (client !== undefined && connection.client !== client) return;
    const known = this.#of(connection);
    this.#giveUp(known);
    const messages = messagesIn(seen, connection);
    for (const message of messages) {
      const tick = direction === 'to_client' ? tickOf(message) : undefined;
      if (tick !== undefined) known.tick = tick;
      known.names.onMessage(message);
    }
    if (!this.#isWanted(known)) return;
    this.#at(time, known.tick);
    this.#count(direction, bytes);
    this.#packet(seen, messages, known);
  }

  add(record: RecordingEntry): void {
    if (record.record === 'packet') this.#packetOf(record);
    if (record.record !== 'snapshot') return;
    const known = this.#connections.get(record.stream);
    if (known) this.#snapshot(record, known);
  }

  /** The capture has ended. */
  finish(): void {
    for (const known of this.#connections.values()) this.#giveUp(known, 0);
  }

  /** The server's ways of sending snapshots, told apart. */
  get modes(): ModeTally[] {
    const all = [...this.#connections.values()].flatMap(({ stretches }) => stretches);
    return (['init', 'full', 'recovery'] as const satisfies RateMode[]).flatMap((mode) => {
      const own = all.filter(({ stretch }) => stretch.mode === mode);
      if (own.length === 0) return [];
      const longest = own.reduce((a, b) => (b.stretch.snapshots > a.stretch.snapshots ? b : a));
      return {
        mode,
        perSecond: perSecond(longest.stretch),
        snapshots: own.reduce((sum, { stretch }) => sum + stretch.snapshots, 0),
        seconds: own.reduce((sum, { stretch }) => sum + secondsOf(stretch), 0),
        bits: own.reduce((sum, { bits }) => sum + bits, 0),
      };
    });
  }

  #of(connection: ConnectionStream): StatsConnection {
    let known = this.#connections.get(connection);
    if (!known) {
      known = new StatsConnection(connection);
      this.#connections.set(connection, known);
    }
    return known;
  }

  #isWanted({ tick }: StatsConnection): boolean {
    const { range } = this.#options;
    return !range || isInRange(tick, range);
  }

  #at(time: number, tick = -1): void {
    if (Number.isNaN(this.#firstTime)) this.#firstTime = time;
    if (this.#firstTick < 0) this.#firstTick = tick;
    const byTick = tick < 0 ? Number.NaN : (tick - this.#firstTick) / ticksPerSecond;
    const seconds = Number.isNaN(time) ? byTick : time - this.#firstTime;
    this.tally.seconds.at(seconds);
    if (seconds > this.seconds) this.seconds = seconds;
  }

  #count(direction: Direction | 'other', { length }: Uint8Array): void {
    this.bytes += length;
    this.packets[direction].count++;
    this.packets[direction].bytes += length;
  }

  #packet(
    { bytes, packet, direction, code, repeated }: PacketEntry,
    messages: readonly Message[],
    known: StatsConnection,
  ): void {
    const { tally } = this;
    if (!packet) {
      tally.part('unread', 8 * bytes.length);
      return;
    }
    const { headSize, payload, compressed, version, kind, token, contentEnd, chunks, cut } = packet;
    if (kind === 'connless') {
      tally.part('connless_packets', 8 * bytes.length);
      return;
    }
    const tokenBytes = version === '0.7' ? 4 : 0;
    tally.part('packet_headers', 8 * (headSize - tokenBytes));
    tally.part('tokens', 8 * tokenBytes);
    if (kind === 'control') {
      tally.part('control_packets', 8 * payload.length);
      return;
    }
    for (const [i, chunk] of chunks.entries()) {
      tally.part('chunk_headers', bits(packet, chunk.head, chunk.start));
      if (repeated.includes(chunk)) tally.part('resends', bits(packet, chunk.start, chunk.end));
      else this.#message(messages[i]!, packet, direction!, known);
    }
    // What lies behind the chunks: one that is cut, DDNet's token, or what nobody asked for.
    const left = cut ? cut.head : contentEnd;
    const isToken = token !== undefined && version === '0.6';
    tally.part(cut ? 'unread' : isToken ? 'tokens' : 'excess', bits(packet, left, payload.length));
    if (!compressed) return;
    const stream = bits(packet, 0, payload.length);
    const all = 8 * (bytes.length - headSize);
    if (code?.startsWith('huffman')) tally.part('unread', all - stream);
    else {
      const { end, padding } = endOfStream(stream, all);
      tally.part('end_symbols', end);
      tally.part('padding', padding);
    }
  }

  /** Counts a message; the delta in it only when it is rebuilt. */
  #message(message: Message, packet: Packet, direction: Direction, known: StatsConnection): void {
    const { tally } = this;
    const { start, end, type, diagnostics } = message;
    const all = bits(packet, start, end);
    const tick = direction === 'to_client' ? tickOf(message) : undefined;
    if (tick === undefined) {
      tally.message(nameOf(message), all);
      return;
    }
    const data = message.values.find(({ name }) => name === 'bytes');
    if (type!.name === 'snap_empty' || !data || diagnostics.error) {
      tally.part(diagnostics.error ? 'unread' : 'snapshot_messages', all);
      return;
    }
    const value = (name: string) => message.values.find((one) => one.name === name)?.value as number | undefined;
    const dataBits = bits(packet, data.start, data.end);
    tally.part('snapshot_messages', all - dataBits);
    const [part, expected] = [value('part') ?? 0, value('num_parts') ?? 1];
    if (part < 0 || part >= expected || expected > maxParts) {
      tally.part('unrebuilt', dataBits);
      return;
    }
    const isNew = known.addPart({
      tick,
      part,
      expected,
      length: data.end - data.start,
      compressed: packet.compressed,
      bits: dataBits,
      messageBits: all,
    });
    if (!isNew) tally.part('resends', dataBits);
  }

  #snapshot(received: SnapshotEntry, known: StatsConnection): void {
    const { tally } = this;
    const { kind, tick, snapshot, before, delta, payload } = received;
    const { connection, names } = known;
    if (snapshot) names.onSnapshot(snapshot, connection.protocol);
    const coming = known.settle(received);
    if (!this.#isWanted(known)) return;
    const { current } = tally.seconds;
    current.snapshots++;
    if (kind === 'empty') tally.snapshots.empty++;
    if (!coming) return;
    const parts = wholeParts(coming.parts, coming.expected, payload);
    if (!snapshot || !before || !delta || !payload || !parts) {
      tally.part('unrebuilt', coming.bits);
      return;
    }
    tally.snapshots[kind === 'snapshot' ? 'full' : 'deltas']++;
    this.#payload.readPacked(payload, parts);
    countDelta(tally, this.#payload, delta, before, snapshot, { protocol: connection.protocol, names });
    tally.most.add('deltaBytes', payload.length, tick, connection.client);
    tally.most.add('items', snapshot.count, tick, connection.client);
    tally.most.add('bytes', 4 * snapshot.intCount, tick, connection.client);
    current.items = Math.max(current.items, snapshot.count);
  }

  /** What became no snapshot by now. */
  #giveUp(known: StatsConnection, limit?: number): void {
    const repeated = known.takeRepeated();
    if (repeated) this.tally.part('resends', repeated.bits, repeated.count);
    for (const { bits } of known.takeLost(limit)) this.tally.part('unrebuilt', bits);
  }
}

/** A server cuts a snapshot into no more; as in the receiver. */
const maxParts = 64;

/** Of bytes of a packet's payload. */
const bits = ({ payload, compressed }: Packet, start: number, end: number) =>
  bitsOfBytes(payload, start, end, compressed);

function messagesIn({ packet }: PacketEntry, connection: ConnectionStream): Message[] {
  const version = connection.version!;
  return packet?.chunks.map(({ start, end }) => readMessage(packet.payload, start, end, version)) ?? [];
}

const snapshotMessages = new Set(['snap', 'snap_single', 'snap_empty']);

/** Of a message that carries a snapshot. */
function tickOf({ type, system, values }: Message): number | undefined {
  if (!system || !type || !snapshotMessages.has(type.name)) return undefined;
  const tick = values.find(({ name }) => name === 'tick')?.value;
  return typeof tick === 'number' ? tick : undefined;
}

/** The parts of a payload, where all are there. */
function wholeParts(
  parts: readonly (PayloadPart | undefined)[],
  expected: number,
  payload: Uint8Array | undefined,
): PayloadPart[] | undefined {
  const there = parts.filter((part) => part !== undefined);
  const length = there.reduce((sum, part) => sum + part.length, 0);
  return there.length === expected && length === payload?.length ? there : undefined;
}
