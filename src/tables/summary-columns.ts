import type { DemoHeader } from '../container/demo/header.ts';
import { healthStates, unreadableState } from '../recording/health.ts';
import type { RecordingSummary } from '../recording/recording-summary.ts';
import type { ConnectionStream, Direction } from '../recording/stream.ts';
import type { StreamSummary } from '../recording/stream-summary.ts';
import { type CellValue, type ColumnKind, column, optional, tableOf } from './batch.ts';
import type { Tables } from './tables.ts';

export interface SummaryRow {
  readonly file: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly failure?: string | undefined;
  readonly summary: RecordingSummary;
  /** The only stream of a demo, or a connection; undefined for a capture without connections. */
  readonly stream: StreamSummary | undefined;
}

/** One value of a summary, with the name and the meaning that it has in every output. */
interface SummaryColumn {
  readonly kind: ColumnKind;
  /** The meaning with its unit; undefined if the name says it. */
  readonly meaning: string | undefined;
  readonly value: (row: SummaryRow) => CellValue;
}

type Of<Source> = (source: Source) => CellValue;

const of = (kind: ColumnKind, meaning: string | undefined, value: Of<SummaryRow>): SummaryColumn => ({
  kind,
  meaning,
  value,
});
const ofStream = (kind: ColumnKind, meaning: string | undefined, value: Of<StreamSummary>) =>
  of(kind, meaning, ({ stream }) => stream && value(stream));
const ofHeader = (kind: ColumnKind, meaning: string | undefined, value: Of<DemoHeader>) =>
  of(kind, meaning, ({ summary: { header } }) => header && value(header));
const ofConnection = (kind: ColumnKind, meaning: string | undefined, value: Of<ConnectionStream>) =>
  ofStream(kind, meaning, ({ connection }) => connection && value(connection));

const traffic = (meaning: string, what: 'packets' | 'bytes', direction: Direction) =>
  ofConnection(what === 'bytes' ? 'double' : 'int', meaning, (connection) => connection.counts(direction)[what]);
const chunks = (meaning: string, what: 'resent' | 'lost') =>
  ofConnection('int', meaning, (one) => one.counts('to_server')[what] + one.counts('to_client')[what]);
const outcome = (meaning: string, name: keyof StreamSummary['outcomes']) =>
  ofStream('int', meaning, ({ outcomes }) => outcomes[name]);

