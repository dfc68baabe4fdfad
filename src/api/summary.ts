import type { DemoHeader } from '../recording/container/demo/header.ts';
import type { GhostHeader } from '../recording/container/ghost/ghost.ts';
import type { Outcome } from '../recording/health/checksums.ts';
import type { Finding } from '../recording/health/findings.ts';
import type { CloseEntry, SnapshotEntry } from '../recording/replay/record.ts';
import type { DatagramCounts } from '../recording/replay/replay.ts';
import type { ConnectionStream, Direction } from '../recording/replay/stream.ts';
import type { Counts, Health, RecordingSummary } from '../recording/summary/recording-summary.ts';
import type * as recording from '../recording/summary/stream-summary.ts';
import type { Diagnostic } from '../wire/bytes/diagnostic.ts';
import type { VersionCertainty } from '../wire/packet/message.ts';
import type { Version } from '../wire/protocol/registry.ts';

/** What a recording is, as a plain object: its JSON has all of it. */
export interface Summary {
  /** `demo`, `ghost`, `pcap`, `pcapng` or `netlog`; `unknown` if records were given. */
  readonly container: string;
  readonly health: Health;
  /** Of a demo. */
  readonly header?: Omit<DemoHeader, 'bytes'>;
  readonly ghost?: GhostHeader & {
    readonly skin: string;
    /** Undefined without characters. */
    readonly startTick?: number;
    readonly lastTick: number;
    /** The number of characters in the file. */
    readonly found: number;
    /** The ticks between two characters, and how often. */
    readonly steps: Readonly<Record<number, number>>;
  };
  /** The map that a demo embeds; `isRight` says whether it is the one of the header. */
  readonly map?: { readonly bytes: number; readonly crc: number; readonly sha256: string; readonly isRight: boolean };
  /** By the times of packets, or the ticks. */
  readonly seconds: number;
  /** The time of the first packet of a connection in seconds since 1970; missing without connections or times. */
  readonly firstTime?: number;
  readonly counts: Counts;
  /** One for a demo, one for each connection of a capture. */
  readonly streams: readonly StreamSummary[];
  /** Of a capture or log. */
  readonly datagrams?: DatagramCounts;
  readonly findings: readonly Finding[];
  /** The first 1,000 of them. */
  readonly diagnostics: readonly Diagnostic[];
  readonly omittedDiagnostics: number;
}

/** What one player was sent: a whole demo, or one connection. */
export interface StreamSummary {
  readonly number: number;
  /** Empty for a demo. */
  readonly client: string;
  readonly server: string;
  readonly version: Version;
  readonly mapChanges: number;
  /** The name of the player whose client it is, if it is known. */
  readonly player?: string;
  /** All names that were seen. */
  readonly players: readonly string[];
  readonly maps: readonly string[];
  /** -1 without any. */
  readonly firstTick: number;
  readonly lastTick: number;
  readonly snapshots: Readonly<Record<SnapshotEntry['kind'], number>>;
  /** The snapshots with an announced checksum, and those that cannot be rebuilt. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The maxima of one snapshot: items, bytes in the games' memory, bytes of its payload. */
  readonly peaks: { readonly items: number; readonly snapshotBytes: number; readonly payloadBytes: number };
  /** The number of messages by name. */
  readonly messages: Readonly<Record<Direction, Readonly<Record<string, number>>>>;
  /** Messages that were read in the other version, by how sure that is. */
  readonly otherVersion: Readonly<Record<VersionCertainty, number>>;
  /** Values that the tables do not have. */
  readonly newer: readonly string[];
  readonly hasFinish: boolean;
  readonly close?: Pick<CloseEntry, 'direction' | 'reason'>;
  /** Of a capture. */
  readonly connection?: Pick<ConnectionStream, 'hasHandshake' | 'hasTokens' | 'undecodable' | 'rejectedPackets'> & {
    /** In seconds since 1970; missing without times. */
    readonly firstTime?: number;
    readonly lastTime?: number;
    readonly sent: Readonly<Record<Direction, ReturnType<ConnectionStream['counts']>>>;
  };
}

/** The object without what is undefined, or a time that is not known. */
const known = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && (typeof value !== 'number' || Number.isFinite(value)),
    ),
  ) as { [Key in keyof Values]: Exclude<Values[Key], undefined> };

export function plainSummary(summary: RecordingSummary): Summary {
  const { container, health, header, ghost, map, seconds, firstTime, counts, findings } = summary;
  const { diagnostics, omittedDiagnostics, datagrams } = summary;
  const { bytes: _, ...ofHeader } = header ?? {};
  return known({
    container,
    health,
    header: header && (ofHeader as Omit<DemoHeader, 'bytes'>),
    ghost: ghost && known({ ...ghost, steps: Object.fromEntries(ghost.steps) }),
    map: map && {
      bytes: map.bytes,
      crc: map.crc,
      sha256: map.sha256,
      isRight: header !== undefined && map.matches(header),
    },
    seconds,
    firstTime,
    counts,
    streams: summary.streams.map(plainStream),
    datagrams: datagrams && plainDatagrams(datagrams),
    findings,
    diagnostics: [...diagnostics],
    omittedDiagnostics,
  }) as Summary;
}

function plainDatagrams({
  total,
  connless,
  handshakes,
  dropped,
  droppedTimes,
  other,
  serverInfo,
  ...times
}: DatagramCounts) {
  return {
    ...{ total, connless, handshakes, other, dropped: { ...dropped }, droppedTimes: known({ ...droppedTimes }) },
    ...known({ firstTime: times.firstTime, lastTime: times.lastTime }),
    serverInfo: { ...serverInfo },
  };
}

function plainStream(summary: recording.StreamSummary): StreamSummary {
  const { stream, connection, kinds, outcomes, peaks, messages, otherVersion, close, hasFinish } = summary;
  const { number, client, server, mapChanges } = stream;
  const { firstTick, lastTick, player } = summary;
  return known({
    ...{ number, client, server, version: stream.protocol.version, mapChanges, player },
    players: [...summary.names.seen],
    maps: [...summary.maps],
    ...{ firstTick, lastTick, snapshots: { ...kinds }, outcomes: { ...outcomes }, peaks: { ...peaks } },
    messages: {
      to_client: Object.fromEntries(messages.to_client),
      to_server: Object.fromEntries(messages.to_server),
    },
    otherVersion: { ...otherVersion },
    newer: [...summary.items.newer],
    hasFinish,
    close: close && { direction: close.direction, reason: close.reason },
    connection: connection && plainConnection(connection),
  }) as StreamSummary;
}

function plainConnection(connection: ConnectionStream): NonNullable<StreamSummary['connection']> {
  const { hasHandshake, hasTokens, undecodable, rejectedPackets, firstTime, lastTime } = connection;
  const sent = { to_client: connection.counts('to_client'), to_server: connection.counts('to_server') };
  return { hasHandshake, hasTokens, undecodable, rejectedPackets, ...known({ firstTime, lastTime }), sent };
}
