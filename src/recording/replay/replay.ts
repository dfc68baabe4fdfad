import { u32 } from '../../wire/bytes/fixed-int.ts';
import { maxPacketBytes } from '../../wire/packet/packet.ts';
import type { Schema, Version } from '../../wire/protocol/registry.ts';
import type { DemoPlays } from '../playback/plays.ts';
import { type InfoCounts, InfoExchange } from './info-exchange.ts';
import { maxAsking, maxRequests } from './limits.ts';
import type { MapCheck } from './map-summary.ts';
import { type HandshakeFact, type RecordingEntry, type SentPacket, unconnected } from './record.ts';
import { type Ends, ServerInfos } from './server-info.ts';
import type { Endpoint, Stream } from './stream.ts';

/** Selects the records of a recording. */
export interface RecordOptions {
  /** Whether to yield message records, true by default. Messages are skipped undecoded otherwise. */
  readonly messages?: boolean;
  /** Whether to yield tick records, true by default. */
  readonly ticks?: boolean;
  /** Whether to yield `chunk` and `packet` records, false by default. */
  readonly parts?: boolean;
  /** Whether to yield `block` records, false by default. */
  readonly blocks?: boolean;
  /** The items and messages of a mod. */
  readonly schema?: Schema;
  /** Whether messages have `(hidden)` in place of passwords, false by default. Their bytes remain. */
  readonly hidesSecrets?: boolean;
}

/** Which records, and what is found out beside them. */
export interface ReadOptions extends RecordOptions {
  /**
   * The protocol of a demo, if its header is wrong; in captures that of connections whose handshake was not captured.
   * Captures of 0.5 are not read.
   */
  readonly version?: Version | undefined;
  /**
   * Whether to yield the messages of demos that announce the checksums of their snapshots, even without other messages.
   */
  readonly announcements?: boolean;
  /** Sums up the map of a demo, which is then compared with the header. */
  readonly map?: MapCheck;
  /** What the games do with a demo, which is known at its end. */
  readonly plays?: DemoPlays;
}

/** Reads a recording piece by piece and rebuilds its snapshots. Damage is reported, and reading continues after it. */
export interface Replay {
  /** The detected container: `demo`, `pcap`, `pcapng`, `netlog`; undefined before the first record. */
  readonly container: string | undefined;
  readonly streams: readonly Stream[];
  /** Undefined for a recording that does not consist of packets. */
  readonly datagrams: DatagramCounts | undefined;
  feed(piece: Uint8Array): Iterable<RecordingEntry>;
  /** Ends the file and begins another one with the same connections: a capture in several files. */
  restart?(): Iterable<RecordingEntry>;
  finish(): Iterable<RecordingEntry>;
}

/** The UDP datagrams of a capture or log. */
export type DatagramCounts = Readonly<
  Pick<
    Datagrams,
    | 'total'
    | 'connless'
    | 'handshakes'
    | 'asking'
    | 'dropped'
    | 'copies'
    | 'droppedTimes'
    | 'other'
    | 'firstTime'
    | 'lastTime'
    | 'serverInfo'
  >
>;

/**
 * The seconds of a capture, from the first packet of a connection to the last, or without connections from the first
 * datagram to the last; undefined without times.
 */
