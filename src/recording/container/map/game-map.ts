import { DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { badMap, Datafile, type DatafileItem, type Inflate } from './datafile.ts';

/** The layers that affect the game, in the order of their flags. */
const layerNames: readonly LayerName[] = ['game', 'tele', 'speedup', 'front', 'switch', 'tune'];
/** What a layer contains, by its name in DDNet. */
export type LayerName = 'game' | 'tele' | 'speedup' | 'front' | 'switch' | 'tune';

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
/** A limit against damaged sizes, far above any existing map. A larger one is refused. */
export const maxTiles = 1 << 24;

/**
 * For each kind of layer, the size of a tile in bytes, the positions of its values, and the block that contains the
 * tiles.
 */
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
  /**
   * The position of the block's number among the ints that DDNet adds to a layer; undefined for the block that every
   * layer has.
   */
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
  const width = game[4]!;
  const height = game[5]!;
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
export function withoutSkips(data: Uint8Array, size: number): Uint8Array {
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
