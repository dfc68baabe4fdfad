import type { GameMap } from '../../recording/container/map/game-map.ts';
import type { Camera } from '../data/camera.ts';
import { unitsPerTile } from '../data/character-core.ts';
import { styled } from '../elements/dom.ts';
import { kindsOf, type TileKind, tileKinds } from './tile-kinds.ts';

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
    const column = Math.floor(x / unitsPerTile);
    const row = Math.floor(y / unitsPerTile);
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
