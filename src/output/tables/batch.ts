import type { ChosenItems } from '../../wire/snapshot/chosen-items.ts';

/** The kind of a column's values. Texts and JSON are strings; a time in seconds is a `double`; `ints` is a list. */
type ColumnKind = 'int' | 'double' | 'boolean' | 'text' | 'json' | 'ints';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The meaning of the values with their unit: `position, 32 units are a tile`. */
  readonly meaning?: string;
}

export type CellValue = number | string | boolean | ArrayLike<number> | undefined;

/**
 * A table of the exported dataset. Columns never change their meaning, so that files of any version can be read
 * together.
 */
export interface TableSchema {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly Column[];
}

export const column = (name: string, kind: ColumnKind, meaning?: string): Column => ({
  name,
  kind,
  isNullable: false,
  ...(meaning === undefined ? {} : { meaning }),
});

export const optional = (name: string, kind: ColumnKind, meaning?: string): Column => ({
  ...column(name, kind, meaning),
  isNullable: true,
});

/** Gives each name once: `field_tick` for a field with the name of another column. */
export function distinctNames(taken: readonly string[]): (name: string) => string {
  const all = new Set(taken);
  return (name) => {
    let distinct = name;
    while (all.has(distinct)) distinct = `field_${distinct}`;
    all.add(distinct);
    return distinct;
  };
}

/** A column, and its value in the row about a source. */
export type Cell<Source> = readonly [column: Column, value: (source: Source) => CellValue];

export interface SourceTable<Source> extends TableSchema {
  /** The values of the columns after the first ones, which tell where the row comes from. */
  readonly valuesOf: (source: Source) => CellValue[];
}

/** @param first columns whose values are added by those who add a row */
export function tableOf<Source>(
  name: string,
  about: string,
  first: readonly Column[],
  cells: readonly Cell<Source>[],
): SourceTable<Source> {
  return {
    name,
    about,
    columns: [...first, ...cells.map(([column]) => column)],
    valuesOf: (source) => cells.map(([, value]) => value(source)),
  };
}

/** The number of rows that fill a batch, which becomes a row group in Parquet. */
const maxBatchRows = 1 << 16;
/**
 * The size of values in bytes that fills a batch, so that wide tables need no more memory than narrow ones: 9,000 rows
 * of characters. With four times as much, two threads take 50 MB more, and the files have 5% fewer bytes.
 */
const maxBatchBytes = 1 << 20;
const firstRows = 1 << 10;

/**
 * The values of one column. `numbers` has an entry for each row: the value itself for ints, times and booleans,
 * otherwise an index into `texts` or `lists`. Equal texts are stored once.
 */
export class ColumnValues {
  readonly column: Column;
  numbers: Int32Array | Float64Array;
  readonly texts: string[] = [];
  readonly lists: ArrayLike<number>[] = [];
  /** 1 for each row without a value; undefined if every row has one. */
  nulls: Uint8Array | undefined;
  nullCount = 0;
  readonly #sizes: { otherBytes: number };
  readonly #run = { start: 0, end: 0, value: undefined as CellValue };
  readonly #places = new Map<string, number>();
  /** The text of the preceding row, which most rows repeat. */
  #last: string | undefined;
  #lastPlace = 0;

  /** @param sizes where the bytes of texts and lists are added */
  constructor(column: Column, sizes: { otherBytes: number }) {
    this.column = column;
    this.#sizes = sizes;
    this.numbers = column.kind === 'double' ? new Float64Array(firstRows) : new Int32Array(firstRows);
  }

  set(row: number, value: CellValue): void {
    if (typeof value === 'number') this.numbers[row] = value;
    else if (typeof value === 'string')
      this.numbers[row] = value === this.#last ? this.#lastPlace : this.#placeOf(value);
    else if (value === undefined) this.setNull(row);
    else if (typeof value === 'boolean') this.numbers[row] = value ? 1 : 0;
    else {
      this.numbers[row] = this.lists.push(value) - 1;
      this.#sizes.otherBytes += 100 + 4 * value.length;
    }
  }

  /**
   * Gives `count` rows the same value. They are written when another value or the batch ends: most columns that tell
   * where a row comes from have one value for a whole recording.
   */
  fill(row: number, count: number, value: CellValue): void {
    const run = this.#run;
    if (row !== run.end || value !== run.value) {
      this.settle();
      run.start = row;
      run.value = value;
    }
    run.end = row + count;
  }

  /** Writes the values that {@link fill} was given. */
  settle(): void {
    const { start, end, value } = this.#run;
    this.#run.start = end;
    if (start >= end) return;
    this.set(start, value);
    if (value === undefined) {
      this.nulls!.fill(1, start, end);
      this.nullCount += end - start - 1;
    } else this.numbers.fill(this.numbers[start]!, start, end);
  }

  /** Gives rows the values of as many rows before them. */
  repeat(row: number, count: number): void {
    this.numbers.copyWithin(row, row - count, row);
    if (this.nullCount === 0) return;
    for (let i = row; i < row + count; i++) if (this.nulls![i - count]) this.setNull(i);
  }

  setNull(row: number): void {
    if (!this.column.isNullable) throw new Error(`column ${this.column.name} lacks a value`);
    this.nulls ??= new Uint8Array(this.numbers.length);
    this.nulls[row] = 1;
    this.nullCount++;
  }

  at(row: number): CellValue {
    if (this.nulls?.[row]) return undefined;
    const number = this.numbers[row]!;
    const { kind } = this.column;
    if (kind === 'text' || kind === 'json') return this.texts[number];
    if (kind === 'boolean') return number === 1;
    return kind === 'ints' ? this.lists[number] : number;
  }

