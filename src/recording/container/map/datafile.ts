import { DecodeError } from '../../../wire/bytes/diagnostic.ts';

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export type Inflate = (data: Uint8Array, size: number) => Promise<Uint8Array | undefined>;

/** An item of a datafile: its ints without its type and id. */
export type DatafileItem = Int32Array;

export const datafileHeadBytes = 36;
const typeBytes = 12;
const itemHeadBytes = 8;

/**
 * The file format of maps: items, which are lists of ints, and blocks of data.
 * ```
 * magic "DATA"  version i32  size i32  swaplen i32
 * num_types i32  num_items i32  num_data i32  item_bytes i32  data_bytes i32
 * types { type  start  count }[num_types]   item_offset[num_items]   data_offset[num_data]   version 4: data_size[num_data]
 * items { type << 16 | id   size   ints }   data: with zlib in version 4, plain in version 3
 * ```
 * All numbers are little-endian; a file that begins with `ATAD` is read the same way.
 *
 * Source: `src/engine/shared/datafile.cpp` of the games.
 */
export class Datafile {
  readonly version: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #counts: { readonly types: number; readonly items: number; readonly data: number };
  readonly #sizes: { readonly items: number; readonly data: number };
  readonly #itemsStart: number;

  /**
   * @param isHead whether these are its first bytes only: then its items and data cannot be read
   * @throws DecodeError `not_a_map`, `map_version`, `bad_map`
   */
  constructor(bytes: Uint8Array, isHead = false) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!isDatafile(bytes)) throw new DecodeError('not_a_map', 0);
    if (bytes.length < datafileHeadBytes) throw badMap(bytes.length, 'the header', bytes.length, datafileHeadBytes);
    this.version = this.#int(4);
    if (this.version !== 3 && this.version !== 4) throw new DecodeError('map_version', 4, { found: this.version });
    this.#counts = { types: this.#count(16), items: this.#count(20), data: this.#count(24) };
    this.#sizes = { items: this.#count(28), data: this.#count(32) };
    const perData = this.version === 4 ? 8 : 4;
    const { types, items, data } = this.#counts;
    this.#itemsStart = datafileHeadBytes + types * typeBytes + items * 4 + data * perData;
    if (this.end > bytes.length && !isHead) throw badMap(bytes.length, 'the file', bytes.length, this.end);
  }

  /** Where the blocks of data begin by the header. */
  get dataStart(): number {
    return this.#itemsStart + this.#sizes.items;
  }

  /** Where the file ends by the header. */
  get end(): number {
    return this.dataStart + this.#sizes.data;
  }

  items(type: number): DatafileItem[] {
    for (let i = 0; i < this.#counts.types; i++) {
      const at = datafileHeadBytes + i * typeBytes;
      if (this.#int(at) !== type) continue;
      const start = this.#count(at + 4);
      const count = this.#count(at + 8);
      if (start + count > this.#counts.items)
        throw badMap(at + 4, 'a type of items', start + count, this.#counts.items);
      const items: DatafileItem[] = [];
      // A damaged map may have the same large item many times.
      let left = this.#sizes.items;
      for (let k = 0; k < count; k++) {
        const item = this.#item(start + k);
        left -= itemHeadBytes + item.byteLength;
        if (left < 0) throw badMap(at + 4, 'all items of a type', this.#sizes.items - left, this.#sizes.items);
        items.push(item);
      }
      return items;
    }
    return [];
  }

  /**
   * Reads a block of data.
   * @param limit the maximum size in bytes
   */
  async data(number: number, limit: number, inflate: Inflate): Promise<Uint8Array> {
    const count = this.#counts.data;
    if (!(number >= 0 && number < count)) throw badMap(0, 'the number of a block', number, count);
    const offsetAt = datafileHeadBytes + this.#counts.types * typeBytes + this.#counts.items * 4 + number * 4;
    const start = this.#count(offsetAt);
    const end = number + 1 < count ? this.#count(offsetAt + 4) : this.#sizes.data;
    if (start > end || end > this.#sizes.data) throw badMap(offsetAt, 'the offset of a block', start, this.#sizes.data);
    const block = this.#bytes.subarray(this.dataStart + start, this.dataStart + end);
    const size = this.version === 4 ? this.#count(offsetAt + count * 4) : block.length;
    if (size > limit) throw badMap(offsetAt, 'a block', size, limit);
    if (this.version === 3) return block;
    const data = await inflate(block, size);
    if (!data) throw badMap(this.dataStart + start, 'a compressed block', block.length, size);
    return data;
  }

  /** The size of a block in the file; 0 for one that does not exist. */
  blockSize(number: number): number {
    const count = this.#counts.data;
    if (!(number >= 0 && number < count)) return 0;
    const offsetAt = datafileHeadBytes + this.#counts.types * typeBytes + this.#counts.items * 4 + number * 4;
    return (number + 1 < count ? this.#int(offsetAt + 4) : this.#sizes.data) - this.#int(offsetAt);
  }

  #item(number: number): DatafileItem {
    const offsetAt = datafileHeadBytes + this.#counts.types * typeBytes + number * 4;
    const offset = this.#count(offsetAt);
    if (offset + itemHeadBytes > this.#sizes.items)
      throw badMap(offsetAt, 'the offset of an item', offset, this.#sizes.items);
    const at = this.#itemsStart + offset;
    const size = this.#count(at + 4);
    if (offset + itemHeadBytes + size > this.#sizes.items) throw badMap(at + 4, 'an item', size, this.#sizes.items);
    return Int32Array.from({ length: size >> 2 }, (_, i) => this.#int(at + itemHeadBytes + i * 4));
  }

  #int(at: number): number {
    return this.#view.getInt32(at, true);
  }

  #count(at: number): number {
    const value = this.#int(at);
    if (value < 0) throw badMap(at, 'a count or size', value, 0);
    return value;
  }
}

function isDatafile(bytes: Uint8Array): boolean {
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  return magic === 'DATA' || magic === 'ATAD';
}

/** The error for a size, count or offset of a map that is out of range. */
export const badMap = (offset: number, part: string, found: number, expected: number) =>
  new DecodeError('bad_map', offset, { part, found, expected });
