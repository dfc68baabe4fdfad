import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { schemaPathResolver } from 'hyparquet-writer/src/schema.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import type { Batch, Column, ColumnValues, TableSchema } from '../../src/tables/batch.ts';
import { packDeltas, packedRoom } from './delta-binary.ts';

/** Changes when a column changes its name or type. */
const schemaVersion = '2';

/**
 * Writes one table as a Parquet file, with a row group for each batch, so that memory is bounded by one batch. The library writes the
 * schema, the footer and rare columns. Ints and texts, almost all columns, are encoded here, from typed arrays: the library takes an
 * array of values and makes several of them for each column, and a dictionary that a batch already has.
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
    const ints = presentNumbers(values, rows) as Int32Array;
    const count = rows - values.nullCount;
    const size = this.#dataPage(
      values,
      rows,
      'DELTA_BINARY_PACKED',
      packDeltas(ints, count, roomFor(packedRoom(count))),
    );
    return this.#chunk(values, rows, start, size, 'INT32', ['DELTA_BINARY_PACKED'], boundsOf(ints, count));
  }

  #doubleChunk(values: ColumnValues, rows: number): ColumnChunk {
    const start = this.#bytes.offset;
    const doubles = presentNumbers(values, rows);
    const count = rows - values.nullCount;
    roomFor(8 * count);
    for (let i = 0; i < count; i++) scratchView.setFloat64(8 * i, doubles[i]!, true);
    const size = this.#dataPage(values, rows, 'PLAIN', 8 * count);
    return this.#chunk(values, rows, start, size, 'DOUBLE', ['PLAIN'], boundsOf(doubles, count));
  }

  /** Texts have a dictionary, unless that and the indexes into it take more than half of the texts themselves. */
  #textChunk(values: ColumnValues, rows: number): ColumnChunk {
    const start = this.#bytes.offset;
    const { texts } = values;
    const indexes = presentNumbers(values, rows);
    const count = rows - values.nullCount;
    const encoded = texts.map((text) => Buffer.from(text));
    let plainBytes = 0;
    for (let i = 0; i < count; i++) plainBytes += 4 + encoded[indexes[i]!]!.length;
    const dictionaryBytes = encoded.reduce((sum, { length }) => sum + 4 + length, 0);
    const width = texts.length < 2 ? 0 : 32 - Math.clz32(texts.length - 1);
    const bounds = boundsOfTexts(encoded);
    if (2 * (dictionaryBytes + Math.ceil((count * width) / 8)) > plainBytes) {
      let end = 0;
      roomFor(plainBytes);
      for (let i = 0; i < count; i++) end = writeText(end, encoded[indexes[i]!]!);
      const size = this.#dataPage(values, rows, 'PLAIN', end);
      return this.#chunk(values, rows, start, size, 'BYTE_ARRAY', ['PLAIN'], bounds);
    }
    let end = 0;
    roomFor(dictionaryBytes);
    for (const text of encoded) end = writeText(end, text);
    const compressed = snappyCompress(scratch.subarray(0, end));
    writePageHeader(this.#bytes, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: end,
      compressed_page_size: compressed.length,
      dictionary_page_header: { num_values: texts.length, encoding: 'PLAIN' },
    });
    let size = this.#bytes.offset - start + end;
    this.#bytes.appendBytes(compressed);
    const dataStart = this.#bytes.offset;
    const runs = empty(forRuns);
    runs.appendUint8(width);
    writeRleBitPackedHybrid(runs, indexes.subarray(0, count), width);
    roomFor(runs.index).set(runs.getBytes());
    size += this.#dataPage(values, rows, 'RLE_DICTIONARY', runs.index);
    const chunk = this.#chunk(values, rows, start, size, 'BYTE_ARRAY', ['PLAIN', 'RLE_DICTIONARY'], bounds);
    const places = { data_page_offset: BigInt(dataStart), dictionary_page_offset: BigInt(start) };
    return { ...chunk, meta_data: { ...chunk.meta_data!, ...places } };
  }

  /** Writes the first `length` bytes of the scratch as the only page of a column. @returns its size without compression */
  #dataPage(
    { column, nulls, nullCount }: ColumnValues,
    rows: number,
    encoding: 'PLAIN' | 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY',
    length: number,
  ): number {
    const levels = empty(forLevels);
    if (column.isNullable && nullCount > 0 && nullCount < rows) {
      const present = nulls!.subarray(0, rows).map((one) => 1 - one);
      writeRleBitPackedHybrid(levels, present, 1);
    } else if (column.isNullable) {
      // One run.
      levels.appendVarInt(rows << 1);
      levels.appendUint8(nullCount === 0 ? 1 : 0);
    }
    const compressed = snappyCompress(scratch.subarray(0, length));
    const start = this.#bytes.offset;
    writePageHeader(this.#bytes, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels.index + length,
      compressed_page_size: levels.index + compressed.length,
      data_page_header_v2: {
        num_values: rows,
        num_nulls: nullCount,
        num_rows: rows,
        encoding,
        definition_levels_byte_length: levels.index,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    });
    const headerSize = this.#bytes.offset - start;
    this.#bytes.appendBytes(levels.getBytes());
    this.#bytes.appendBytes(compressed);
    return headerSize + levels.index + length;
  }

  #chunk(
    { column, nullCount }: ColumnValues,
    rows: number,
    start: number,
    size: number,
    type: 'INT32' | 'DOUBLE' | 'BYTE_ARRAY',
    encodings: ('PLAIN' | 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY')[],
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
    const { column, numbers, nulls, nullCount } = values;
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
    const present =
      nullCount === 0 ? numbers.subarray(0, rows) : numbers.slice(0, rows).filter((_, row) => !nulls![row]);
    chunk.meta_data!.statistics = { null_count: BigInt(nullCount), ...boundsOf(present, present.length) };
    return chunk;
  }
}

const codec = 'SNAPPY';

/** The bytes of the page that is being written. */
let scratch = new Uint8Array(1 << 16);
let scratchView = new DataView(scratch.buffer);

function roomFor(bytes: number): Uint8Array {
  if (scratch.length < bytes) {
    scratch = new Uint8Array(2 * bytes);
    scratchView = new DataView(scratch.buffer);
  }
  return scratch;
}

const forLevels = new ByteWriter();
const forRuns = new ByteWriter();

function empty(writer: ByteWriter): ByteWriter {
  writer.index = 0;
  return writer;
}

/** Writes a text into the scratch, after its length. */
function writeText(at: number, text: Uint8Array): number {
  const { length } = text;
  for (let i = 0; i < 4; i++) scratch[at + i] = length >>> (8 * i);
  scratch.set(text, at + 4);
  return at + 4 + length;
}

/** The numbers of a column, first those of rows that have a value. */
function presentNumbers({ numbers, nulls, nullCount }: ColumnValues, rows: number): Int32Array | Float64Array {
  if (nullCount === 0 || nullCount === rows) return numbers;
  const present = numbers.slice(0, rows);
  let count = 0;
  for (let row = 0; row < rows; row++) if (!nulls![row]) present[count++] = numbers[row]!;
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
    if (value > max_value) max_value = value;
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
