import { Batch } from './batch.ts';
import type { CellValue, TableSchema } from './column.ts';

/** The tables that are being filled, one batch each. Full batches wait to be written, so that memory is bounded. */
export class Tables {
  readonly #wants: (table: string) => boolean;
  readonly #batches = new Map<string, Batch | undefined>();
  readonly #full: Batch[] = [];
  /** Batches that were written. */
  readonly #free = new Map<TableSchema, Batch>();
  /** Rows of each table that were taken. */
  readonly counts = new Map<string, number>();

  /** @param wants whether a table of this name is wanted */
  constructor(wants: (table: string) => boolean = () => true) {
    this.#wants = wants;
  }

  /** The batch of a table, with room for a row; undefined where the table is not wanted. */
  batch(schema: TableSchema): Batch | undefined {
    const { name } = schema;
    if (!this.#batches.has(name)) this.#batches.set(name, this.#wants(name) ? new Batch(schema) : undefined);
    const batch = this.#batches.get(name);
    if (!batch?.isFull) return batch;
    this.#full.push(batch);
    const next = this.#free.get(schema) ?? new Batch(schema);
    this.#free.delete(schema);
    this.#batches.set(name, next);
    return next;
  }

  add(schema: TableSchema, values: readonly CellValue[]): void {
    this.batch(schema)?.add(values);
  }

  /** The batches that are full, to be written. */
  takeFull(): Batch[] {
    return this.#counted(this.#full.splice(0));
  }

  /** A batch has been written. */
  release(batch: Batch): void {
    batch.clear();
    this.#free.set(batch.schema, batch);
  }

  /** All that is left. */
  takeRest(): Batch[] {
    const rest = [...this.#batches.values()].filter((batch) => batch !== undefined && batch.rows > 0) as Batch[];
    this.#batches.clear();
    return [...this.takeFull(), ...this.#counted(rest)];
  }

  #counted(batches: Batch[]): Batch[] {
    for (const { schema, rows } of batches) this.counts.set(schema.name, (this.counts.get(schema.name) ?? 0) + rows);
    return batches;
  }
}
