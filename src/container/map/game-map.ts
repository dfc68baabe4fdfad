import { DecodeError } from '../../bytes/diagnostic.ts';

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export type Inflate = (data: Uint8Array, size: number) => Promise<Uint8Array | undefined>;

/** An item of a datafile: its ints without its type and id. */
export type DatafileItem = Int32Array;

const headerBytes = 36;
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

  /** @throws DecodeError `not_a_map`, `map_version`, `bad_map` */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!isDatafile(bytes)) throw new DecodeError('not_a_map', 0);
    if (bytes.length < headerBytes) throw badMap(bytes.length, 'the header', bytes.length, headerBytes);
    this.version = this.#int(4);
    if (this.version !== 3 && this.version !== 4) throw new DecodeError('map_version', 4, { found: this.version });
    this.#counts = { types: this.#count(16), items: this.#count(20), data: this.#count(24) };
    this.#sizes = { items: this.#count(28), data: this.#count(32) };
    const perData = this.version === 4 ? 8 : 4;
    const { types, items, data } = this.#counts;
    this.#itemsStart = headerBytes + types * typeBytes + items * 4 + data * perData;
    const end = this.#dataStart + this.#sizes.data;
    if (end > bytes.length) throw badMap(bytes.length, 'the file', bytes.length, end);
  }

  items(type: number): DatafileItem[] {
    for (let i = 0; i < this.#counts.types; i++) {
      const at = headerBytes + i * typeBytes;
      if (this.#int(at) !== type) continue;
      const [start, count] = [this.#count(at + 4), this.#count(at + 8)];
      if (start + count > this.#counts.items)
        throw badMap(at + 4, 'a type of items', start + count, this.#counts.items);
      return Array.from({ length: count }, (_, k) => this.#item(start + k));
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
    const offsetAt = headerBytes + this.#counts.types * typeBytes + this.#counts.items * 4 + number * 4;
    const start = this.#count(offsetAt);
    const end = number + 1 < count ? this.#count(offsetAt + 4) : this.#sizes.data;
    if (start > end || end > this.#sizes.data) throw badMap(offsetAt, 'the offset of a block', start, this.#sizes.data);
    const block = this.#bytes.subarray(this.#dataStart + start, this.#dataStart + end);
    const size = this.version === 4 ? this.#count(offsetAt + count * 4) : block.length;
    if (size > limit) throw badMap(offsetAt, 'a block', size, limit);
    if (this.version === 3) return block;
    const data = await inflate(block, size);
    if (!data) throw badMap(this.#dataStart + start, 'a compressed block', block.length, size);
    return data;
  }

  get #dataStart(): number {
    return this.#itemsStart + this.#sizes.items;
  }

  #item(number: number): DatafileItem {
    const offsetAt = headerBytes + this.#counts.types * typeBytes + number * 4;
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

/** The layers that affect the game, in the order of their flags. */
const layerNames = ['game', 'tele', 'speedup', 'front', 'switch', 'tune'] as const;
export type LayerName = (typeof layerNames)[number];

/** A layer. Each array has a value for each tile, row by row. */
export interface GameLayer {
  readonly name: LayerName;
  /** What each tile does: 0 nothing, 1 solid, 2 death, … */
  readonly types: Uint8Array;
  /** The number of the teleporter, switch or tune zone, or the force of the speedup. */
  readonly numbers?: Uint8Array | undefined;
  /** The directions of speedups, in degrees. */
  readonly angles?: Int16Array | undefined;
}

/** The parts of a map that affect the game, without decoration. */
export interface GameMap {
  /** In tiles of 32 units. */
  readonly width: number;
  readonly height: number;
  /** The game layer, then DDNet's layers, if the map has them. */
  readonly layers: readonly GameLayer[];
}

const layerType = 5;
const tileLayer = 2;
/** The index of the int with a tile layer's flags. Each kind of layer in `shapes` has a flag; decoration has none. */
const flagsAt = 6;
const dataAt = 14;
/** Since this version, three ints contain the layer's name, before the numbers of DDNet's blocks. */
const versionWithName = 3;
/** Since this version, a tile's third byte counts its repetitions. */
const versionWithSkips = 4;
/** A limit against damaged sizes, far above any existing map. */
const maxTiles = 1 << 24;

/** For each kind of layer, the size of a tile in bytes, the positions of its values, and the block that contains the tiles. */
const shapes = {
  game: { flag: 1, bytes: 4, typeAt: 0, block: undefined },
  tele: { flag: 2, bytes: 2, typeAt: 1, numberAt: 0, block: 0 },
  speedup: { flag: 4, bytes: 6, typeAt: 2, numberAt: 0, angleAt: 4, block: 1 },
  front: { flag: 8, bytes: 4, typeAt: 0, block: 2 },
  switch: { flag: 16, bytes: 4, typeAt: 1, numberAt: 0, block: 3 },
  tune: { flag: 32, bytes: 2, typeAt: 1, numberAt: 0, block: 4 },
} as const satisfies Record<LayerName, Shape>;

interface Shape {
  readonly flag: number;
  readonly bytes: number;
  readonly typeAt: number;
  readonly numberAt?: number;
  readonly angleAt?: number;
  /** The position of the block's number among the ints that DDNet adds to a layer; undefined for the block that every layer has. */
  readonly block: number | undefined;
}

/**
 * Reads the game layers of a map.
 * ```
 * layer: _  type  flags  version  width  height  kind  color[4]  color_env  color_env_offset  image  data
 *        version ≥ 3: name[3]      DDNet: tele  speedup  front  switch  tune
 * ```
 * Source: `src/game/mapitems.h` of the games.
 *
 * @throws DecodeError `not_a_map`, `map_version`, `bad_map`, `no_game_layer`
 */
export async function readMap(bytes: Uint8Array, inflate: Inflate): Promise<GameMap> {
  const file = new Datafile(bytes);
  const items = file.items(layerType).filter((item) => item.length > dataAt && item[1] === tileLayer);
  const found = (name: LayerName) => items.find((item) => (item[flagsAt]! & shapes[name].flag) !== 0);
  const game = found('game');
  if (!game) throw new DecodeError('no_game_layer', 0);
  const [width, height] = [game[4]!, game[5]!];
  if (!(width > 0 && height > 0 && width * height <= maxTiles))
    throw badMap(0, 'the game layer', width * height, maxTiles);
  const layers: GameLayer[] = [];
  for (const name of layerNames) {
    const item = found(name);
    // The games refuse layers of a different size.
    if (!item || item[4] !== width || item[5] !== height) continue;
    const layer = await readLayer(file, item, name, width * height, inflate);
    if (layer) layers.push(layer);
  }
  return { width, height, layers };
}

async function readLayer(
  file: Datafile,
  item: DatafileItem,
  name: LayerName,
  count: number,
  inflate: Inflate,
): Promise<GameLayer | undefined> {
  const shape: Shape = shapes[name];
  const version = item[3]!;
  const blocksAt = dataAt + (version >= versionWithName ? 4 : 1);
  const number = item[shape.block === undefined ? dataAt : blocksAt + shape.block];
  // A map older than the layer has no block for it.
  if (number === undefined || number < 0) return undefined;
  const size = count * shape.bytes;
  let data = await file.data(number, size, inflate);
  if (shape.block === undefined && version >= versionWithSkips) data = withoutSkips(data, size);
  if (data.length < size) throw badMap(0, `the ${name} layer`, data.length, size);
  const column = (at: number) => Uint8Array.from({ length: count }, (_, i) => data[i * shape.bytes + at]!);
  const { typeAt, numberAt, angleAt } = shape;
  return {
    name,
    types: column(typeAt),
    numbers: numberAt === undefined ? undefined : column(numberAt),
    angles: angleAt === undefined ? undefined : anglesOf(data, count, shape.bytes, angleAt),
  };
}

/** Expands runs of equal tiles: the third byte of a tile is the number of its repetitions. */
function withoutSkips(data: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let to = 0;
  for (let i = 0; i + 4 <= data.length; i += 4) {
    for (let left = data[i + 2]! + 1; left > 0 && to < size; left--, to += 4) whole.set(data.subarray(i, i + 2), to);
  }
  return whole.subarray(0, to);
}

function anglesOf(data: Uint8Array, count: number, bytes: number, at: number): Int16Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Int16Array.from({ length: count }, (_, i) => view.getInt16(i * bytes + at, true));
}
