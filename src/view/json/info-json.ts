import { type Ghost, runTime } from '../../container/ghost/ghost.ts';
import { unreadableState } from '../../recording/health.ts';
import type { Health } from '../../recording/recording-summary.ts';
import type { DatagramCounts } from '../../recording/replay.ts';
import { perSecond, secondsOf } from '../../recording/snapshot-rates.ts';
import type { ConnectionStream, Direction } from '../../recording/stream.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import { infoCells, infoColumns, type SummaryRow, summaryObject } from '../../tables/summary-columns.ts';
import { type CsvCell, csvCell, csvLine, jsonCell } from '../csv/csv.ts';
import type { RecordingInfo } from '../info/rows.ts';
import { diagnosticJson } from './json.ts';

/** A recording as printed by `info -t json`. Times are in seconds since 1970. */
export function infoJson(info: RecordingInfo) {
  const { summary, findings = 0 } = info;
  const { datagrams, streams, diagnostics, omittedDiagnostics } = summary;
  return {
    ...summaryObject({ ...info, stream: streams[0] }, 'file format size health'),
    ...(datagrams
      ? captureJson(info, datagrams)
      : summary.ghost
        ? ghostJson(info, summary.ghost)
        : demoJson(info, streams[0]!)),
    ...(findings > 0 ? { findings } : {}),
    diagnostics: diagnostics.map(diagnosticJson),
    ...(omittedDiagnostics > 0 ? { diagnostics_omitted: omittedDiagnostics } : {}),
  };
}

function demoJson(info: RecordingInfo, stream: StreamSummary) {
  const { header, map, health } = info.summary;
  const { messages, names, peaks } = stream;
  const row = { ...info, stream };
  const about = header && {
    ...summaryObject(row, 'version type net_version protocol timestamp'),
    map: {
      name: header.mapName,
      size: header.mapSize,
      crc: header.mapCrc,
      crc_found: map?.crc ?? null,
      sha256: header.sha256 ?? null,
      sha256_found: map?.sha256 ?? null,
      ok: map?.matches(header) ?? null,
    },
    ...summaryObject(row, 'length seconds first_tick last_tick'),
    markers: header.markers,
  };
  return {
    damaged_at: health.at,
    ...about,
    ...summaryObject(row, 'snapshots keyframes deltas most_items'),
    most_bytes: peaks.snapshotBytes,
    messages: Object.fromEntries(messages.to_client),
    ...versionsJson(stream, health),
    players: [...names.seen],
  };
}

function ghostJson(info: RecordingInfo, ghost: Ghost) {
  const { version, owner, skin, mapName, mapCrc, mapSha256, characters, time, found, startTick, steps } = ghost;
  const { health, streams } = info.summary;
  return {
    damaged_at: health.at,
    version,
    player: owner,
    skin,
    map: { name: mapName, crc: mapCrc ?? null, sha256: mapSha256 ?? null },
    characters,
    characters_found: found,
    time_ms: time,
    time_found_ms: found > 0 ? runTime(ghost) : null,
    start_tick: startTick ?? null,
    ...summaryObject({ ...info, stream: streams[0] }, 'first_tick last_tick'),
    steps: Object.fromEntries(steps),
  };
}

/** The messages of the other version, by how sure that is, and values that no table has; absent without any. */
function versionsJson({ otherVersion, newer: { kinds } }: StreamSummary, { state }: Health) {
  return {
    ...(Object.values(otherVersion).some((times) => times > 0) ? { other_version: otherVersion } : {}),
    ...(kinds.size > 0 && state !== 'damaged' ? { newer: [...kinds] } : {}),
  };
}

function captureJson(info: RecordingInfo, { total, connless, handshakes, dropped, other }: DatagramCounts) {
  const { summary } = info;
  return {
    first_time: summary.firstTime,
    seconds: summary.seconds,
    datagrams: total,
    connectionless: connless,
    handshakes,
    dropped,
    other,
    undecodable: summary.counts.undecodable,
    set_aside: summary.counts.setAsidePackets,
    snapshots: summary.counts.snapshots,
    connections: summary.streams.flatMap((stream) =>
      stream.connection ? [connectionJson({ ...info, stream }, stream, stream.connection)] : [],
    ),
  };
}

function connectionJson(row: SummaryRow, one: StreamSummary, connection: ConnectionStream) {
  const { peaks, rates, messages } = one;
  const traffic = (direction: Direction) => ({
    ...connection.counts(direction),
    messages: Object.fromEntries(messages[direction]),
  });
  return {
    ...summaryObject(row, 'connection client server'),
    version: connection.version ?? null,
    handshake: connection.hasHandshake,
    ...summaryObject(row, 'player first_time last_time'),
    close: one.close ?? null,
    to_server: traffic('to_server'),
    to_client: traffic('to_client'),
    ...versionsJson(one, row.summary.health),
    ...summaryObject(row, 'undecodable set_aside'),
    tokens: connection.hasTokens,
    ...summaryObject(
      row,
      `map_changes snapshots full=keyframes deltas empty matched mismatched missing_base missing_part damaged most_items`,
    ),
    most_bytes: peaks.payloadBytes,
    ...summaryObject(row, 'first_tick last_tick'),
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

/** The rows of `info -t csv`: one for each connection of a capture, one for a demo. */
export function infoCsv(info: RecordingInfo): string {
  const { streams } = info.summary;
  const rows: readonly (StreamSummary | undefined)[] = streams.length > 0 ? streams : [undefined];
  const cells = rows.map((stream) => infoCells({ ...info, stream }).map(cellOf));
  return cells.map((row) => `${row.join(',')}\n`).join('');
}

const cellOf = ({ kind, value }: ReturnType<typeof infoCells>[number]) =>
  kind === 'json' && value !== undefined ? jsonCell(String(value)) : csvCell(value as CsvCell);

export function unreadableCsv(file: string, reason: string): string {
  const known: Readonly<Record<string, string>> = { file, health: unreadableState, error: reason };
  return csvLine(infoColumns.map((name) => known[name]));
}
