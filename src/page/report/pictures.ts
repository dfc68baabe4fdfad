import type { Inflate } from '../../recording/container/map/datafile.ts';
import type { MapDesign, MapGroup } from '../../recording/container/map/map-design.ts';
import { withFewColours } from './few-colours.ts';
import { type Bitmap, type Deflate, readPng, writePng } from './png.ts';

/** Pictures of an installed game that a recording needs, as PNG. */
export interface Pictures {
  /** The images of the map that are not in its file, by their names. */
  readonly map: readonly NamedPicture[];
  /** `game.png`: weapons, pickups, flags, projectiles and the hook. */
  readonly game: Uint8Array | undefined;
  /** Skins of 0.6 by their names, and parts of skins of 0.7 as `body/standard`. */
  readonly skins: readonly NamedPicture[];
}

export interface NamedPicture {
  readonly name: string;
  readonly png: Uint8Array;
}

/** What reads a file below the folder of the game's data; undefined if it is not there. */
type ReadPicture = (path: string) => Promise<Uint8Array | undefined>;

interface Needs {
  readonly design: MapDesign | undefined;
  readonly skins: Iterable<string>;
  readonly is07: boolean;
}

const maxSkins = 256;
const perRow = 16;
/** A name in a map or of a player becomes a file only if it is a plain name. */
const isPlain = (name: string) => /^[\w+ -][\w.+ -]{0,62}$/.test(name);

/** Gathers the pictures that a recording needs. Those that are not there, or cannot be read, are left out. */
export class PictureGatherer {
  readonly #read: ReadPicture;
  readonly #inflate: Inflate;
  readonly #deflate: Deflate;

  constructor(read: ReadPicture, inflate: Inflate, deflate: Deflate) {
    this.#read = read;
    this.#inflate = inflate;
    this.#deflate = deflate;
  }

  async gather({ design, skins, is07 }: Needs): Promise<Pictures> {
    const map: NamedPicture[] = [];
    for (const [number, image] of (design?.images ?? []).entries()) {
      if (image.pixels || map.some(({ name }) => name === image.name)) continue;
      const use = useOf(design!.groups, number);
      if (!use) continue;
      const png = await this.#picture(`mapres/${image.name}.png`, image.name, (bitmap) => reduced(bitmap, use));
      if (png) map.push({ name: image.name, png });
    }
    const found: NamedPicture[] = [];
    for (const name of [...new Set(skins)].slice(0, maxSkins)) {
      const png = await this.#picture(`skins/${name}.png`, name.replace('/', ''), is07 ? halved : same);
      if (png) found.push({ name, png });
    }
    return { map, game: await this.#picture('game.png', 'game', gameSprites), skins: found };
  }

  async #picture(path: string, name: string, change: (bitmap: Bitmap) => Bitmap): Promise<Uint8Array | undefined> {
    const bytes = isPlain(name) ? await this.#read(path) : undefined;
    const bitmap = bytes && (await readPng(bytes, this.#inflate));
    return bitmap && writePng(withFewColours(change(bitmap)), this.#deflate);
  }
}

const same = (bitmap: Bitmap) => bitmap;

/** The cells of `game.png` that the page draws, in its grid of 32 × 16: column, row, columns, rows. */
const drawnCells = [
  [2, 0, 3, 1],
  [2, 1, 4, 3],
  [2, 4, 6, 2],
  [2, 6, 10, 2],
  [2, 8, 10, 2],
  [2, 10, 8, 2],
  [2, 12, 7, 3],
  [10, 12, 2, 2],
  [10, 2, 4, 2],
  [21, 0, 4, 4],
  [12, 8, 8, 8],
] as const;

function gameSprites({ width, height, pixels }: Bitmap): Bitmap {
  const kept = new Uint8Array(pixels.length);
  for (const [column, row, columns, rows] of drawnCells) {
    const left = Math.round((column * width) / 32);
    const right = Math.round(((column + columns) * width) / 32);
    for (let y = Math.round((row * height) / 16); y < Math.round(((row + rows) * height) / 16); y++)
      kept.set(pixels.subarray(4 * (y * width + left), 4 * (y * width + right)), 4 * (y * width + left));
  }
  return halved({ width, height, pixels: kept });
}

/** How a map uses an image: the tiles that layers have of it, and whether quads have it. */
interface ImageUse {
  readonly tiles: ReadonlySet<number>;
  readonly isQuad: boolean;
}

function useOf(groups: readonly MapGroup[], number: number): ImageUse | undefined {
  const tiles = new Set<number>();
  let isQuad = false;
  for (const layer of groups.flatMap(({ layers }) => layers)) {
    if (layer.image !== number) continue;
    if (layer.kind === 'quads') isQuad = true;
    else for (const tile of layer.tiles) tiles.add(tile);
  }
  return isQuad || tiles.size > 0 ? { tiles, isQuad } : undefined;
}

/** The sides of what only quads have: the background, which is far away. */
const maxQuadSide = 256;

/** Half as wide and high, and without tiles that the map does not have. */
function reduced(bitmap: Bitmap, { tiles, isQuad }: ImageUse): Bitmap {
  if (isQuad) {
    let small = bitmap;
    while (tiles.size === 0 && Math.max(small.width, small.height) > maxQuadSide) small = halved(small);
    return small;
  }
  const { width, height } = bitmap;
  const pixels = bitmap.pixels.slice();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const tile = Math.floor((y * perRow) / height) * perRow + Math.floor((x * perRow) / width);
      if (!tiles.has(tile)) pixels.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 4);
    }
  return halved({ width, height, pixels });
}

/** Half as wide and high: the mean of four pixels, in which transparent ones have no colour. */
function halved({ width, height, pixels }: Bitmap): Bitmap {
  const across = width >> 1;
  const down = height >> 1;
  const small = new Uint8Array(4 * across * down);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const at = [0, 4, 4 * width, 4 * width + 4].map((offset) => 4 * (2 * y * width + 2 * x) + offset);
      const alpha = at.reduce((sum, from) => sum + pixels[from + 3]!, 0);
      const to = 4 * (y * across + x);
      for (let channel = 0; channel < 3 && alpha > 0; channel++)
        small[to + channel] = Math.round(
          at.reduce((sum, from) => sum + pixels[from + channel]! * pixels[from + 3]!, 0) / alpha,
        );
      small[to + 3] = Math.round(alpha / 4);
    }
  return { width: across, height: down, pixels: small };
}
