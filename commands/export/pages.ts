import type { ByteWriter } from 'hyparquet-writer';
import { runsRoom, writeRuns } from './runs.ts';
import { compressSnappy, snappyRoom } from './snappy.ts';
import { writeVarint, writeZigzag } from './varint.ts';

/** The numbers of `parquet.thrift`. */
const encodings = { PLAIN: 0, DELTA_BINARY_PACKED: 5, RLE_DICTIONARY: 8 } as const;
const [dictionaryPage, dataPageV2] = [2, 3];

export type Encoding = keyof typeof encodings;

interface DataPage {
  readonly encoding: Encoding;
  readonly rows: number;
  /** Bytes of the encoded values. */
  readonly length: number;
  readonly isNullable: boolean;
  /** 1 for each row without a value, if there is such a row. */
  readonly nulls: Uint8Array | undefined;
  readonly nullCount: number;
}

/**
 * A header in Thrift's compact protocol: three numbers, then a struct of numbers at the field with this id, maybe with
 * `true` at its end.
 */
const [int, yes, end, structAt] = [0x15, 0x11, 0x00, (id: number) => ((id - 3) << 4) | 0x0c];

const headerRoom = 64;

/**
 * Writes pages of Parquet: a header, which rows have a value, and the values compressed with Snappy. hyparquet-writer
 * makes objects of a header and looks up each of their fields by its name: of 2,000 small pages that took as long as
 * the ints in them.
 */
export class PageWriter {
  #values = new Uint8Array(1 << 16);
  #page = new Uint8Array(1 << 16);
  #levels = new Int32Array(1 << 10);

  /** Where the values of the next page are written, with at least this many bytes. */
  room(bytes: number): Uint8Array {
    if (this.#values.length < bytes) this.#values = new Uint8Array(2 * bytes);
    return this.#values;
  }

  /**
   * Writes the first `length` bytes of the values as a dictionary of `count` texts. @returns the size without
   * compression
   */
  dictionary(into: ByteWriter, count: number, length: number): number {
    const page = this.#roomForPage(length, 0);
    const compressed = compressSnappy(this.#values, length, page, headerRoom);
    const header = [dictionaryPage, length, compressed - headerRoom, count, encodings.PLAIN];
    return this.#write(into, header, 7, false, compressed) + length;
  }

  /** Writes the first `length` bytes of the values as the data of a column. @returns the size without compression */
  data(into: ByteWriter, { encoding, rows, length, isNullable, nulls, nullCount }: DataPage): number {
    const page = this.#roomForPage(length, isNullable ? runsRoom(rows, 1) : 0);
    const levels = isNullable ? this.#writeLevels(page, rows, nulls, nullCount) : headerRoom;
    const compressed = compressSnappy(this.#values, length, page, levels);
    const levelBytes = levels - headerRoom;
    const header = [dataPageV2, levelBytes + length, compressed - headerRoom];
    header.push(rows, nullCount, rows, encodings[encoding], levelBytes, 0);
    return this.#write(into, header, 8, true, compressed) + levelBytes + length;
  }

  /** @returns the bytes of the header */
  #write(into: ByteWriter, numbers: readonly number[], struct: number, isCompressed: boolean, to: number): number {
    // The header is written before the rest, once its length is known.
    const header = new Uint8Array(headerRoom);
    let at = 0;
    for (const [i, number] of numbers.entries()) {
      if (i === 3) header[at++] = structAt(struct);
      header[at++] = int;
      at = writeZigzag(header, at, number);
    }
    if (isCompressed) header[at++] = yes;
    header[at++] = end;
    header[at++] = end;
    into.appendBytes(header.subarray(0, at));
    into.appendBytes(this.#page.subarray(headerRoom, to));
    return at;
  }

  #writeLevels(page: Uint8Array, rows: number, nulls: Uint8Array | undefined, nullCount: number): number {
    if (nullCount === 0 || nullCount === rows) {
      const at = writeVarint(page, headerRoom, rows << 1);
      page[at] = nullCount === 0 ? 1 : 0;
      return at + 1;
    }
    if (this.#levels.length < rows) this.#levels = new Int32Array(2 * rows);
    for (let row = 0; row < rows; row++) this.#levels[row] = 1 - nulls![row]!;
    return writeRuns(this.#levels, rows, 1, page, headerRoom);
  }

  #roomForPage(length: number, levels: number): Uint8Array {
    const bytes = headerRoom + levels + snappyRoom(length);
    if (this.#page.length < bytes) this.#page = new Uint8Array(2 * bytes);
    return this.#page;
  }
}
