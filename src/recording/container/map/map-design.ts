import { DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { badMap, Datafile, type DatafileItem, type Inflate } from './datafile.ts';
import { type Envelope, readEnvelopes } from './envelope.ts';
import { withoutSkips } from './game-map.ts';

/*
 * What a map looks like: its layers of tiles and quads in their order, in groups that move at a speed of their own
 * (parallax), and the images that are inside it. Many maps name images of the games' data instead; these are not here.
 *
 *   group  _version  offset_x offset_y  parallax_x parallax_y  start_layer num_layers   version 2: use_clipping clip_x clip_y clip_w clip_h
 *   tiles  _ type flags  _version width height kind  color[4] color_env color_env_offset  image  data
 *   quads  _ type flags  _version num_quads  data  image
 *   quad   points[4] pivot { x y }   colors[4] { r g b a }   texcoords[4] { x y }   pos_env offset  color_env offset      all i32
 *   envelopes and their points: `envelope.ts`
 *   image  _version width height  external  name  data      name and data are numbers of blocks
 *
 * Source: `src/game/mapitems.h` of the games. Sounds are left out.
 */

/** An image. Its pixels are four bytes each; without any it is one of the games' data, `mapres/NAME.png`. */
export interface MapImage {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly pixels?: Uint8Array | undefined;
}

/** Red, green, blue and alpha, up to 255. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Follows an envelope, by its index; an offset of a second is ahead by that. */
export interface Animation {
  readonly envelope: number;
  readonly offset: number;
}

export interface TileLayer {
  readonly kind: 'tiles';
  /** An index of the images; undefined for tiles that are filled with the colour. */
  readonly image: number | undefined;
  readonly colour: Colour;
  /** What its colour is multiplied by. */
  readonly colouring: Animation | undefined;
  readonly width: number;
  readonly height: number;
  /** For each tile, row by row: its number in the image of 16 × 16, 0 for none. */
  readonly tiles: Uint8Array;
  /** 1 mirrors it from left to right, 2 from top to bottom, 8 then turns it to the right. */
  readonly flags: Uint8Array;
}

/** A quad. Its corners are at the top left, top right, bottom left and bottom right. */
export interface Quad {
  /** `x y` of each corner, in units. */
  readonly points: readonly number[];
  readonly colours: readonly number[];
  /** `u v` of each corner, 0 to 1 in the image, which is repeated. */
  readonly texture: readonly number[];
  /** What it turns around. */
  readonly pivot: readonly [x: number, y: number];
  readonly motion: Animation | undefined;
  /** What its colours are multiplied by. */
  readonly colouring: Animation | undefined;
}

export interface QuadLayer {
  readonly kind: 'quads';
  readonly image: number | undefined;
  readonly quads: readonly Quad[];
}

export interface MapGroup {
  readonly offset: readonly [x: number, y: number];
  /** In percent: 100 moves with the game, 0 not at all. */
  readonly parallax: readonly [x: number, y: number];
  readonly clip: readonly [x: number, y: number, width: number, height: number] | undefined;
  /** Whether the layer of the game is in it, and how many of its layers are behind that. */
  readonly game: number | undefined;
  readonly layers: readonly (TileLayer | QuadLayer)[];
}

export interface MapDesign {
  readonly images: readonly MapImage[];
  readonly envelopes: readonly Envelope[];
  readonly groups: readonly MapGroup[];
}

const itemTypes = { image: 2, envelope: 3, group: 4, layer: 5, envelopePoints: 6 } as const;
const layerTypes = { tiles: 2, quads: 3 } as const;
/** The flags of layers that are the game's, in `kind`. */
const gameFlag = 1;
const unitsPerFixed = 1024;
const quadInts = 38;
const quadBytes = 4 * quadInts;

/** Limits against damaged and hostile maps, above all maps at hand. Layers and images beyond them are left out. */
const limits = {
  compressed: 8 << 20,
  tiles: 1 << 22,
  pixels: 1 << 24,
  side: 4096,
  quads: 20_000,
  layers: 1024,
} as const;

/** Reads what a map looks like. What is damaged or too large is left out: the game can be shown without it. */
export async function readMapDesign(bytes: Uint8Array, inflate: Inflate): Promise<MapDesign> {
  try {
    return await new DesignReader(new Datafile(bytes), inflate).read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { images: [], envelopes: [], groups: [] };
  }
}

class DesignReader {
  readonly #file: Datafile;
  readonly #inflate: Inflate;
  readonly #left = { ...limits } as { -readonly [Key in keyof typeof limits]: number };
  readonly #layers: readonly DatafileItem[];
  /** The images that layers have. */
  readonly #used = new Set<number>();

  constructor(file: Datafile, inflate: Inflate) {
    this.#file = file;
    this.#inflate = inflate;
    this.#layers = file.items(itemTypes.layer);
  }

  async read(): Promise<MapDesign> {
    const groups: MapGroup[] = [];
    for (const item of this.#file.items(itemTypes.group).slice(0, limits.layers)) groups.push(await this.#group(item));
    const images: MapImage[] = [];
    const items = this.#file.items(itemTypes.image).slice(0, limits.layers);
    for (const [i, item] of items.entries()) images.push(await this.#image(item, this.#used.has(i)));
    const [points] = this.#file.items(itemTypes.envelopePoints);
    const envelopes = readEnvelopes(this.#file.items(itemTypes.envelope).slice(0, limits.layers), points);
    return { images, envelopes, groups };
  }

  async #group(item: DatafileItem): Promise<MapGroup> {
    const [version = 1, offsetX = 0, offsetY = 0, parallaxX = 100, parallaxY = 100, start = 0, count = 0] = item;
    const layers: (TileLayer | QuadLayer)[] = [];
    let game: number | undefined;
    const first = Math.max(0, start);
    const own = Math.max(0, Math.min(count, this.#left.layers));
    this.#left.layers -= own;
    for (const layer of this.#layers.slice(first, first + own)) {
      if (layer[1] === layerTypes.tiles && (layer[6]! & gameFlag) !== 0) game = layers.length;
      const read = await this.#layer(layer).catch(() => undefined);
      if (read?.image !== undefined) this.#used.add(read.image);
      if (read) layers.push(read);
    }
    const [x = 0, y = 0, width = 0, height = 0] = item.subarray(8, 12);
    const clip = version >= 2 && item[7] === 1 ? ([x, y, width, height] as const) : undefined;
    return { offset: [offsetX, offsetY], parallax: [parallaxX, parallaxY], clip, game, layers };
  }

  async #layer(item: DatafileItem): Promise<TileLayer | QuadLayer | undefined> {
    if (item[1] === layerTypes.tiles && item[6] === 0 && item.length > 14) return this.#tiles(item);
    return item[1] === layerTypes.quads && item.length > 6 ? this.#quads(item) : undefined;
  }

  async #tiles(item: DatafileItem): Promise<TileLayer | undefined> {
    const version = item[3]!;
    const width = item[4]!;
    const height = item[5]!;
    const count = width * height;
    if (!(width > 0 && height > 0 && count <= this.#left.tiles)) return undefined;
    // What is damaged, or empty, takes time as well.
    this.#left.tiles -= count;
    let data = await this.#block(item[14]!, 4 * count);
    if (version >= 4) data = withoutSkips(data, 4 * count);
    if (data.length < 4 * count) throw badMap(0, 'a layer of tiles', data.length, 4 * count);
    const column = (at: number) => Uint8Array.from({ length: count }, (_, i) => data[4 * i + at]!);
    const tiles = column(0);
    if (tiles.every((tile) => tile === 0)) return undefined;
    return {
      kind: 'tiles',
      image: item[13]! >= 0 ? item[13] : undefined,
      colour: colourOf(item, 7),
      colouring: animationOf(item, 11),
      width,
      height,
      tiles,
      flags: column(1),
    };
  }

  async #quads(item: DatafileItem): Promise<QuadLayer | undefined> {
    const count = Math.min(item[4]!, this.#left.quads);
    if (!(count > 0)) return undefined;
    this.#left.quads -= count;
    const data = await this.#block(item[5]!, limits.quads * quadBytes);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const quads: Quad[] = [];
    for (let i = 0; i < count && (i + 1) * quadBytes <= data.length; i++) {
      const ints = Int32Array.from({ length: quadInts }, (_, k) => view.getInt32(i * quadBytes + 4 * k, true));
      const fixed = (from: number, to: number) => Array.from(ints.subarray(from, to), (int) => int / unitsPerFixed);
      const colours = Array.from(ints.subarray(10, 26), (channel) => channel & 255);
      const [pivotX = 0, pivotY = 0] = fixed(8, 10);
      quads.push({
        points: fixed(0, 8),
        pivot: [pivotX, pivotY],
        colours,
        texture: fixed(26, 34),
        motion: animationOf(ints, 34),
        colouring: animationOf(ints, 36),
      });
    }
    return { kind: 'quads', image: item[6]! >= 0 ? item[6] : undefined, quads };
  }

  async #image(item: DatafileItem, isUsed: boolean): Promise<MapImage> {
    const [, width = 0, height = 0, external = 0, nameBlock = -1, block = -1] = item;
    const name = await this.#block(nameBlock, 1024).then(textOf, () => '');
    const pixels = width * height;
    const isFine = width > 0 && height > 0 && Math.max(width, height) <= limits.side && pixels <= this.#left.pixels;
    if (!isUsed || external || !isFine) return { name, width, height };
    this.#left.pixels -= pixels;
    const data = await this.#block(block, 4 * pixels).catch(() => undefined);
    const whole = data && (data.length === 3 * pixels ? withAlpha(data) : data);
    if (whole?.length !== 4 * pixels) return { name, width, height };
    return { name, width, height, pixels: whole };
  }

  /** A block, as long as all of them together are not too large. */
  async #block(number: number, limit: number): Promise<Uint8Array> {
    const size = this.#file.blockSize(number);
    if (size > this.#left.compressed) throw badMap(0, 'all blocks', size, this.#left.compressed);
    this.#left.compressed -= Math.max(0, size);
    return this.#file.data(number, limit, this.#inflate);
  }
}

const colourOf = (item: DatafileItem, at: number): Colour =>
  [item[at]! & 255, item[at + 1]! & 255, item[at + 2]! & 255, item[at + 3]! & 255] as const;

/** The number of an envelope, -1 for none, and milliseconds. */
const animationOf = (ints: Int32Array, at: number): Animation | undefined =>
  ints[at]! >= 0 ? { envelope: ints[at]!, offset: ints[at + 1]! / 1000 } : undefined;

/** Text up to a NUL. */
function textOf(data: Uint8Array): string {
  const end = data.indexOf(0);
  return new TextDecoder().decode(end < 0 ? data : data.subarray(0, end));
}

function withAlpha(data: Uint8Array): Uint8Array {
  const whole = new Uint8Array((data.length / 3) * 4).fill(255);
  for (let i = 0; i < data.length / 3; i++) whole.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
  return whole;
}
