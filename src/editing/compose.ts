import { type DemoHeader, netVersions } from '../recording/container/demo/header.ts';
import { LoneMessage } from '../recording/replay/lazy-message.ts';
import { MapSummary } from '../recording/replay/map-summary.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import type { Stream } from '../recording/replay/stream.ts';
import type { Protocol } from '../wire/protocol/registry.ts';
import type { Snapshot } from '../wire/snapshot/snapshot.ts';

/** The number of ticks after which the games' recorders write the next full snapshot. */
export const keyframeGap = 250;

/** A DDNet client records 0.6. Both games play 0.7 demos of version 4, the only version that Teeworlds 0.7.5 plays. */
const demoVersions = { '0.6': 6, '0.7': 4 } as const;

/** The map of a new demo: its file, which the demo then contains, or the checksums by which players find it. */
export type NewMap =
  | { readonly name: string; readonly file: Uint8Array }
  | { readonly name: string; readonly crc: number; readonly sha256?: string };

/** A tick of a new demo. The snapshots of 0.7 have the players and the game as items, `obj_de_client_info` and so on. */
export interface NewTick {
  readonly tick: number;
  readonly snapshot: Snapshot;
  /** What `writeMessage` of `tw-snap/live` returns, of messages of the game to the client. */
  readonly messages?: readonly Uint8Array[];
}

/** The header of a new demo. @param crc of the map; @param timestamp when the recording began */
export function newHeader(
  { protocol }: Stream,
  { name, size, crc, sha256 }: { name: string; size: number; crc: number; sha256?: string | undefined },
  timestamp: string,
): DemoHeader {
  const version = protocol.version === '0.7' ? '0.7' : '0.6';
  // Version 6 has a SHA-256, and without one it is version 5.
  const known = version === '0.6' && sha256 !== undefined ? { sha256 } : undefined;
  return {
    version: version === '0.6' && !known ? 5 : demoVersions[version],
    netVersion: netVersions[version],
    mapName: name,
    mapSize: size,
    mapCrc: crc,
    type: 'client',
    length: 0,
    timestamp,
    markers: [],
    ...known,
    mapStart: 0,
    chunksStart: 0,
    bytes: new Uint8Array(0),
  };
}

/** The records of a new demo. */
export function* composedRecords(
  protocol: Protocol,
  map: NewMap,
  timestamp: string,
  ticks: Iterable<NewTick>,
): Generator<RecordingEntry, void> {
  const stream: Stream = { number: 1, client: '', server: '', mapChanges: 0, protocol };
  const sums = new MapSummary();
  if ('file' in map) sums.add(map.file);
  const { crc, sha256 } = 'file' in map ? sums : map;
  const size = 'file' in map ? map.file.length : 0;
  yield { record: 'header', stream, header: newHeader(stream, { name: map.name, size, crc, sha256 }, timestamp) };
  if ('file' in map) yield { record: 'map', stream, piece: map.file };
  let last: NewTick | undefined;
  let full = -Infinity;
  for (const next of ticks) {
    const { tick, snapshot, messages = [] } = next;
    const keyframe = tick - full > keyframeGap;
    if (keyframe) full = tick;
    const kind = keyframe ? 'snapshot' : 'delta';
    yield { record: 'tick', stream, tick, keyframe };
    yield {
      record: 'snapshot',
      stream,
      tick,
      kind,
      base: last?.tick ?? -1,
      payload: undefined,
      payloadKind: kind,
      encoding: 'huffman',
      offset: -1,
      parts: 1,
      bytes: 0,
      before: last?.snapshot,
      delta: undefined,
      announced: undefined,
      verdict: 'unchecked',
      snapshot,
      cause: undefined,
      uncertain: false,
    };
    for (const bytes of messages) yield new LoneMessage(stream, 'to_client', bytes);
    last = next;
  }
}
