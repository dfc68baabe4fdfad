import type { RecordingSummary } from '../recording/recording-summary.ts';
import type { StreamSummary } from '../recording/stream-summary.ts';
import type { CellValue } from './column.ts';
import { connectionsTable, demosTable } from './schemas.ts';
import type { Tables } from './tables.ts';

/** The properties of a file that its records do not contain. */
export interface FileFacts {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The reason why the rest of the file could not be read. */
  readonly failure?: string | undefined;
}

/** Adds a row for a demo, or one for each connection of a capture that was not dropped. */
export function addSummary(tables: Tables, facts: FileFacts, summary: RecordingSummary): void {
  if (summary.datagrams === undefined) tables.add(demosTable, demoRow(facts, summary));
  else for (const stream of summary.streams) addConnection(tables, facts.file, stream);
}

export function addConnection(tables: Tables, file: string, summary: StreamSummary): void {
  tables.add(connectionsTable, connectionRow(file, summary));
}

/** Adds the row of a file that could not be opened. */
export function addUnreadable(tables: Tables, file: string, failure: string): void {
  const known: Readonly<Record<string, CellValue>> = { file, problems: 1, health: 'unreadable', error: failure };
  tables.add(
    demosTable,
    demosTable.columns.map(({ name }) => known[name]),
  );
}

function demoRow({ file, sha256, bytes, failure }: FileFacts, summary: RecordingSummary): readonly CellValue[] {
  const { header, streams, diagnostics, omittedDiagnostics, health } = summary;
  const [stream] = streams;
  return [
    file,
    sha256,
    bytes,
    header?.version,
    header?.netVersion,
    header && stream?.stream.protocol.version,
    header?.mapName,
    header?.mapCrc,
    header?.sha256,
    header?.mapSize,
    header?.type,
    header?.timestamp,
    header?.length,
    stream?.firstTick ?? -1,
    stream?.lastTick ?? -1,
    stream?.snapshots ?? 0,
    stream?.kinds.snapshot ?? 0,
    stream?.messageCount ?? 0,
    stream?.peaks.items ?? 0,
    diagnostics.length + omittedDiagnostics + (failure === undefined ? 0 : 1),
    failure !== undefined && health.state === 'healthy' ? 'cut' : health.state,
    diagnostics.find(({ severity }) => severity === 'error')?.code ?? failure,
  ];
}

function connectionRow(file: string, summary: StreamSummary): readonly CellValue[] {
  const { stream, connection, player, firstTick, lastTick, outcomes, close } = summary;
  const { missing_base, missing_part, damaged } = outcomes;
  const [toClient, toServer] = [connection?.counts('to_client'), connection?.counts('to_server')];
  return [
    file,
    stream.number,
    stream.client,
    stream.server,
    stream.protocol.version,
    player,
    finite(connection?.firstTime),
    finite(connection?.lastTime),
    toClient?.packets ?? 0,
    toServer?.packets ?? 0,
    toClient?.bytes ?? 0,
    toServer?.bytes ?? 0,
    connection?.undecodable ?? 0,
    firstTick,
    lastTick,
    summary.snapshots,
    outcomes.ok,
    outcomes.mismatch,
    missing_base + missing_part + damaged,
    stream.mapChanges,
    close?.reason,
  ];
}

const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined);
