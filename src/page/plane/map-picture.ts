import type { GameLayer, GameMap, LayerName } from '../../recording/container/map/game-map.ts';
import type { Camera } from '../data/camera.ts';
import { unitsPerTile } from '../data/characters.ts';
import { styled } from '../elements/dom.ts';

/** The custom property of the style sheet that has the colour of a kind of tile. */
export const colourName = (kind: TileKind) => `--tile-${kind.replace(/,? /g, '-')}`;

/** A picture of a map's game layers. It has one pixel for each tile and is drawn enlarged. */
export class MapPicture {
  readonly map: GameMap;
  readonly kinds: readonly TileKind[];
  readonly #kindOf: Uint8Array;
  readonly #picture = document.createElement('canvas');

  constructor(map: GameMap) {
    this.map = map;
    this.#kindOf = kindsOf(map);
    const found = new Set(this.#kindOf);
    this.kinds = tileKinds.filter((_, number) => number > 0 && found.has(number));
    this.#picture.width = map.width;
    this.#picture.height = map.height;
    this.paint();
  }

  paint(): void {
    const { width, height } = this.map;
    const context = this.#picture.getContext('2d')!;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = tileKinds.map((kind) => (kind === 'nothing' ? 0 : pixelOf(styled(colourName(kind)))));
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[this.#kindOf[i]!]!;
    context.putImageData(image, 0, 0);
  }

  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    const { width, height } = this.map;
    const [left, top] = camera.toPixels(0, 0);
    const pixels = camera.scale * unitsPerTile;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#picture, left, top, width * pixels, height * pixels);
    context.strokeStyle = styled('--line');
    context.lineWidth = 1;
    context.strokeRect(left, top, width * pixels, height * pixels);
  }

  /** Describes the tile at a point: `teleporter 3`. */
  describe(x: number, y: number): string {
    const [column, row] = [Math.floor(x / unitsPerTile), Math.floor(y / unitsPerTile)];
    const { width, height, layers } = this.map;
    if (column < 0 || row < 0 || column >= width || row >= height) return 'outside of the map';
    const i = row * width + column;
    const parts = layers.flatMap(({ name, types, numbers, angles }) => {
      if (types[i] === 0 || (name === 'game' && this.#kindOf[i] === 0)) return [];
      if (name === 'game' || name === 'front') return [`${name} ${tileKinds[this.#kindOf[i]!]} (${types[i]})`];
      return [`${name} ${numbers?.[i] ?? ''}${angles ? ` ${angles[i]}°` : ''} (${types[i]})`];
    });
    return [`tile ${column}, ${row}`, ...parts].join('   ');
  }
}

const pixelOf = (color: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
};

/** The kinds of tile that are drawn differently. The number of a kind is its index. */
export const tileKinds = [
  'nothing',
  'hookable',
  'unhookable',
  'death',
  'freeze',
  'unfreeze',
  'teleporter',
  'speedup',
  'switch',
  'stopper',
  'start, finish',
  'spawn',
  'special',
] as const;
type TileKind = (typeof tileKinds)[number];

/** Tiles with higher numbers place entities. The first three entities are spawns. */
const entityOffset = 255 - 16 * 4;
const spawns = [1, 2, 3];

/** The kind of each tile number in the game and front layers. Other numbers, up to the entities, are special. */
const kindOfType: Readonly<Record<number, TileKind>> = {
  0: 'nothing',
  1: 'hookable',
  2: 'death',
  3: 'unhookable',
  9: 'freeze',
  11: 'unfreeze',
  12: 'freeze',
  13: 'unfreeze',
  33: 'start, finish',
  34: 'start, finish',
  60: 'stopper',
  61: 'stopper',
  62: 'stopper',
};

/** The layers in which all tiles except 0 have the same kind. */
const kindOfLayer: Partial<Record<LayerName, TileKind>> = { tele: 'teleporter', speedup: 'speedup', switch: 'switch' };

/** If layers overlap, the first of these with a tile determines the kind. */
const order: readonly LayerName[] = ['game', 'tele', 'speedup', 'switch', 'front'];

export function kindsOf({ width, height, layers }: GameMap): Uint8Array {
  const kinds = new Uint8Array(width * height);
  for (const name of order) {
    const layer = layers.find((layer) => layer.name === name);
    if (!layer) continue;
    for (let i = 0; i < kinds.length; i++) if (kinds[i] === 0) kinds[i] = kindNumber(layer, i);
  }
  return kinds;
}

function kindNumber({ name, types }: GameLayer, i: number): number {
  const type = types[i]!;
  if (type === 0) return 0;
  const kind = kindOfLayer[name] ?? kindOfType[type] ?? kindOfOther(type);
  return tileKinds.indexOf(kind);
}

function kindOfOther(type: number): TileKind {
  if (type <= entityOffset) return 'special';
  // Pickups and flags are not drawn as tiles, because the snapshot has them as items.
  return spawns.includes(type - entityOffset) ? 'spawn' : 'nothing';
}