  makeRoom(rows: number): void {
    const wider = new (this.numbers.constructor as Int32ArrayConstructor)(rows);
    wider.set(this.numbers);
    this.numbers = wider;
    if (!this.nulls) return;
    const { nulls } = this;
    this.nulls = new Uint8Array(rows);
    this.nulls.set(nulls);
  }

  clear(): void {
    Object.assign(this.#run, { start: 0, end: 0, value: undefined });
    this.nulls?.fill(0);
    this.nullCount = 0;
    this.texts.length = 0;
    this.lists.length = 0;
    this.#places.clear();
    this.#last = undefined;
  }

  #placeOf(text: string): number {
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.texts.push(text) - 1;
      this.#places.set(text, place);
      this.#sizes.otherBytes += 100 + 2 * text.length;
    }
    this.#last = text;
    this.#lastPlace = place;
    return place;
  }
}

/** A column of ints, and the place of its value among the ints of a row. */
export interface IntSource {
  readonly column: number;
  readonly at: number;
}

/** The ints that are kept together until they go into their columns; they fit into the innermost cache. */
const togetherInts = 1 << 12;

/** Rows of ints that are not yet in their columns. */
class IntRows {
  ints = new Int32Array(togetherInts);
  /** The first row, and how many there are. */
  row = 0;
  count = 0;
  /** The number of ints of each. */
  step = 0;
  sources: readonly IntSource[] = [];

  /** Whether further rows can be kept with these. */
  takes(row: number, count: number, step: number, sources: readonly IntSource[]): boolean {
    const isNext = row === this.row + this.count && step === this.step && sources === this.sources;
    return isNext && (this.count + count) * step <= this.ints.length;
  }
}

export class Batch {
  readonly schema: TableSchema;
  /** For those who add rows; {@link filled} is for those who read them. */
  columns: readonly ColumnValues[];
  rows = 0;
  /** Of texts and lists. */
  otherBytes = 0;
  readonly #rowBytes: number;
  readonly #maxRows: number;
  #room = firstRows;
  #together: IntRows | undefined;

  constructor(schema: TableSchema) {
    this.schema = schema;
    this.columns = this.#newColumns();
    this.#rowBytes = schema.columns.reduce((sum, { kind, isNullable }) => {
      return sum + (kind === 'double' ? 8 : 4) + (isNullable ? 1 : 0);
    }, 0);
    this.#maxRows = Math.min(maxBatchRows, Math.floor(maxBatchBytes / this.#rowBytes));
  }

  /**
   * Sets the ints of rows. At once they are only copied together: a snapshot has hundreds of columns, most with few
   * rows, and a loop for each of them takes most of its time to begin and end.
   * @param step the number of ints of an item that contain all of them
   */
  setInts(row: number, items: ChosenItems, step: number, sources: readonly IntSource[]): void {
    const { count } = items;
    this.#together ??= new IntRows();
    const rows = this.#together;
    if (!rows.takes(row, count, step, sources)) {
      this.#spread();
      rows.row = row;
      rows.step = step;
      rows.sources = sources;
      if (rows.ints.length < count * step) rows.ints = new Int32Array(2 * count * step);
    }
    items.copyAll(step, rows.ints, rows.count * step);
    rows.count += count;
  }

  #spread(): void {
    const rows = this.#together;
    if (!rows) return;
    const { ints, row, count, step } = rows;
    for (const { column, at } of rows.sources) {
      spreadInts(ints, at, step, count, this.columns[column]!.numbers as Int32Array, row);
    }
    rows.count = 0;
  }

  /** The columns with all their values. */
  filled(): readonly ColumnValues[] {
    this.#spread();
    for (const values of this.columns) values.settle();
    return this.columns;
  }

  get bytes(): number {
    return this.#room * this.#rowBytes + this.otherBytes;
  }

  /** Whether it should be written. Rows that belong together may still be added. */
  get isFull(): boolean {
    return this.rows >= this.#maxRows || this.otherBytes >= maxBatchBytes;
  }

  /**
   * Adds rows without values and returns the number of the first. The caller sets every column that is not nullable.
   */
  addRows(count: number): number {
    while (this.rows + count > this.#room) {
      const isSmall = this.#room < this.#maxRows;
      // Only few more rows follow before the batch is written: a snapshot has at most 1,024 items.
      this.#room = isSmall ? Math.min(2 * this.#room, this.#maxRows + firstRows) : this.#room + (this.#room >> 2);
      for (const values of this.columns) values.makeRoom(this.#room);
    }
    const row = this.rows;
    this.rows += count;
    return row;
  }

  add(values: readonly CellValue[]): void {
    const row = this.addRows(1);
    this.columns.forEach((column, i) => {
      column.set(row, values[i]);
    });
  }

  /** Empties it, with the memory that it takes. */
  release(): void {
    this.clear();
    this.columns = this.#newColumns();
    this.#room = firstRows;
  }

  #newColumns(): readonly ColumnValues[] {
    return this.schema.columns.map((column) => new ColumnValues(column, this));
  }

  clear(): void {
    this.rows = 0;
    this.otherBytes = 0;
    if (this.#together) this.#together.count = 0;
    for (const values of this.columns) values.clear();
  }
}

function spreadInts(ints: Int32Array, at: number, step: number, count: number, into: Int32Array, row: number): void {
  for (let k = 0, from = at; k < count; k++, from += step) into[row + k] = ints[from]!;
}