export function packetSeconds(
  connections: readonly Pick<Datagrams, 'firstTime' | 'lastTime'>[],
  datagrams: DatagramCounts | undefined,
): number | undefined {
  const dropped = datagrams && datagrams.dropped.connections > 0 ? [datagrams.droppedTimes] : [];
  const ofConnections = [...connections, ...dropped];
  const all = ofConnections.length === 0 && datagrams ? [datagrams] : ofConnections;
  const first = all.reduce((least, { firstTime }) => Math.min(least, firstTime), Infinity);
  const seconds = all.reduce((most, { lastTime }) => Math.max(most, lastTime), -Infinity) - first;
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Counts the datagrams of a recording, and makes the records of those outside any connection. */
export class Datagrams {
  total = 0;
  connless = 0;
  /** Requests for a token or a connection that did not lead to one, as server browsers send them, and their answers. */
  handshakes = 0;
  /** By client, the first ones: the server of the last of these packets, and their number. */
  readonly asking = new Map<Endpoint, { server: Endpoint; packets: number }>();
  /** Connections that were dropped because there were too many, and their packets. */
  readonly dropped = { connections: 0, packets: 0, undecodable: 0 };
  /** Of the packets of those connections; not finite without them, or without times. */
  readonly droppedTimes = { firstTime: Infinity, lastTime: -Infinity };
  /** Those of them that went on, and their packets that were not read. */
  readonly #unread = { connections: 0, packets: 0 };
  /** Datagrams that are not game traffic. */
  other = 0;
  /** Those that a second interface recorded, too; they are not among the rest. */
  copies = 0;
  /** Of the datagrams outside any connection; not finite without times. */
  firstTime = Infinity;
  lastTime = -Infinity;
  readonly #hasRecords: boolean;
  readonly #hasInfos: boolean;
  readonly #infos = new ServerInfos();
  readonly #exchange = new InfoExchange();
  #last = { time: Number.NaN, frame: 0 };

  constructor({ parts = false, messages = true }: ReadOptions) {
    this.#hasRecords = parts;
    this.#hasInfos = messages;
  }

  /** @param ends of a packet that may be a part of an answer; undefined in a log without addresses */
  *unconnected(
    kind: 'connless' | 'handshakes' | 'other',
    packet: SentPacket,
    ends?: Ends,
  ): Generator<RecordingEntry, void> {
    this[kind]++;
    this.firstTime = Math.min(this.firstTime, packet.time);
    this.lastTime = Math.max(this.lastTime, packet.time);
    if (this.#hasRecords) yield unconnected(packet);
    const { time, frame } = packet;
    this.#last = { time, frame };
    if (kind !== 'connless') return;
    if (packet.bytes.length > maxPacketBytes) yield tooLarge(packet);
    // That it has too many requests is said by all commands.
    const step = this.#exchange.add(packet.bytes, ends, packet);
    if (!this.#hasInfos) return;
    if (step) yield { record: 'info_exchange', stream: undefined, time, frame, ...step };
    for (const info of this.#infos.add(packet.bytes, ends)) {
      this.#exchange.joined(info);
      yield { record: 'server_info', stream: undefined, time, frame, info };
    }
  }

  /** A packet of a handshake that led to no connection. */
  *handshake(fact: HandshakeFact, packet: SentPacket): Generator<RecordingEntry, void> {
    yield* this.unconnected('handshakes', packet);
    const { time, frame, bytes } = packet;
    const { client, server } = fact;
    const packets = this.asking.get(client)?.packets ?? 0;
    if (packets > 0 || this.asking.size < maxAsking) this.asking.set(client, { server, packets: packets + 1 });
    if (fact.step === 'token') this.#exchange.gave(fact.server, u32(bytes, 8, false));
    if (this.#hasInfos) yield { record: 'handshake', stream: undefined, time, frame, ...fact };
  }

  /** The requests for server information, and what became of them. */
  get serverInfo(): InfoCounts {
    return this.#exchange.counts;
  }

  droppedAt(first: number, last: number): void {
    const times = this.droppedTimes;
    times.firstTime = Math.min(times.firstTime, first);
    times.lastTime = Math.max(times.lastTime, last);
  }

  /**
   * A packet of a dropped connection, which is not read. @param isFirst whether it is the first one of its connection
   */
  *unread(packet: SentPacket, isFirst: boolean): Generator<RecordingEntry, void> {
    if (isFirst) this.#unread.connections++;
    this.#unread.packets++;
    this.dropped.packets++;
    this.droppedAt(packet.time, packet.time);
    if (this.#hasRecords) yield unconnected(packet);
  }

  /** The server information of which parts are missing, and what was not read. */
  *finish(): Generator<RecordingEntry, void> {
    if (this.#unread.packets > 0) {
      const diagnostic = {
        severity: 'error',
        code: 'too_many_connections',
        offset: 0,
        args: { ...this.#unread },
      } as const;
      yield { record: 'diagnostic', stream: undefined, diagnostic };
    }
    for (const info of this.#infos.rest()) {
      this.#exchange.joined(info);
      yield { record: 'server_info', stream: undefined, ...this.#last, info };
    }
    if (this.#exchange.isFull) {
      const args = { of: 'unanswered_info_requests', limit: maxRequests };
      const diagnostic = { severity: 'warning', code: 'limit_reached', offset: 0, args } as const;
      yield { record: 'diagnostic', stream: undefined, diagnostic };
    }
    if (!this.#hasInfos) return;
    for (const step of this.#exchange.unanswered) yield { record: 'info_exchange', stream: undefined, ...step };
  }
}

/** No game takes such a packet, so that none sends it. */
function tooLarge({ bytes, time, frame }: SentPacket): RecordingEntry {
  const args = { found: bytes.length, limit: maxPacketBytes };
  const diagnostic = {
    severity: 'warning',
    code: 'packet_too_large',
    offset: 0,
    frame,
    args,
    isSuspect: true,
  } as const;
  return { record: 'diagnostic', stream: undefined, time, frame, diagnostic };
}
