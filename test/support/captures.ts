import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import type { RecordingEntry, SnapshotEntry } from '../../src/recording/replay/record.ts';
import type { ConnectionStream } from '../../src/recording/replay/stream.ts';

/** A snapshot of a capture, without its buffers. */
export type ReadSnapshot = Pick<SnapshotEntry, 'tick' | 'base' | 'kind' | 'announced' | 'verdict' | 'parts'> & {
  readonly crc: number | undefined;
  readonly client: string;
  readonly frame: number;
};

interface ReadCapture {
  readonly snapshots: readonly ReadSnapshot[];
  /** Names and ends of messages, by connection and direction. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  readonly undecodable: number;
  readonly diagnostics: readonly string[];
  readonly connections: readonly ConnectionStream[];
  readonly datagrams: number;
}

const pieceBytes = 100_000;

export function replayed(bytes: Uint8Array): ReadCapture {
  const replay = new CaptureReplay();
  const snapshots: ReadSnapshot[] = [];
  const messages = new Map<string, string[]>();
  const diagnostics: string[] = [];
  let undecodable = 0;
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'diagnostic' && !entry.stream) diagnostics.push(entry.diagnostic.code);
    else if (entry.record === 'diagnostic' && !entry.weight) undecodable++;
    else if (entry.record === 'snapshot') {
      const { tick, base, kind, announced, verdict, parts, snapshot, stream, frame = 0 } = entry;
      const crc = snapshot?.checksum();
      snapshots.push({ client: stream.client, frame, tick, base, kind, announced, crc, verdict, parts });
    } else if (entry.record === 'message') {
      const { stream, direction, message } = entry;
      const key = `${stream.number - 1} ${stream.client} ${direction}`;
      if (!messages.has(key)) messages.set(key, []);
      messages.get(key)!.push(`${message.type?.name} ${message.end}`);
    }
  };
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    for (const entry of replay.feed(bytes.subarray(at, at + pieceBytes))) add(entry);
  }
  for (const entry of replay.finish()) add(entry);
  const { streams: connections, datagrams } = replay;
  return { snapshots, messages, undecodable, diagnostics, connections, datagrams: datagrams.total };
}

/** The number of snapshots with each outcome: `{"ok":4599}`. */
export function outcomes(snapshots: readonly ReadSnapshot[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, verdict } of snapshots) {
    const outcome = kind === 'empty' ? 'empty' : verdict;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
