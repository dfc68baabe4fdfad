import type { RecordingEntry } from '../recording/record.ts';
import type { Batch } from './batch.ts';
import type { TableSchema } from './column.ts';

/** A table whose rows result from one record after the other. */
export interface RecordRows {
  readonly schema: TableSchema;
  /** Adds the rows of a record to a batch of this schema. */
  add(entry: RecordingEntry, batch: Batch): void;
}
