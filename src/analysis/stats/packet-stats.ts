import { maxParts } from '../../recording/capture/client-snapshot.ts';
import { Players } from '../../recording/events/players.ts';
import type { PacketEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import { type DatagramCounts, packetSeconds } from '../../recording/replay/replay.ts';
import {
  type ConnectionStream,
  type Direction,
  isConnection,
  matchesClient,
  type Stream,
} from '../../recording/replay/stream.ts';
import { perSecond, type RateMode, SnapshotRates, secondsOf } from '../../recording/summary/snapshot-rates.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import {
  isSnapshotMessage,
  type Message,
  type MessageHead,
  readMessage,
  readMessageHead,
  type SnapshotMessage,
  snapshotMessage,
} from '../../wire/packet/message.ts';
import { isWrittenByGames, type PacketChunk } from '../../wire/packet/packet.ts';
import { isInRange, ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { ClientTallies } from './client-tallies.ts';
import { maxSent } from './limits.ts';
import { allParts, countEnd, PayloadBits, PayloadInts, type PayloadPart } from './payload-ints.ts';
import type { StatsOptions, Tally } from './tally.ts';

/** A message in a packet; only one about players or with a snapshot is read. */
interface ChunkMessage {
  readonly head: MessageHead;
  readonly message?: Message;
  readonly snapshot?: SnapshotMessage | undefined;
}

function messagesIn({ packet, direction }: PacketEntry, { protocol }: ConnectionStream): ChunkMessage[] {
  if (!packet) return [];
  const { payload, chunks } = packet;
  return chunks.map(({ start, end }) => {
    const head = readMessageHead(payload, protocol, start, end);
    if (!isSnapshotMessage(head) && head.type?.name !== 'sv_clientinfo') return { head };
    const message = readMessage(payload, start, end, protocol);
    return { head, message, snapshot: direction === 'to_client' ? snapshotMessage(message) : undefined };
  });
}

/**
 * The captured parts of a snapshot, by number: some may be missing. Until it is rebuilt their bits are those of one
 * that is not.
 */
interface SentSnapshot {
  readonly parts: (PayloadPart | undefined)[];
  /** Bits of the delta in the parts, and of the messages that contain these. */
  bits: number;
  messageBits: number;
}

class ConnectionStats {
  readonly connection: ConnectionStream;
  readonly names = new Players();
  tick = -1;
  /** The time of the last packet in seconds; the snapshots it completes belong to it. */
  seconds = Number.NaN;
  readonly #rates = new SnapshotRates();
  readonly #bits: number[] = [];
  readonly #sent = new Map<number, SentSnapshot>();
  #mapChanges = 0;

  constructor(connection: ConnectionStream) {
    this.connection = connection;
  }

  sent(tick: number): SentSnapshot {
    const { mapChanges } = this.connection;
    if (mapChanges !== this.#mapChanges) this.#sent.clear();
    this.#mapChanges = mapChanges;
    if (this.#sent.size > maxSent) this.#sent.delete(this.#sent.keys().next().value!);
    return getOr(this.#sent, tick, newSent);
  }

  settle({ tick, base }: SnapshotEntry): SentSnapshot | undefined {
    this.#rates.add(tick, base === -1, this.connection.mapChanges);
    const sent = this.#sent.get(tick);
    const last = this.#rates.stretches.length - 1;
    if (last >= 0) this.#bits[last] = (this.#bits[last] ?? 0) + (sent?.messageBits ?? 0);
    return sent;
  }

  get stretches() {
    return this.#rates.stretches.map((stretch, i) => ({ ...stretch, bits: this.#bits[i] ?? 0 }));
  }
}

const newSent = (): SentSnapshot => ({ parts: [], bits: 0, messageBits: 0 });

const newConnection = (connection: ConnectionStream) => new ConnectionStats(connection);

/** The snapshots that servers sent in one mode, summed over all connections. */
export interface ModeTally {
  readonly mode: RateMode;
  readonly perSecond: number;
  readonly snapshots: number;
  readonly seconds: number;
  readonly bits: number;
}

/** Counts the bytes of packets. The delta in a snapshot message is counted when the snapshot has been rebuilt. */
export class PacketStats {
  bytes = 0;
  readonly counts: Record<Direction | 'other', { count: number; bytes: number }> = {
    to_client: { count: 0, bytes: 0 },
    to_server: { count: 0, bytes: 0 },
    other: { count: 0, bytes: 0 },
  };
  /**
   * Seconds from the first counted packet to the last. They are computed from the ticks if the packets have no times.
   */
  #seconds = 0;
  readonly clients = new ClientTallies();
  readonly #tally: Tally;
  readonly #options: StatsOptions;
  readonly #connections = new Map<Stream, ConnectionStats>();
  readonly #payload = new PayloadInts();
  readonly #bits = new PayloadBits();
  #firstTime = Number.NaN;
  #firstTick = -1;

  readonly #datagrams: DatagramCounts | undefined;

  constructor(tally: Tally, options: StatsOptions, datagrams: DatagramCounts | undefined) {
    this.#tally = tally;
    this.#datagrams = datagrams;
    this.#options = options;
  }

  get seconds(): number {
    if (this.#options.range) return this.#seconds;
    return packetSeconds([...this.#connections.keys()].filter(isConnection), this.#datagrams) ?? this.#seconds;
  }

  connection(stream: Stream): ConnectionStats | undefined {
    return this.#connections.get(stream);
  }

  /** Counts a packet. It must be called before the records decoded from this packet are added. */
  add(entry: PacketEntry): void {
    const { stream, direction, time = Number.NaN, bytes } = entry;
    const { client, range } = this.#options;
    if (!stream || !direction) {
      if (client !== undefined || range) return;
      this.clients.add(undefined, 'to_server', bytes.length, this.#beginSecond(time));
      this.#count('other', bytes);
      this.#tally.part(isWrittenByGames(bytes) ? 'connless_packets' : 'other_datagrams', 8 * bytes.length);
      return;
    }
    if (!matchesClient(stream, client)) return;
    const connection = getOr(this.#connections, stream, newConnection);
    const messages = messagesIn(entry, stream);
    for (const { message, snapshot } of messages) {
      if (snapshot) connection.tick = snapshot.tick;
      if (message) connection.names.onMessage(message);
    }
    if (!this.#isCounted(connection)) return;
    connection.seconds = this.#beginSecond(time, connection.tick);
    this.clients.add(stream.client, direction, bytes.length, connection.seconds);
    this.#count(direction, bytes);
    this.#packet(entry, messages, connection);
  }

  /** The payload of a snapshot, which is to be counted; if there is none, what was captured of it counts as not rebuilt. */
  payloadOf(entry: SnapshotEntry, connection: ConnectionStats): PayloadInts | undefined {
    const tally = this.#tally;
    const { kind, snapshot, before, delta, payload } = entry;
    const sent = connection.settle(entry);
    tally.seconds.at(connection.seconds);
    const { local } = connection.names;
    const player = local === undefined ? undefined : connection.names.nameOf(local);
    if (player !== undefined) this.clients.name(entry.stream.client, player);
    if (!this.#isCounted(connection)) return undefined;
    if (kind === 'empty') tally.snapshots.empty++;
    const parts = sent && allParts(sent.parts, entry.parts, payload);
    if (!snapshot || !before || !delta || !payload || !parts) {
      tally.seconds.current.snapshots++;
      return undefined;
    }
    tally.part('unrebuilt', -sent.bits, -1);
    this.#payload.readPacked(payload, parts);
    return this.#payload;
  }

  get modes(): ModeTally[] {
    const all = [...this.#connections.values()].flatMap(({ stretches }) => stretches);
    return (['init', 'full', 'recovery'] as const satisfies RateMode[]).flatMap((mode) => {
      const own = all.filter((stretch) => stretch.mode === mode);
      if (own.length === 0) return [];
      const longest = own.reduce((a, b) => (b.snapshots > a.snapshots ? b : a));
      const sum = (of: (stretch: (typeof own)[number]) => number) =>
        own.reduce((total, stretch) => total + of(stretch), 0);
      const snapshots = sum((stretch) => stretch.snapshots);
      const bits = sum((stretch) => stretch.bits);
      return { mode, perSecond: perSecond(longest), snapshots, seconds: sum(secondsOf), bits };
    });
  }

  drop(stream: Stream): void {
    this.#connections.delete(stream);
  }

  #isCounted({ tick }: ConnectionStats): boolean {
    const { range } = this.#options;
    return !range || isInRange(tick, range);
  }

  #beginSecond(time: number, tick = -1): number {
    if (Number.isNaN(this.#firstTime)) this.#firstTime = time;
    if (this.#firstTick < 0) this.#firstTick = tick;
    const byTick = tick < 0 ? Number.NaN : (tick - this.#firstTick) / ticksPerSecond;
    const seconds = Number.isNaN(time) ? byTick : time - this.#firstTime;
    this.#tally.seconds.at(seconds);
    if (seconds > this.#seconds) this.#seconds = seconds;
    return seconds;
  }

  #count(direction: Direction | 'other', { length }: Uint8Array): void {
    this.bytes += length;
    this.counts[direction].count++;
    this.counts[direction].bytes += length;
  }

  #packet(
    { bytes, packet, code, fates }: PacketEntry,
    messages: readonly ChunkMessage[],
    connection: ConnectionStats,
  ): void {
    const tally = this.#tally;
    if (!packet) {
      tally.part('unread', 8 * bytes.length);
      return;
    }
    const { headSize, payload, compressed, kind, token, contentEnd, chunks, cut } = packet;
    if (kind === 'connless') {
      tally.part('connless_packets', 8 * bytes.length);
      return;
    }
    const tokenBytes = headSize > 3 ? 4 : 0;
    tally.part('packet_headers', 8 * (headSize - tokenBytes));
    tally.part('tokens', 8 * tokenBytes);
    if (kind === 'control') {
      tally.part('control_packets', 8 * (bytes.length - headSize));
      return;
    }
    const bits = this.#bits.read(packet);
    for (const [i, chunk] of chunks.entries()) {
      tally.part('chunk_headers', bits.between(chunk.head, chunk.start));
      const isUntaken = fates.length > 0 && fates.some((copy) => copy.chunk === chunk && !copy.isRead);
      if (isUntaken) tally.part('resends', bits.between(chunk.start, chunk.end));
      else this.#message(messages[i]!, chunk, compressed, connection);
    }
    // A cut chunk, DDNet's token or excess bytes follow the chunks.
    const left = cut ? cut.head : contentEnd;
    const isToken = token !== undefined && headSize === 3;
    tally.part(cut ? 'unread' : isToken ? 'tokens' : 'excess', bits.between(left, payload.length));
    if (!compressed) return;
    const stream = bits.between(0, payload.length);
    const all = 8 * (bytes.length - headSize);
    if (code?.startsWith('huffman')) tally.part('unread', all - stream);
    else countEnd(tally, stream, all);
  }

  #message(
    { head, message, snapshot }: ChunkMessage,
    { start, end }: PacketChunk,
    compressed: boolean,
    connection: ConnectionStats,
  ): void {
    const tally = this.#tally;
    const all = this.#bits.between(start, end);
    if (!snapshot) {
      tally.message(head, all);
      return;
    }
    const { tick, part, parts, data } = snapshot;
    const { error } = message!.diagnostics;
    if (!data || error) {
      tally.part(error ? 'unread' : 'snapshot_messages', all);
      return;
    }
    const dataBits = this.#bits.between(data.start, data.end);
    tally.part('snapshot_messages', all - dataBits);
    if (part < 0 || part >= parts || parts > maxParts) {
      tally.part('unrebuilt', dataBits);
      return;
    }
    const sent = connection.sent(tick);
    if (sent.parts[part]) {
      tally.part('resends', dataBits);
      return;
    }
    tally.part('unrebuilt', dataBits, sent.bits === 0 ? 1 : 0);
    sent.parts[part] = { length: data.end - data.start, compressed };
    sent.bits += dataBits;
    sent.messageBits += all;
  }
}
