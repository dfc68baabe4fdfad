import type { DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Batch, Column, ColumnValues, TableSchema } from '../../src/output/tables/batch.ts';

/** Changes when a column changes its name or type. */
const schemaVersion = '2';

/**
 * Writes one table as a Parquet file, with a row group for each batch, so that memory is bounded by one batch. The
 * library writes it; the bounds of columns are our own, since they take it too long. A Snappy of our own would make an
 * export of 34 players 7 % faster, one of 57 clients 3 %; `scripts/bench/hyparquet-writer.patch` has what would help more.
 */
export class ParquetEncoder {
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor({ name, about, columns }: TableSchema) {
    const meanings = columns.flatMap(({ name, meaning }) =>
      meaning === undefined ? [] : [{ key: `tw_snap.column.${name}`, value: meaning }],
    );
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name, num_children: columns.length }, ...columns.flatMap(elementsOf)],
      statistics: false,
      createdBy: `tw-snap version ${VERSION}`,
      kvMetadata: [
        { key: 'tw_snap.schema_version', value: schemaVersion },
        { key: 'tw_snap.version', value: VERSION },
        { key: 'tw_snap.table', value: name },
        { key: 'tw_snap.about', value: `a row for ${about}` },
        ...meanings,
      ],
    });
  }

  add(batch: Batch): [Uint8Array] {
    const { rows } = batch;
    const columns = batch.filled();
    const columnData = columns.map((values) => {
      const { name, kind } = values.column;
      const data = dataOf(values, rows);
      return kind === 'int' ? { name, data, encoding: 'DELTA_BINARY_PACKED' as const } : { name, data };
    });
    this.#writer.write({ columnData, rowGroupSize: rows, pageSize: 0 });
    // With bounds by the library the export of 34 players takes 2.2 times as long as with encodings of our own, instead
    // of 1.6: it calls several functions for each value.
    for (const [i, { meta_data }] of this.#writer.row_groups.at(-1)!.columns.entries()) {
      const values = columns[i]!;
      if (values.column.kind === 'ints') continue;
      meta_data!.statistics = { null_count: BigInt(values.nullCount), ...boundsOf(values, rows) };
    }
    return [this.#flush()];
  }

  finish(): Uint8Array {
    this.#writer.finish();
    return this.#flush();
  }

  #flush(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

const physicalTypes = { int: 'INT32', double: 'DOUBLE', boolean: 'BOOLEAN' } as const;

function elementsOf({ name, kind, isNullable }: Column): SchemaElement[] {
  const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED';
  if (kind === 'text' || kind === 'json') {
    return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }];
  }
  if (kind !== 'ints') return [{ name, type: physicalTypes[kind], repetition_type }];
  return [
    { name, converted_type: 'LIST', num_children: 1, repetition_type },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', type: 'INT32', repetition_type: 'REQUIRED' },
  ];
}

/** The values of a column as the library takes them; null for missing ones. */
function dataOf({ numbers, nulls, nullCount, column, texts, lists }: ColumnValues, rows: number): DecodedArray {
  const isNull = nullCount === 0 ? undefined : nulls;
  switch (column.kind) {
    case 'text':
    case 'json':
      return chosen(texts, numbers, isNull, rows);
    case 'boolean':
      return chosen([false, true], numbers, isNull, rows);
    case 'ints': {
      const arrays = lists.map((list) => Array.from(list));
      return chosen(arrays, numbers, isNull, rows);
    }
    default:
      return isNull ? withNulls(numbers, isNull, rows) : (numbers.subarray(0, rows) as DecodedArray);
  }
}

// Loops are functions of their own: V8 compiles a loop of a long function anew each time it is long, with all of that
// function.

function chosen<Value>(
  values: readonly Value[],
  places: ArrayLike<number>,
  isNull: Uint8Array | undefined,
  rows: number,
) {
  const data: (Value | null)[] = [];
  for (let row = 0; row < rows; row++) data.push(isNull?.[row] ? null : values[places[row]!]!);
  return data;
}

function withNulls(numbers: ArrayLike<number>, isNull: Uint8Array, rows: number) {
  const data: (number | null)[] = [];
  for (let row = 0; row < rows; row++) data.push(isNull[row] ? null : numbers[row]!);
  return data;
}

/** The least and the greatest value of a column that has values. */
type Bounds = { readonly min_value: number | string; readonly max_value: number | string } | undefined;

function boundsOf({ column, numbers, nulls, nullCount, texts }: ColumnValues, rows: number): Bounds {
  if (nullCount === rows) return undefined;
  if (column.kind === 'text' || column.kind === 'json') return boundsOfTexts(texts);
  const all = numbers.subarray(0, rows);
  return boundsOfNumbers(nullCount === 0 ? all : all.filter((_, row) => !nulls![row]));
}

function boundsOfNumbers(numbers: Int32Array | Float64Array): Bounds {
  let min_value = numbers[0]!;
  let max_value = min_value;
  for (let i = 1; i < numbers.length; i++) {
    const value = numbers[i]!;
    if (value < min_value) min_value = value;
    else if (value > max_value) max_value = value;
  }
  return { min_value, max_value };
}

/** Texts are ordered by their bytes. */
function boundsOfTexts(texts: readonly string[]): Bounds {
  const encoded = texts.map((text) => Buffer.from(text));
  const compare = (sign: number) => encoded.reduce((a, b) => (sign * Buffer.compare(a, b) > 0 ? b : a));
  return { min_value: `${compare(1)}`, max_value: `${compare(-1)}` };
}
