import type { Batch, TableSchema } from '../../src/tables/batch.ts';
import { csvHead, csvRows, ndjsonRows } from '../../src/view/csv/csv.ts';
import type { TableEncoder } from './encoder.ts';

interface TableFormat {
  readonly extension: string;
  open(schema: TableSchema): Promise<TableEncoder>;
}

/** The formats of tables by their names for `-t`, the default first. */
export const tableFormats: Readonly<Record<string, TableFormat>> = {
  parquet: {
    extension: 'parquet',
    // Loaded here only, to keep start-up fast.
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

/** The number of characters that are encoded at a time. */
const pieceLength = 1 << 16;

/** Encodes a table as text: a heading and lines. */
class TextEncoding implements TableEncoder {
  readonly #rowsOf: (batch: Batch) => Iterable<string>;
  readonly #encoder = new TextEncoder();
  #text: string;

  constructor(head: string, rowsOf: (batch: Batch) => Iterable<string>) {
    this.#text = head;
    this.#rowsOf = rowsOf;
  }

  *add(batch: Batch): Generator<Uint8Array, void> {
    for (const text of this.#rowsOf(batch)) {
      this.#text += text;
      if (this.#text.length >= pieceLength) yield this.finish();
    }
  }

  finish(): Uint8Array {
    const bytes = this.#encoder.encode(this.#text);
    this.#text = '';
    return bytes;
  }
}
