import { Batch } from './batch.ts';
import type { CellValue, TableSchema } from './column.ts';
import { TableShare } from './table-share.ts';

/** The maximum size of all batches together; beyond that the largest are written although they are not full. */
const maxBytes = 1 << 24;

/** The tables being filled, with one batch each. */
export class Tables {
  readonly #isSelected: (table: string) => boolean;
  readonly #share: TableShare;
  readonly #batches = new Map<string, Batch | undefined>();
  /** Whether a batch is full, so that `flushFull` should be called after the current record. */
  hasFull = false;
  /** The number of written rows of each table. */
  readonly counts = new Map<string, number>();

  /** @param isSelected whether a table of this name is exported */
  constructor(isSelected: (table: string) => boolean = () => true, share = new TableShare()) {
    this.#isSelected = isSelected;
    this.#share = share;
  }

  /** The batch of a table; undefined if the table is not exported. */
  batch(schema: TableSchema): Batch | undefined {
    const { name } = schema;
    const batch = this.#batches.get(name);
    if (batch) {
      this.hasFull ||= batch.isFull;
      return batch;
    }
    if (!this.#batches.has(name)) {
      const isExported = this.#isSelected(name) && this.#share.has(name);
      this.#batches.set(name, isExported ? new Batch(schema) : undefined);
    }
    return this.#batches.get(name);
  }

  add(schema: TableSchema, values: readonly CellValue[]): void {
    this.batch(schema)?.add(values);
  }

  /** The batches to be written. Each is emptied before the next one is returned. */
  *flushFull(): Generator<Batch, void> {
    const sizeOf = (batches: readonly Batch[]) => batches.reduce((sum, batch) => sum + batch.bytes, 0);
    this.hasFull = false;
    if (this.#all().some((batch) => batch.isFull) || sizeOf(this.#all()) > maxBytes) this.#decideShare();
    yield* this.#take((batch) => batch.isFull);
    const batches = this.#all();
    let bytes = sizeOf(batches);
    if (bytes <= maxBytes) return;
    for (const batch of batches.sort((a, b) => b.bytes - a.bytes)) {
      if (bytes <= maxBytes / 2) return;
      bytes -= batch.bytes;
      this.#batches.delete(batch.schema.name);
      yield this.#counted(batch);
    }
  }

  /** All remaining batches, and tables without rows. */
  *flushRest(): Generator<Batch, void> {
    this.#decideShare();
    yield* this.#take(({ rows }) => rows > 0);
    this.#batches.clear();
  }

  #decideShare(): void {
    if (this.#share.isDecided) return;
    this.#share.decide(this.#all());
    for (const name of this.#batches.keys()) if (!this.#share.has(name)) this.#batches.set(name, undefined);
  }

  *#take(isTaken: (batch: Batch) => boolean): Generator<Batch, void> {
    for (const batch of this.#all()) {
      if (!isTaken(batch)) continue;
      yield this.#counted(batch);
      batch.clear();
    }
  }

  #all(): Batch[] {
    return [...this.#batches.values()].filter((batch) => batch !== undefined);
  }

  #counted(batch: Batch): Batch {
    const { name } = batch.schema;
    this.counts.set(name, (this.counts.get(name) ?? 0) + batch.rows);
    return batch;
  }
}
