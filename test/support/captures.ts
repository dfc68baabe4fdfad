import { type CaptureRecord, CaptureReplay } from '../../src/recording/capture.ts';
import type { ReceivedSnapshot } from '../../src/recording/received-snapshot.ts';

/** What is told of a snapshot, kept. */
export type Told = Pick<ReceivedSnapshot, 'tick' | 'base' | 'kind' | 'expected' | 'crc' | 'ok' | 'reason' | 'parts'> & {
  readonly client: string;
  readonly number: number;
};

export interface Replayed {
  readonly snapshots: readonly Told[];
  /** Names and bytes of messages, by connection and direction. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  readonly undecodable: number;
  readonly findings: readonly string[];
  readonly connections: CaptureReplay['connections'];
  readonly datagrams: number;
}

const pieceBytes = 100_000;

export function replayed(bytes: Uint8Array): Replayed {
  const replay = new CaptureReplay();
  const snapshots: Told[] = [];
  const messages = new Map<string, string[]>();
  const findings: string[] = [];
  let undecodable = 0;
  const take = (record: CaptureRecord) => {
    if (record.event === 'finding') findings.push(record.finding.code);
    else if (record.event === 'undecodable') undecodable++;
    else if (record.event === 'snapshot') {
      const { tick, base, kind, expected, crc, ok, reason, parts } = record.received;
      const { client } = record.connection;
      snapshots.push({ client, number: record.number, tick, base, kind, expected, crc, ok, reason, parts });
    } else if (record.event === 'message') {
      const { connection, direction, message } = record;
      const key = `${replay.connections.indexOf(connection)} ${connection.client} ${direction}`;
      if (!messages.has(key)) messages.set(key, []);
      messages.get(key)!.push(`${message.type?.name} ${message.end}`);
    }
  };
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    for (const record of replay.feed(bytes.subarray(at, at + pieceBytes))) take(record);
  }
  for (const record of replay.finish()) take(record);
  const { connections, datagrams } = replay;
  return { snapshots, messages, undecodable, findings, connections, datagrams };
}

/** How many became what: `{"ok":4599}`. */
export function outcomes(snapshots: readonly Told[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, ok, reason } of snapshots) {
    const outcome = kind === 'empty' ? 'empty' : (reason ?? (ok ? 'ok' : 'mismatch'));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
