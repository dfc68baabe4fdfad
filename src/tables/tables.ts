import { Batch } from './batch.ts';
import type { CellValue, TableSchema } from './column.ts';

/** Takes the rows of a batch. The batch is filled again after that. */
export type TakeBatch = (batch: Batch) => void;

/** The tables that are being filled: one batch each, which is passed on when it is full, so that memory is bounded. */
export class Tables {
  readonly #take: TakeBatch;
  readonly #wants: (table: string) => boolean;
  readonly #batches = new Map<string, Batch | undefined>();
  /** Rows of each table so far. */
  readonly counts = new Map<string, number>();

  /** @param wants whether a table of this name is wanted */
  constructor(take: TakeBatch, wants: (table: string) => boolean = () => true) {
    this.#take = take;
    this.#wants = wants;
  }

  /** The batch of a table that has room for a row; undefined where the table is not wanted. */
  batch(schema: TableSchema): Batch | undefined {
    const { name } = schema;
    if (!this.#batches.has(name)) this.#batches.set(name, this.#wants(name) ? new Batch(schema) : undefined);
    const batch = this.#batches.get(name);
    if (batch?.isFull) this.#pass(batch);
    return batch;
  }

  add(schema: TableSchema, values: readonly CellValue[]): void {
    this.batch(schema)?.add(values);
  }

  /** Passes on what is left. */
  flush(): void {
    for (const batch of this.#batches.values()) if (batch && batch.rows > 0) this.#pass(batch);
  }

  #pass(batch: Batch): void {
    const { name } = batch.schema;
    this.counts.set(name, (this.counts.get(name) ?? 0) + batch.rows);
    this.#take(batch);
    batch.clear();
  }
}
