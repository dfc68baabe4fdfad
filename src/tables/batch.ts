import type { CellValue, Column, TableSchema } from './column.ts';

/** Rows of a batch at most: a row group of Parquet. */
export const maxBatchRows = 1 << 16;
const firstRows = 1 << 10;

/** The values of one column. Numbers and booleans are in `numbers`, texts and lists in `others`. */
export class ColumnValues {
  readonly column: Column;
  numbers: Int32Array | Float64Array;
  readonly others: (string | ArrayLike<number> | undefined)[] = [];
  /** 1 for each row without a value; undefined while every row has one. */
  nulls: Uint8Array | undefined;
  /** Rows without a value. */
  nullCount = 0;

  constructor(column: Column) {
    this.column = column;
    const { kind } = column;
    this.numbers = kind === 'double' ? new Float64Array(firstRows) : new Int32Array(isNumeric(kind) ? firstRows : 0);
  }

  set(row: number, value: CellValue): void {
    if (value === undefined) this.setNull(row);
    else if (typeof value === 'number') this.numbers[row] = value;
    else if (typeof value === 'boolean') this.numbers[row] = value ? 1 : 0;
    else this.others[row] = value;
  }

  setNull(row: number): void {
    if (!this.column.isNullable) throw new Error(`column ${this.column.name} lacks a value`);
    this.nulls ??= new Uint8Array(maxBatchRows);
    this.nulls[row] = 1;
    this.nullCount++;
    if (!isNumeric(this.column.kind)) this.others[row] = undefined;
  }

  at(row: number): CellValue {
    if (this.nulls?.[row]) return undefined;
    const { kind } = this.column;
    if (kind === 'boolean') return this.numbers[row] === 1;
    return isNumeric(kind) ? this.numbers[row] : this.others[row];
  }

  makeRoom(rows: number): void {
    if (!isNumeric(this.column.kind)) return;
    const wider = new (this.numbers.constructor as Int32ArrayConstructor)(rows);
    wider.set(this.numbers);
    this.numbers = wider;
  }
}

const isNumeric = (kind: Column['kind']) => kind === 'int' || kind === 'double' || kind === 'boolean';

/** Rows of one table, column by column.  */
export class Batch {
  readonly schema: TableSchema;
  readonly columns: readonly ColumnValues[];
  rows = 0;
  #room = firstRows;

  constructor(schema: TableSchema) {
    this.schema = schema;
    this.columns = schema.columns.map((column) => new ColumnValues(column));
  }

  get isFull(): boolean {
    return this.rows === maxBatchRows;
  }

  /** Adds a row without values and returns its number. The caller sets every column that is not nullable. */
  addRow(): number {
    if (this.rows === this.#room) {
      this.#room *= 2;
      for (const values of this.columns) values.makeRoom(this.#room);
    }
    return this.rows++;
  }

  /** Adds a row with these values, in the order of the columns. */
  add(values: readonly CellValue[]): void {
    const row = this.addRow();
    this.columns.forEach((column, i) => {
      column.set(row, values[i]);
    });
  }

  /** Removes all rows, so that the batch can be filled again. */
  clear(): void {
    this.rows = 0;
    for (const values of this.columns) {
      values.nulls?.fill(0);
      values.nullCount = 0;
      values.others.length = 0;
    }
  }
}
