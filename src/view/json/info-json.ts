import type { ConnectionStream, Direction } from '../../recording/record.ts';
import type { RecordingSummary } from '../../recording/recording-summary.ts';
import type { DatagramCounts } from '../../recording/replay.ts';
import { perSecond, secondsOf } from '../../recording/snapshot-rates.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import type { RecordingInfo } from '../info/info-rows.ts';
import { diagnosticJson } from './json.ts';

/** A recording as printed by `info -t json`. Times are in seconds since 1970. */
export function infoJson({ file, bytes, summary, findings = 0 }: RecordingInfo) {
  const { container, datagrams, streams, diagnostics, omittedDiagnostics } = summary;
  return {
    file,
    format: container,
    size: bytes,
    ...(datagrams ? connectionsJson(summary, datagrams) : demoJson(summary, streams[0]!)),
    ...(findings > 0 ? { findings } : {}),
    diagnostics: diagnostics.map(diagnosticJson),
    ...(omittedDiagnostics > 0 ? { diagnostics_omitted: omittedDiagnostics } : {}),
  };
}

function demoJson(summary: RecordingSummary, stream: StreamSummary) {
  const { state, at } = summary.health;
  const { kinds, peaks, messages, names } = stream;
  return {
    health: state,
    damaged_at: at,
    ...headerJson(summary, stream),
    snapshots: stream.snapshots,
    keyframes: kinds.snapshot,
    deltas: kinds.delta,
    most_items: peaks.items,
    most_bytes: peaks.snapshotBytes,
    messages: Object.fromEntries(messages.to_client),
    ...versionsJson(stream),
    players: [...names.seen],
  };
}

/** The messages of the other version, by how sure that is; absent without any. */
function versionsJson({ otherVersion }: StreamSummary) {
  return Object.values(otherVersion).some((times) => times > 0) ? { other_version: otherVersion } : {};
}

function headerJson({ header, map, seconds }: RecordingSummary, { stream, firstTick, lastTick }: StreamSummary) {
  if (!header) return {};
  return {
    version: header.version,
    type: header.type,
    net_version: header.netVersion,
    protocol: stream.protocol.version,
    timestamp: header.timestamp,
    map: {
      name: header.mapName,
      size: header.mapSize,
      crc: header.mapCrc,
      crc_found: map?.crc ?? null,
      sha256: header.sha256 ?? null,
      sha256_found: map?.sha256 ?? null,
      ok: map?.matches(header) ?? null,
    },
    length: header.length,
    seconds,
    first_tick: firstTick,
    last_tick: lastTick,
    markers: header.markers,
  };
}

function connectionsJson(summary: RecordingSummary, { total, connless, handshakes, dropped, other }: DatagramCounts) {
  return {
    health: summary.health.state,
    first_time: summary.firstTime,
    seconds: summary.seconds,
    datagrams: total,
    connectionless: connless,
    handshakes,
    dropped,
    other,
    undecodable: summary.undecodable,
    set_aside: summary.setAsidePackets,
    snapshots: summary.snapshots,
    connections: summary.streams.flatMap((one) => (one.connection ? [connectionJson(one, one.connection)] : [])),
  };
}

function connectionJson(one: StreamSummary, connection: ConnectionStream) {
  const { kinds, outcomes, peaks, rates, messages } = one;
  const traffic = (direction: Direction) => ({
    ...connection.counts(direction),
    messages: Object.fromEntries(messages[direction]),
  });
  return {
    connection: connection.number,
    client: connection.client,
    server: connection.server,
    version: connection.version ?? null,
    handshake: connection.hasHandshake,
    player: one.player ?? null,
    first_time: connection.firstTime,
    last_time: connection.lastTime,
    close: one.close ?? null,
    to_server: traffic('to_server'),
    to_client: traffic('to_client'),
    ...versionsJson(one),
    undecodable: connection.undecodable,
    set_aside: connection.setAsidePackets,
    tokens: connection.hasTokens,
    map_changes: connection.mapChanges,
    snapshots: one.snapshots,
    full: kinds.snapshot,
    deltas: kinds.delta,
    empty: kinds.empty,
    ...outcomes,
    most_items: peaks.items,
    most_bytes: peaks.payloadBytes,
    first_tick: one.firstTick,
    last_tick: one.lastTick,
    rates: rates.stretches.map((stretch) => ({
      mode: stretch.mode,
      per_second: perSecond(stretch),
      first_tick: stretch.fromTick,
      last_tick: stretch.toTick,
      seconds: secondsOf(stretch),
      snapshots: stretch.snapshots,
    })),
  };
}