export const summaryColumns = {
  file: of('text', 'path of the recording, as it was given', ({ file }) => file),
  format: of('text', 'demo, ghost, pcap, pcapng or netlog', ({ summary }) => summary.container),
  size: of('double', 'bytes of the recording, unpacked', ({ bytes }) => bytes),
  sha256: of('text', 'of the recording, unpacked', ({ sha256 }) => sha256),
  health: of(
    'text',
    `${Object.keys(healthStates).join(', ')}; of an unreadable file only file and error have another value`,
    ({ summary: { health }, failure }) => (failure === undefined ? health.state : 'damaged'),
  ),
  error: of(
    'text',
    'code of the first error; of a file that cannot be opened, why',
    ({ summary, failure }) => summary.diagnostics.find(({ severity }) => severity === 'error')?.code ?? failure,
  ),
  problems: of(
    'int',
    'diagnostics, warnings among them',
    ({ summary, failure }) => summary.diagnostics.length + summary.omittedDiagnostics + (failure === undefined ? 0 : 1),
  ),
  seconds: of('double', 'length by its times or ticks', ({ summary }) => summary.seconds),
  protocol: ofStream('text', '0.5, 0.6 or 0.7', ({ stream }) => stream.protocol.version),
  map: of('text', 'of a capture all maps, separated by spaces', ({ summary, stream }) => {
    return summary.header?.mapName ?? summary.ghost?.mapName ?? (stream && [...stream.maps].join(' '));
  }),
  first_tick: ofStream('int', '-1 without a tick', ({ firstTick }) => firstTick),
  last_tick: ofStream('int', '-1 without a tick', ({ lastTick }) => lastTick),
  snapshots: ofStream('int', 'full ones and deltas', ({ snapshots }) => snapshots),
  messages: ofStream('int', undefined, ({ messageCount }) => messageCount),
  players: ofStream('int', 'number of names of players', ({ names }) => names.seen.size),
  player_names: ofStream('json', 'JSON', ({ names }) => JSON.stringify([...names.seen])),
  keyframes: ofStream('int', 'full snapshots', ({ kinds }) => kinds.snapshot),
  deltas: ofStream('int', undefined, ({ kinds }) => kinds.delta),
  most_items: ofStream('int', 'items of the largest snapshot', ({ peaks }) => peaks.items),

  version: ofHeader('int', 'version of the demo format', ({ version }) => version),
  net_version: ofHeader('text', undefined, ({ netVersion }) => netVersion),
  map_crc: ofHeader('int', undefined, ({ mapCrc }) => mapCrc),
  map_sha256: ofHeader('text', undefined, ({ sha256 }) => sha256),
  map_bytes: ofHeader('int', undefined, ({ mapSize }) => mapSize),
  type: ofHeader('text', 'client or server', ({ type }) => type),
  timestamp: ofHeader('text', 'as the header has it: local time without a zone', ({ timestamp }) => timestamp),
  length: ofHeader('int', 'seconds, as the header says', ({ length }) => length),
  markers: ofHeader('int', 'number of markers', ({ markers }) => markers.length),
  marker_ticks: ofHeader('json', 'JSON', ({ markers }) => JSON.stringify(markers)),

  stream: ofStream('int', 'number of the connection, from 1; 1 in demos', ({ stream }) => stream.number),
  session: ofStream('int', 'map changes of the stream, 0 in demos', ({ stream }) => stream.mapChanges),
  connection: ofConnection('int', 'from 1, in the order in which connections begin', ({ number }) => number),
  client: ofConnection('text', 'address of the client', ({ client }) => client),
  server: ofConnection('text', 'address of the server', ({ server }) => server),
  player: ofStream('text', 'name of the player', ({ player }) => player),
  first_time: ofConnection('double', 'seconds since 1970', ({ firstTime }) => firstTime),
  last_time: ofConnection('double', 'seconds since 1970', ({ lastTime }) => lastTime),
  packets_to_server: traffic('packets that the client sent', 'packets', 'to_server'),
  bytes_to_server: traffic('bytes of these packets', 'bytes', 'to_server'),
  packets_to_client: traffic('packets that the server sent', 'packets', 'to_client'),
  bytes_to_client: traffic('bytes of these packets', 'bytes', 'to_client'),
  resent: chunks('chunks that were sent again', 'resent'),
  lost: chunks('chunks that were not captured', 'lost'),
  undecodable: ofConnection('int', 'packets that cannot be read to their end', ({ undecodable }) => undecodable),
  set_aside: ofConnection('int', 'rejected packets: forged, stray or refused', (one) => one.setAsidePackets),
  map_changes: ofConnection('int', undefined, ({ mapChanges }) => mapChanges),
  close_reason: ofStream('text', 'null if nobody closed the connection', ({ close }) => close?.reason),
  empty: ofStream('int', 'snapshots without a change, which have no checksum', ({ kinds }) => kinds.empty),
  matched: outcome('snapshots with the announced checksum', 'matched'),
  mismatched: outcome('snapshots with another checksum than the announced one', 'mismatched'),
  missing_base: outcome('snapshots that cannot be rebuilt without their base', 'missing_base'),
  missing_part: outcome('snapshots that cannot be rebuilt without one of their parts', 'missing_part'),
  damaged: outcome('snapshots that cannot be read', 'damaged'),
} satisfies Record<string, SummaryColumn>;

export type SummaryName = keyof typeof summaryColumns;

const words = (text: string) => text.trim().split(/\s+/);

