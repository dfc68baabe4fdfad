import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { type Cell, cellOf, type Field, type Fields, kinds, valuesOf } from '../results/fields.ts';
import {
  type ConnectionRow,
  connectionRows,
  connectionsColumns,
  demosColumns,
  type RecordingInfo,
  type SummaryRow,
} from '../results/info.ts';
import { unreadableFields } from '../results/shared.ts';
import { column, optional, type SourceTable, tableOf } from './batch.ts';
import type { Tables } from './tables.ts';

/** A table whose columns are fields: one that may be null is optional. */
function tableOfFields<Source>(name: string, about: string, fields: Fields<Source>): SourceTable<Source> {
  return tableOf<Source>(
    name,
    about,
    [],
    Object.entries(fields).map(([key, field]) => [
      (field.missing === undefined ? column : optional)(key, kinds[field.kind].column, field.meaning),
      (source) => cellOf(field as Field<Source>, source),
    ]),
  );
}

export const demosTable = tableOfFields<SummaryRow>(
  'demos',
  'each demo, and each file that cannot be read',
  demosColumns,
);
export const connectionsTable = tableOfFields<ConnectionRow>(
  'connections',
  'each connection of a capture',
  connectionsColumns,
);

/** Adds a row for a demo, or one for each connection of a capture that was not dropped. */
export function addSummary(tables: Tables, facts: Omit<SummaryRow, 'stream'>): void {
  const { streams, datagrams } = facts.summary;
  const row: SummaryRow = { ...facts, stream: streams[0] };
  if (!datagrams) tables.add(demosTable, demosTable.valuesOf(row));
  else
    for (const connection of connectionRows(row)) tables.add(connectionsTable, connectionsTable.valuesOf(connection));
}

/** Adds a row for a connection that is dropped. */
export function addConnection(tables: Tables, info: RecordingInfo, stream: StreamSummary): void {
  tables.add(connectionsTable, connectionsTable.valuesOf({ ...info, stream, connection: stream.connection! }));
}

export function addUnreadable(tables: Tables, file: string, reason: string): void {
  const known: Readonly<Record<string, Cell>> = { ...valuesOf(unreadableFields, { file, reason }), problems: 1 };
  tables.add(
    demosTable,
    demosTable.columns.map(({ name }) => known[name]),
  );
}
