import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
import { schemaPathResolver } from 'hyparquet-writer/src/schema.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import type { Batch, Column, ColumnValues, TableSchema } from '../../src/output/tables/batch.ts';
import { packDeltas, packedRoom } from './delta-binary.ts';
import { type Encoding, PageWriter } from './pages.ts';
import { runsRoom, writeRuns } from './runs.ts';

/** Changes when a column changes its name or type. */
const schemaVersion = '2';

/**
 * Writes one table as a Parquet file, with a row group for each batch, so that memory is bounded by one batch. The
 * library writes the schema, the footer and rare columns. Ints and texts, almost all columns, are encoded here, from
 * typed arrays: the library takes an array of values and makes several of them for each column, and a dictionary that a
 * batch already has.
 */
export class ParquetEncoder {
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor({ name, columns }: TableSchema) {
    const meanings = columns.flatMap(({ name, meaning }) =>
      meaning === undefined ? [] : [{ key: `tw_snap.column.${name}`, value: meaning }],
    );
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name, num_children: columns.length }, ...columns.flatMap(elementsOf)],
      codec,
      statistics: false,
      createdBy: `tw-snap version ${VERSION}`,
      kvMetadata: [
        { key: 'tw_snap.schema_version', value: schemaVersion },
        { key: 'tw_snap.version', value: VERSION },
        { key: 'tw_snap.table', value: name },
        ...meanings,
      ],
    });
  }

  add(batch: Batch): [Uint8Array] {
    const { rows } = batch;
    const start = this.#bytes.offset;
    const chunks = batch.filled().map((values) => this.#chunkOf(values, rows));
    this.#writer.num_rows += BigInt(rows);
    this.#writer.row_groups.push({
      columns: chunks,
      num_rows: BigInt(rows),
      total_byte_size: chunks.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
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

  #chunkOf(values: ColumnValues, rows: number): ColumnChunk {
    const { kind } = values.column;
    if (kind === 'int') return this.#intChunk(values, rows);
    if (kind === 'double') return this.#doubleChunk(values, rows);
    return kind === 'text' || kind === 'json' ? this.#textChunk(values, rows) : this.#otherChunk(values, rows);
  }

  #intChunk(values: ColumnValues, rows: number): ColumnChunk {
    const start = this.#bytes.offset;
    const ints = presentInts(values, rows);
    const count = rows - values.nullCount;
    const length = packDeltas(ints, count, pages.room(packedRoom(count)));
    const size = this.#dataPage(values, rows, 'DELTA_BINARY_PACKED', length);
    return this.#chunk(values, rows, start, size, 'INT32', ['DELTA_BINARY_PACKED'], boundsOf(ints, count));
  }

  #doubleChunk(values: ColumnValues, rows: number): ColumnChunk {
    const start = this.#bytes.offset;
    const doubles = present(values, rows);
    const { buffer, byteOffset } = pages.room(8 * doubles.length);
    const view = new DataView(buffer, byteOffset);
    doubles.forEach((value, i) => {
      view.setFloat64(8 * i, value, true);
    });
    const size = this.#dataPage(values, rows, 'PLAIN', 8 * doubles.length);
    return this.#chunk(values, rows, start, size, 'DOUBLE', ['PLAIN'], boundsOf(doubles, doubles.length));
  }

  /** Texts have a dictionary, unless that and the indexes into it take more than half of the texts themselves. */
  #textChunk(values: ColumnValues, rows: number): ColumnChunk {
    const start = this.#bytes.offset;
    const { texts } = values;
    const indexes = presentInts(values, rows);
    const count = rows - values.nullCount;
    const encoded = texts.map((text) => Buffer.from(text));
    const sizes = Int32Array.from(encoded, ({ length }) => 4 + length);
    const plainBytes = bytesOf(indexes, count, sizes);
    const dictionaryBytes = sizes.reduce((sum, size) => sum + size, 0);
    const width = texts.length < 2 ? 0 : 32 - Math.clz32(texts.length - 1);
    const bounds = boundsOfTexts(encoded);
    if (2 * (dictionaryBytes + Math.ceil((count * width) / 8)) > plainBytes) {
      writeTexts(indexes, count, encoded, pages.room(plainBytes));
      const size = this.#dataPage(values, rows, 'PLAIN', plainBytes);
      return this.#chunk(values, rows, start, size, 'BYTE_ARRAY', ['PLAIN'], bounds);
    }
    writeTexts(Int32Array.from(texts.keys()), texts.length, encoded, pages.room(dictionaryBytes));
    let size = pages.dictionary(this.#bytes, texts.length, dictionaryBytes);
    const dataStart = this.#bytes.offset;
    const runs = pages.room(1 + runsRoom(count, width));
    runs[0] = width;
    size += this.#dataPage(values, rows, 'RLE_DICTIONARY', writeRuns(indexes, count, width, runs, 1));
    const chunk = this.#chunk(values, rows, start, size, 'BYTE_ARRAY', ['PLAIN', 'RLE_DICTIONARY'], bounds);
    const places = { data_page_offset: BigInt(dataStart), dictionary_page_offset: BigInt(start) };
    return { ...chunk, meta_data: { ...chunk.meta_data!, ...places } };
  }

  #dataPage({ column, nulls, nullCount }: ColumnValues, rows: number, encoding: Encoding, length: number): number {
    return pages.data(this.#bytes, { encoding, rows, length, nulls, nullCount, isNullable: column.isNullable });
  }

  #chunk(
    { column, nullCount }: ColumnValues,
    rows: number,
    start: number,
    size: number,
    type: 'INT32' | 'DOUBLE' | 'BYTE_ARRAY',
    encodings: Encoding[],
    bounds: Bounds,
  ): ColumnChunk {
    return {
      file_offset: BigInt(start),
      meta_data: {
        type,
        encodings,
        path_in_schema: [column.name],
        codec,
        num_values: BigInt(rows),
        total_compressed_size: BigInt(this.#bytes.offset - start),
        total_uncompressed_size: BigInt(size),
        data_page_offset: BigInt(start),
        statistics: { null_count: BigInt(nullCount), ...bounds },
      },
    };
  }

  #otherChunk(values: ColumnValues, rows: number): ColumnChunk {
    const { column } = values;
    let path = schemaPathResolver(this.#writer.schema)([column.name]);
    for (let [child] = path.at(-1)!.children; child; [child] = child.children) path = [...path, child];
    const schemaPath = path.map(({ element }) => element);
    const { chunk } = writeColumn({
      writer: this.#bytes,
      column: {
        columnName: column.name,
        element: schemaPath.at(-1)!,
        schemaPath,
        codec,
        compressors: { SNAPPY: snappyCompress },
        stats: false,
        pageSize: 0,
        columnIndex: false,
        offsetIndex: false,
      },
      pageData: encodeNestedValues(path, dataOf(values, rows)),
    });
    if (column.kind === 'ints') return chunk;
    const booleans = present(values, rows);
    chunk.meta_data!.statistics = { null_count: BigInt(values.nullCount), ...boundsOf(booleans, booleans.length) };
    return chunk;
  }
}