/** Columns by their names, separated by spaces; `bytes=size` has another name in this output. */
function selected(text: string): readonly (SummaryColumn & { readonly name: string })[] {
  return words(text).map((word) => {
    const [name, source = name] = word.split('=') as [string, string?];
    return { name, ...summaryColumns[source as SummaryName] };
  });
}

export function summaryObject(row: SummaryRow, names: string): Record<string, CellValue | null> {
  return Object.fromEntries(selected(names).map(({ name, value }) => [name, value(row) ?? null]));
}

const ofAll = selected(`file format size health error protocol map seconds first_tick last_tick snapshots messages
  players player_names`);
const ofDemos = selected('version type timestamp length keyframes deltas markers marker_ticks');
const ofConnections = selected(`connection client server player first_time last_time
  packets_to_server bytes_to_server packets_to_client bytes_to_client
  resent lost undecodable set_aside empty matched mismatched missing_base missing_part damaged`);

export const infoColumns: readonly string[] = [...ofAll, ...ofDemos, ...ofConnections].map(({ name }) => name);

/** The values of {@link infoColumns}: the columns for demos are empty for connections, and vice versa. */
export function infoCells(row: SummaryRow): { readonly kind: ColumnKind; readonly value: CellValue }[] {
  const cells = (columns: typeof ofAll, isUsed = true) =>
    columns.map(({ kind, value }) => ({ kind, value: isUsed ? value(row) : undefined }));
  const { header } = row.summary;
  return [...cells(ofAll), ...cells(ofDemos, header !== undefined), ...cells(ofConnections, header === undefined)];
}

const demoColumns =
  selected(`file stream session sha256 bytes=size version net_version protocol map map_crc map_sha256 map_bytes type
  recorded=timestamp length_s=length first_tick last_tick snapshots keyframes messages most_items
  problems health error`);
const unreadableColumns = new Set(['file', 'problems', 'health']);

const connectionColumns = selected(`file stream client server protocol player first_time last_time
  packets_to_client packets_to_server bytes_to_client bytes_to_server undecodable first_tick last_tick
  snapshots empty matched mismatched missing_base missing_part damaged map_changes close_reason`);
const nullableColumns = new Set(['player', 'first_time', 'last_time', 'close_reason']);

const summaryTable = (table: string, columns: typeof ofAll, isNullable: (name: string) => boolean) =>
  tableOf<SummaryRow>(
    table,
    [],
    columns.map(({ name, kind, meaning, value }) => [
      (isNullable(name) ? optional : column)(name, kind, meaning),
      (row) => finite(value(row)),
    ]),
  );

const finite = (value: CellValue) => (typeof value === 'number' && !Number.isFinite(value) ? undefined : value);

export const demosTable = summaryTable('demos', demoColumns, (name) => !unreadableColumns.has(name));
export const connectionsTable = summaryTable('connections', connectionColumns, (name) => nullableColumns.has(name));

/** Adds a row for a demo, or one for each connection of a capture that was not dropped. */
export function addSummary(tables: Tables, facts: Omit<SummaryRow, 'stream'>): void {
  const { streams, datagrams, header, ghost } = facts.summary;
  if (datagrams) for (const stream of streams) addConnection(tables, { ...facts, stream });
  else {
    const values = demosTable.valuesOf({ ...facts, stream: streams[0] });
    // Without a header the protocol and the map are not known.
    const isKnown = (name: string) => (header ?? ghost) !== undefined || (name !== 'protocol' && name !== 'map');
    tables.add(
      demosTable,
      values.map((value, i) => (isKnown(demosTable.columns[i]!.name) ? value : undefined)),
    );
  }
}

export function addConnection(tables: Tables, row: SummaryRow): void {
  tables.add(connectionsTable, connectionsTable.valuesOf(row));
}

export function addUnreadable(tables: Tables, file: string, failure: string): void {
  const known: Readonly<Record<string, CellValue>> = { file, problems: 1, health: unreadableState, error: failure };
  tables.add(
    demosTable,
    demoColumns.map(({ name }) => known[name]),
  );
}
