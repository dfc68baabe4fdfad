import type { Batch } from '../../src/tables/batch.ts';
import type { TableSchema } from '../../src/tables/column.ts';
import { csvHead, csvRows } from '../../src/view/csv/table-csv.ts';
import { ndjsonRows } from '../../src/view/json/table-json.ts';
import type { TableEncoder } from './encoder.ts';

interface TableFormat {
  readonly extension: string;
  open(schema: TableSchema): Promise<TableEncoder>;
}

/** The formats of tables by their names for `-t`, the default first. */
export const tableFormats: Readonly<Record<string, TableFormat>> = {
  parquet: {
    extension: 'parquet',
    // Loaded only here: start-up counts.
    open: async (schema) => new (await import('./parquet.ts')).ParquetEncoder(schema),
  },
  csv: {
    extension: 'csv',
    open: async (schema) => new TextEncoding(csvHead(schema), csvRows),
  },
  ndjson: {
    extension: 'ndjson',
    open: async () => new TextEncoding('', ndjsonRows),
  },
};

/** Rows that are made into text at a time. */
const rowsAtATime = 4096;

/** A table as text: a head and lines. */
class TextEncoding implements TableEncoder {
  readonly #rowsOf: typeof csvRows;
  readonly #encoder = new TextEncoder();
  #head: string;

  constructor(head: string, rowsOf: typeof csvRows) {
    this.#head = head;
    this.#rowsOf = rowsOf;
  }

  *add(batch: Batch): Generator<Uint8Array> {
    yield this.finish();
    for (let from = 0; from < batch.rows; from += rowsAtATime) {
      yield this.#encoder.encode(this.#rowsOf(batch, from, Math.min(from + rowsAtATime, batch.rows)));
    }
  }

  finish(): Uint8Array {
    const head = this.#encoder.encode(this.#head);
    this.#head = '';
    return head;
  }
}
