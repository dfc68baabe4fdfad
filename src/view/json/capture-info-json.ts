import type { ConnectionSummary } from '../../recording/connection-summary.ts';
import { perSecond, secondsOf } from '../../recording/snapshot-rates.ts';
import type { CaptureInfo } from '../info/capture-info.ts';
import { diagnosticJson } from './json.ts';

/** A capture for scripts, as `info -t json` prints it. Times are seconds since 1970. */
export function captureInfoJson({ file, container, bytes, capture, datagrams }: CaptureInfo) {
  return {
    file,
    format: container,
    size: bytes,
    first_time: capture.firstTime,
    seconds: capture.seconds,
    datagrams: datagrams.total,
    connectionless: datagrams.connless,
    other: datagrams.other,
    undecodable: capture.undecodable,
    snapshots: capture.snapshots,
    connections: capture.connections.map(connectionJson),
    diagnostics: capture.diagnostics.map(diagnosticJson),
    ...(capture.moreDiagnostics > 0 ? { diagnostics_omitted: capture.moreDiagnostics } : {}),
  };
}

function connectionJson(one: ConnectionSummary) {
  const { connection, kinds, outcomes, rates, messages } = one;
  return {
    client: connection.client,
    server: connection.server,
    version: connection.version ?? null,
    player: one.player ?? null,
    first_time: connection.firstTime,
    last_time: connection.lastTime,
    close: one.close ?? null,
    to_server: { ...connection.counts('to_server'), messages: Object.fromEntries(messages.to_server) },
    to_client: { ...connection.counts('to_client'), messages: Object.fromEntries(messages.to_client) },
    undecodable: connection.undecodable,
    map_changes: connection.mapChanges,
    snapshots: one.snapshots,
    full: kinds.snapshot,
    deltas: kinds.delta,
    empty: kinds.empty,
    ...outcomes,
    most_items: one.mostItems,
    most_bytes: one.mostBytes,
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
