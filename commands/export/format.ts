import type { TableSchema } from '../../src/tables/column.ts';
import { csvHead, csvRows } from '../../src/view/csv/table-csv.ts';
import { ndjsonRows } from '../../src/view/json/table-json.ts';
import type { TableEncoder } from './encoder.ts';

interface TableFormat {
  readonly extension: string;
  open(schema: TableSchema): Promise<TableEncoder>;
}

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);

/** The formats of tables by their names for `-t`, the default first. */
export const tableFormats: Readonly<Record<string, TableFormat>> = {
  parquet: {
    extension: 'parquet',
    // Loaded only here: start-up counts.
    open: async (schema) => new (await import('./parquet.ts')).ParquetEncoder(schema),
  },
  csv: {
    extension: 'csv',
    async open(schema) {
      let head = csvHead(schema);
      return {
        add(batch) {
          const text = head + csvRows(batch);
          head = '';
          return encoder.encode(text);
        },
        finish: () => encoder.encode(head),
      };
    },
  },
  ndjson: {
    extension: 'ndjson',
    open: async () => ({ add: (batch) => encoder.encode(ndjsonRows(batch)), finish: () => nothing }),
  },
};
