import type { Direction } from '../../recording/record.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import type { RecordingInfo } from '../info/info-rows.ts';
import type { CsvCell } from './csv.ts';

interface Row extends RecordingInfo {
  /** Undefined for a capture without a connection. */
  readonly stream: StreamSummary | undefined;
}

const demo = ({ summary, stream }: Row) => (summary.header ? stream : undefined);
const counts = ({ stream }: Row, direction: Direction) => stream?.connection?.counts(direction);

/** The columns. Those for demos are empty for connections, and vice versa. */
const columns: readonly (readonly [name: string, cell: (row: Row) => CsvCell])[] = [
  ['file', ({ file }) => file],
  ['format', ({ summary }) => summary.container],
  ['size', ({ bytes }) => bytes],
  ['health', ({ summary }) => summary.health.state],
  ['error', ({ summary }) => summary.diagnostics.find(({ severity }) => severity === 'error')?.code],
  ['protocol', ({ stream }) => stream?.stream.protocol.version],
  ['map', ({ summary, stream }) => summary.header?.mapName ?? [...(stream?.maps ?? [])].join(' ')],
  ['seconds', ({ summary }) => summary.seconds],
  ['first_tick', ({ stream }) => stream?.firstTick],
  ['last_tick', ({ stream }) => stream?.lastTick],
  ['snapshots', ({ stream }) => stream?.snapshots],
  ['messages', ({ stream }) => stream?.messageCount],
  ['players', ({ stream }) => stream?.names.seen.size],
  ['player_names', ({ stream }) => stream && JSON.stringify([...stream.names.seen])],
  ['version', ({ summary }) => summary.header?.version],
  ['type', ({ summary }) => summary.header?.type],
  ['timestamp', ({ summary }) => summary.header?.timestamp],
  ['length', ({ summary }) => summary.header?.length],
  ['keyframes', (row) => demo(row)?.kinds.snapshot],
  ['deltas', (row) => demo(row)?.kinds.delta],
  ['markers', ({ summary }) => summary.header?.markers.length],
  ['marker_ticks', ({ summary }) => summary.header && JSON.stringify(summary.header.markers)],
  ['connection', ({ stream }) => stream?.connection?.number],
  ['client', ({ stream }) => stream?.connection?.client],
  ['server', ({ stream }) => stream?.connection?.server],
  ['player', ({ stream }) => stream?.connection && stream.player],
  ['first_time', ({ stream }) => stream?.connection?.firstTime],
  ['last_time', ({ stream }) => stream?.connection?.lastTime],
  ['packets_to_server', (row) => counts(row, 'to_server')?.packets],
  ['bytes_to_server', (row) => counts(row, 'to_server')?.bytes],
  ['packets_to_client', (row) => counts(row, 'to_client')?.packets],
  ['bytes_to_client', (row) => counts(row, 'to_client')?.bytes],
  ['resent', (row) => sum(counts(row, 'to_server')?.resent, counts(row, 'to_client')?.resent)],
  ['lost', (row) => sum(counts(row, 'to_server')?.lost, counts(row, 'to_client')?.lost)],
  ['undecodable', ({ stream }) => stream?.connection?.undecodable],
  ['set_aside', ({ stream }) => stream?.connection?.setAsidePackets],
  ['empty', (row) => (demo(row) ? undefined : row.stream?.kinds.empty)],
  ['matched', (row) => (demo(row) ? undefined : row.stream?.outcomes.ok)],
  ['mismatched', (row) => (demo(row) ? undefined : row.stream?.outcomes.mismatch)],
  ['missing_base', (row) => (demo(row) ? undefined : row.stream?.outcomes.missing_base)],
  ['missing_part', (row) => (demo(row) ? undefined : row.stream?.outcomes.missing_part)],
  ['damaged', (row) => (demo(row) ? undefined : row.stream?.outcomes.damaged)],
];

const sum = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a + b);

/** The names of the columns of {@link infoCsv}. */
export const infoCsvHead: readonly string[] = columns.map(([name]) => name);

/** The rows of a recording: one per connection of a capture, one for a demo. */
export function infoCsv(info: RecordingInfo): CsvCell[][] {
  const streams = info.summary.streams.length > 0 ? info.summary.streams : [undefined];
  return streams.map((stream) => columns.map(([, cell]) => cell({ ...info, stream })));
}

/** The row of an unreadable file. */
export const unreadableCsv = (file: string, reason: string): CsvCell[] =>
  columns.map(([name]) => ({ file, health: 'unreadable', error: reason })[name]);
