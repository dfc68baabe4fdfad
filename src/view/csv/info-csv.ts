import type { ConnectionStream } from '../../recording/record.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import type { RecordingInfo } from '../info/info.ts';
import type { CsvCell } from './csv.ts';

type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => CsvCell])[];

interface DemoRow extends RecordingInfo {
  readonly stream: StreamSummary;
}

const demoColumns: Columns<DemoRow> = [
  ['file', ({ file }) => file],
  ['size', ({ bytes }) => bytes],
  ['health', ({ summary }) => summary.health.state],
  ['version', ({ summary }) => summary.header?.version],
  ['protocol', ({ summary, stream }) => summary.header && stream.stream.protocol.version],
  ['type', ({ summary }) => summary.header?.type],
  ['map', ({ summary }) => summary.header?.mapName],
  ['timestamp', ({ summary }) => summary.header?.timestamp],
  ['length', ({ summary }) => summary.header?.length],
  ['seconds', ({ summary }) => summary.seconds],
  ['first_tick', ({ stream }) => stream.firstTick],
  ['last_tick', ({ stream }) => stream.lastTick],
  ['snapshots', ({ stream }) => stream.snapshots],
  ['keyframes', ({ stream }) => stream.kinds.snapshot],
  ['deltas', ({ stream }) => stream.kinds.delta],
  ['messages', ({ stream }) => stream.messageCount],
  ['players', ({ stream }) => stream.names.seen.size],
  ['markers', ({ summary }) => summary.header?.markers.length],
];

interface ConnectionRow extends RecordingInfo {
  readonly stream: StreamSummary;
  readonly connection: ConnectionStream;
  readonly up: ReturnType<ConnectionStream['counts']>;
  readonly down: ReturnType<ConnectionStream['counts']>;
}

const connectionColumns: Columns<ConnectionRow> = [
  ['file', ({ file }) => file],
  ['client', ({ connection }) => connection.client],
  ['server', ({ connection }) => connection.server],
  ['version', ({ connection }) => connection.version],
  ['player', ({ stream }) => stream.player],
  ['first_time', ({ connection }) => connection.firstTime],
  ['last_time', ({ connection }) => connection.lastTime],
  ['packets_to_server', ({ up }) => up.packets],
  ['bytes_to_server', ({ up }) => up.bytes],
  ['packets_to_client', ({ down }) => down.packets],
  ['bytes_to_client', ({ down }) => down.bytes],
  ['resent', ({ up, down }) => up.resent + down.resent],
  ['lost', ({ up, down }) => up.lost + down.lost],
  ['undecodable', ({ connection }) => connection.undecodable],
  ['snapshots', ({ stream }) => stream.snapshots],
  ['empty', ({ stream }) => stream.kinds.empty],
  ['matched', ({ stream }) => stream.outcomes.ok],
  ['mismatched', ({ stream }) => stream.outcomes.mismatch],
  ['missing_base', ({ stream }) => stream.outcomes.missing_base],
  ['missing_part', ({ stream }) => stream.outcomes.missing_part],
  ['damaged', ({ stream }) => stream.outcomes.damaged],
  ['set_aside', ({ connection }) => connection.setAsidePackets],
  ['connection', ({ connection }) => connection.number],
];

/** The names of the columns of {@link infoCsv}: recordings that consist of packets have their own. */
export const infoCsvHead = (hasPackets: boolean): string[] =>
  (hasPackets ? connectionColumns : demoColumns).map(([name]) => name);

/** A recording as rows of a table: one for each connection of a capture, one for a demo. */
export function infoCsv(info: RecordingInfo): CsvCell[][] {
  return info.summary.streams.map((stream) => {
    const { connection } = stream;
    if (!connection) return demoColumns.map(([, cell]) => cell({ ...info, stream }));
    const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
    return connectionColumns.map(([, cell]) => cell({ ...info, stream, connection, up, down }));
  });
}
