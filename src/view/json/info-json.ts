import type { DemoSummary } from '../../recording/demo-summary.ts';
import { diagnosticJson } from './json.ts';

/** A demo for scripts, as `info -t json` prints it. */
export function infoJson(file: string, size: number, demo: DemoSummary) {
  const { header } = demo;
  const { state, at } = demo.health;
  return {
    file,
    format: 'demo',
    size,
    health: state,
    damaged_at: at,
    ...(header
      ? {
          version: header.version,
          type: header.type,
          net_version: header.netVersion,
          protocol: demo.protocol!.version,
          timestamp: header.timestamp,
          map: {
            name: header.mapName,
            size: header.mapSize,
            crc: header.mapCrc,
            crc_found: demo.mapBytes > 0 ? demo.mapCrc : null,
            sha256: header.sha256 ?? null,
            sha256_found: demo.mapBytes > 0 ? demo.mapSha256 : null,
            ok: demo.mapIsRight ?? null,
          },
          length: header.length,
          seconds: demo.seconds,
          first_tick: demo.firstTick,
          last_tick: demo.lastTick,
          markers: header.markers,
        }
      : {}),
    snapshots: demo.keyframes + demo.deltas,
    keyframes: demo.keyframes,
    deltas: demo.deltas,
    most_items: demo.mostItems,
    most_bytes: demo.mostBytes,
    messages: Object.fromEntries(demo.messages),
    players: [...demo.names.seen],
    diagnostics: demo.diagnostics.map(diagnosticJson),
    ...(demo.moreDiagnostics > 0 ? { diagnostics_omitted: demo.moreDiagnostics } : {}),
  };
}
