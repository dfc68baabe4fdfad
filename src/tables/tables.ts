import { Batch } from './batch.ts';
import type { CellValue, TableSchema } from './column.ts';

/** Values that all batches together contain at most, before the largest is written though it is not full. */
const maxValues = 1 << 22;

/** The tables that are being filled, one batch each. Full batches wait to be written, so that memory is bounded. */
export class Tables {
  readonly #isSelected: (table: string) => boolean;
  readonly #batches = new Map<string, Batch | undefined>();
  readonly #full: Batch[] = [];
  /** Batches that were written. */
  readonly #free = new Map<TableSchema, Batch>();
  /** Rows of each table that were taken. */
  readonly counts = new Map<string, number>();

  /** @param isSelected whether a table of this name is wanted */
  constructor(isSelected: (table: string) => boolean = () => true) {
    this.#isSelected = isSelected;
  }

  /** The batch of a table, with room for a row; undefined where the table is not wanted. */
  batch(schema: TableSchema): Batch | undefined {
    const { name } = schema;
    if (!this.#batches.has(name)) this.#batches.set(name, this.#isSelected(name) ? this.#newBatch(schema) : undefined);
    const batch = this.#batches.get(name);
    if (!batch?.isFull) return batch;
    this.#full.push(batch);
    const next = this.#newBatch(schema);
    this.#batches.set(name, next);
    return next;
  }

  #newBatch(schema: TableSchema): Batch {
    const batch = this.#free.get(schema) ?? new Batch(schema);
    this.#free.delete(schema);
    return batch;
  }

  add(schema: TableSchema, values: readonly CellValue[]): void {
    this.batch(schema)?.add(values);
  }

  /** The batches that are to be written: full ones, and the largest where there are too many values. */
  flushFull(): Batch[] {
    const batches = [...this.#batches.values()].filter((batch) => batch !== undefined);
    let values = batches.reduce((sum, batch) => sum + valuesOf(batch), 0);
    if (values > maxValues) {
      batches.sort((a, b) => valuesOf(b) - valuesOf(a));
      for (const batch of batches) {
        if (values <= maxValues / 2) break;
        values -= valuesOf(batch);
        this.#full.push(batch);
        this.#batches.delete(batch.schema.name);
      }
    }
    return this.#counted(this.#full.splice(0));
  }

  /** A batch has been written. */
  release(batch: Batch): void {
    batch.clear();
    this.#free.set(batch.schema, batch);
  }

  /** All that is left. */
  flushRest(): Batch[] {
    const rest = [...this.#batches.values()].filter((batch) => batch !== undefined && batch.rows > 0) as Batch[];
    this.#batches.clear();
    return [...this.flushFull(), ...this.#counted(rest)];
  }

  #counted(batches: Batch[]): Batch[] {
    for (const { schema, rows } of batches) this.counts.set(schema.name, (this.counts.get(schema.name) ?? 0) + rows);
    return batches;
  }
}

const valuesOf = ({ rows, columns }: Batch) => rows * columns.length;
