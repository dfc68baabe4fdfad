import type { RecordingEntry } from '../../recording/record.ts';
import { Batch } from '../../tables/batch.ts';
import type { RecordRows } from '../../tables/record-rows.ts';
import { csvHead, csvRows } from './table-csv.ts';

/** A table as CSV, record by record. */
export class RecordsCsv {
  readonly #rows: RecordRows;
  readonly #batch: Batch;
  readonly #heading: string;

  /** @param hasHeading whether the names of the columns come first */
  constructor(rows: RecordRows, hasHeading: boolean) {
    this.#rows = rows;
    this.#batch = new Batch(rows.schema);
    this.#heading = hasHeading ? csvHead(rows.schema) : '';
  }

  begin(): string {
    return this.#heading;
  }

  add(entry: RecordingEntry): string {
    this.#rows.add(entry, this.#batch);
    if (this.#batch.rows === 0) return '';
    let text = '';
    for (const line of csvRows(this.#batch)) text += line;
    this.#batch.clear();
    return text;
  }
}