const codec = 'SNAPPY';

const pages = new PageWriter();

// Loops are functions of their own: V8 compiles a loop of a long function anew each time it is long, with all of that
// function.

/** The bytes of texts without a dictionary. */
function bytesOf(indexes: Int32Array, count: number, sizes: Int32Array): number {
  let bytes = 0;
  for (let i = 0; i < count; i++) bytes += sizes[indexes[i]!]!;
  return bytes;
}

/** Writes texts, each after its length. */
function writeTexts(indexes: Int32Array, count: number, texts: readonly Uint8Array[], into: Uint8Array): void {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const text = texts[indexes[i]!]!;
    for (let shift = 0; shift < 32; shift += 8) into[at++] = text.length >>> shift;
    into.set(text, at);
    at += text.length;
  }
}

/** The numbers of a column in rows that have a value. */
function present({ numbers, nulls, nullCount }: ColumnValues, rows: number): Int32Array | Float64Array {
  if (nullCount === rows) return numbers.subarray(0, 0);
  const all = numbers.subarray(0, rows);
  return nullCount === 0 ? all : all.filter((_, row) => !nulls![row]);
}

/** The ints of a column, or its indexes into texts, first those of rows that have a value. */
function presentInts({ numbers, nulls, nullCount }: ColumnValues, rows: number): Int32Array {
  const ints = numbers as Int32Array;
  if (nullCount === 0 || nullCount === rows) return ints;
  const present = new Int32Array(rows - nullCount);
  let count = 0;
  for (let row = 0; row < rows; row++) if (!nulls![row]) present[count++] = ints[row]!;
  return present;
}

/** The least and the greatest value of a column that has values. */
type Bounds = { readonly min_value: number | string; readonly max_value: number | string } | undefined;

function boundsOf(numbers: Int32Array | Float64Array, count: number): Bounds {
  if (count === 0) return undefined;
  let min_value = numbers[0]!;
  let max_value = min_value;
  for (let i = 1; i < count; i++) {
    const value = numbers[i]!;
    if (value < min_value) min_value = value;
    else if (value > max_value) max_value = value;
  }
  return { min_value, max_value };
}

/** Texts are ordered by their bytes. */
function boundsOfTexts(texts: readonly Buffer[]): Bounds {
  if (texts.length === 0) return undefined;
  const compare = (sign: number) => texts.reduce((a, b) => (sign * Buffer.compare(a, b) > 0 ? b : a));
  return { min_value: `${compare(1)}`, max_value: `${compare(-1)}` };
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

/** The values of a column in the form that the library requires; null for missing values. */
const dataOf = (values: ColumnValues, rows: number): unknown[] =>
  Array.from({ length: rows }, (_, row) => {
    const value = values.at(row);
    return typeof value === 'object' ? Array.from(value) : (value ?? null);
  });
