import { type EnvelopeValues, envelopeAt } from '../../recording/container/map/envelope.ts';
import type {
  Animation,
  MapDesign,
  MapGroup,
  MapImage,
  Quad,
  QuadLayer,
  TileLayer,
} from '../../recording/container/map/map-design.ts';
import { type Camera, gameView } from '../data/camera.ts';
import { unitsPerTile } from '../data/character-core.ts';
import type { NamedPicture } from '../report/pictures.ts';
import { canvasOf, imageOf, multiplied, type Source } from './images.ts';

/*
 * Draws the layers of a map as the game shows them: groups behind the game's layer first, then, after players and
 * items, those in front.
 *
 *   place on the screen = (place in the group − offset − center of the picture · parallax) · scale + half of the window
 *
 * A group that follows the camera by less than 100 % changes its size by less than the match does, one that does not
 * follow it by nothing: the sky covers all. Source: `MapScreenToWorld` in `src/game/client/render.cpp` of DDNet.
 *
 * Tiles that follow each other in a group are drawn once into pictures of 16 × 16 tiles (chunks), and the picture of
 * the match is put together from these. When a tile is only a few pixels wide, a picture with a pixel for each tile
 * serves for all of the map. Beyond the edges of a layer, its outermost tiles go on.
 */

type Context = CanvasRenderingContext2D;

const chunkTiles = 16;
/** Pixels of a tile in a chunk. */
const resolutions = [8, 16, 32, 64];
/** Tiles narrower than this many pixels are drawn from the picture with a pixel for each. */
const minTile = 5;
/** Pixels that all chunks have together, about 64 MB. Those that have not been drawn for longest go. */
const maxPixels = 1 << 24;
/** A frame makes chunks for this long; what is missing is in another size or coarse, and comes in the next frames. */
const buildMilliseconds = 10;
/** A quad with a corner further than this from the middle of the window, in pixels, has no exact place on a canvas. */
const farthest = 2 ** 20;
/** The quads of a layer cover the window at most so often: more take longer than a frame. */
const maxCovered = 64;
const perRow = 16;
const colourStep = 15;

interface Chunk {
  readonly canvas: HTMLCanvasElement | undefined;
  /** The same in the size that it has in the window: to copy pixels takes a fifth of the time that scaling them does. */
  fitted?: HTMLCanvasElement | undefined;
  usedAt: number;
}

/**
 * Tile layers one after the other, drawn as one. A layer that changes its colour is alone: only how opaque it is then
 * changes here.
 */
class TileRun {
  readonly colouring: Animation | undefined;
  readonly width: number;
  readonly height: number;
  readonly #layers: readonly TileLayer[];
  readonly #coarse: HTMLCanvasElement;
  readonly chunks = new Map<number, Chunk>();
  readonly #imageOf: (layer: TileLayer) => Source | undefined;
  /** The size of a tile in the last picture: while it changes, pictures of chunks in the window's size serve once. */
  #perTile = 0;

  constructor(layers: readonly TileLayer[], imageOf: (layer: TileLayer) => Source | undefined) {
    this.#layers = layers;
    this.#imageOf = imageOf;
    this.colouring = layers[0]!.colouring;
    this.width = Math.max(...layers.map(({ width }) => width));
    this.height = Math.max(...layers.map(({ height }) => height));
    this.#coarse = this.#makeCoarse();
  }

  /** A pixel for each tile: the mean colour of the tile in its image. */
  #makeCoarse(): HTMLCanvasElement {
    const { width, height } = this;
    const all = canvasOf(width, height);
    const context = all.getContext('2d')!;
    for (const layer of this.#layers) {
      const layerCanvas = canvasOf(layer.width, layer.height);
      const layerContext = layerCanvas.getContext('2d')!;
      const picture = layerContext.createImageData(layer.width, layer.height);
      const pixels = new Uint32Array(picture.data.buffer);
      const colours = meanColours(this.#imageOf(layer), layer);
      for (let i = 0; i < pixels.length; i++) pixels[i] = layer.tiles[i] === 0 ? 0 : colours[layer.tiles[i]!]!;
      layerContext.putImageData(picture, 0, 0);
      context.globalAlpha = layer.colour[3] / 255;
      context.drawImage(layerCanvas, 0, 0);
    }
    return all;
  }

  /** Draws it with its left upper corner at a point of the context, in pixels. @returns whether chunks are missing */
  draw(context: Context, left: number, top: number, perTile: number, camera: Camera, until: number): boolean {
    context.imageSmoothingEnabled = perTile >= minTile;
    if (perTile * devicePixelRatio < minTile) {
      this.#drawCoarse(context, left, top, perTile, camera);
      return false;
    }
    const side = chunkTiles * perTile;
    const level = resolutions.findIndex((pixels) => pixels >= perTile * devicePixelRatio);
    const resolution = level < 0 ? resolutions.length - 1 : level;
    const isSettled = perTile === this.#perTile;
    this.#perTile = perTile;
    const missing: (readonly [x: number, y: number])[] = [];
    // Whole pixels of the window, so that no gap is between two chunks, and a chunk has the same size wherever it is.
    const edge = (at: number) => Math.round(at * devicePixelRatio) / devicePixelRatio;
    const wholeLeft = edge(left);
    const wholeTop = edge(top);
    const place = (x: number, y: number) => {
      const x0 = wholeLeft + edge(x * side);
      const y0 = wholeTop + edge(y * side);
      return [x0, y0, wholeLeft + edge((x + 1) * side) - x0, wholeTop + edge((y + 1) * side) - y0] as const;
    };
    const drawChunk = (chunk: Chunk, x: number, y: number) => {
      const [x0, y0, width, height] = place(x, y);
      const canvas = isSettled ? fittedOf(chunk, width, height) : chunk.canvas;
      if (canvas) context.drawImage(canvas, x0, y0, width, height);
    };
    for (let y = Math.floor(-top / side); y < (camera.height - top) / side; y++)
      for (let x = Math.floor(-left / side); x < (camera.width - left) / side; x++) {
        const chunk = this.#chunk(x, y, resolution, false);
        if (chunk) drawChunk(chunk, x, y);
        else missing.push([x, y]);
      }
    // Those nearest to the middle are made first.
    const fromMiddle = ([x, y]: readonly [x: number, y: number]) =>
      Math.hypot(left + (x + 0.5) * side - camera.width / 2, top + (y + 0.5) * side - camera.height / 2);
    let isMissing = false;
    for (const [x, y] of missing.sort((a, b) => fromMiddle(a) - fromMiddle(b))) {
      const chunk = this.#chunk(x, y, resolution, performance.now() < until);
      if (chunk) drawChunk(chunk, x, y);
      else this.#drawInstead(context, x, y, resolution, place(x, y));
      isMissing ||= !chunk;
    }
    return isMissing;
  }

  /** Draws a chunk that is not there yet in another size, or else a pixel for each tile. */
  #drawInstead(
    context: Context,
    x: number,
    y: number,
    resolution: number,
    to: readonly [x: number, y: number, width: number, height: number],
  ): void {
    const others = [...resolutions.keys()].sort((a, b) => Math.abs(a - resolution) - Math.abs(b - resolution));
    for (const other of others) {
      const chunk = this.#chunk(x, y, other, false);
      if (!chunk) continue;
      if (chunk.canvas) context.drawImage(chunk.canvas, ...to);
      return;
    }
    const [fromX, across] = part(x * chunkTiles, this.width);
    const [fromY, down] = part(y * chunkTiles, this.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#coarse, fromX, fromY, across, down, ...to);
    context.imageSmoothingEnabled = true;
  }

  /** Draws the picture with a pixel for each tile, and around it its outermost pixels. */
  #drawCoarse(context: Context, left: number, top: number, perTile: number, camera: Camera): void {
    const { width, height } = this;
    const right = left + width * perTile;
    const bottom = top + height * perTile;
    const columns = [
      [0, 1, 0, left],
      [0, width, left, right],
      [width - 1, 1, right, camera.width],
    ] as const;
    const rows = [
      [0, 1, 0, top],
      [0, height, top, bottom],
      [height - 1, 1, bottom, camera.height],
    ] as const;
    for (const [x, across, x0, x1] of columns)
      for (const [y, down, y0, y1] of rows)
        if (x1 > x0 && y1 > y0) context.drawImage(this.#coarse, x, y, across, down, x0, y0, x1 - x0, y1 - y0);
  }

  /**
   * A chunk by its column and row; beyond an edge, all are like the first one there.
   * @param makes whether it is made if it is not there
   */
  #chunk(column: number, row: number, resolution: number, makes: boolean): Chunk | undefined {
    const x = Math.max(-1, Math.min(Math.ceil(this.width / chunkTiles), column));
    const y = Math.max(-1, Math.min(Math.ceil(this.height / chunkTiles), row));
    const key = ((y + 1) * 4096 + x + 1) * resolutions.length + resolution;
    let chunk = this.chunks.get(key);
    if (!chunk && makes) {
      chunk = { canvas: this.#makeChunk(x * chunkTiles, y * chunkTiles, resolutions[resolution]!), usedAt: 0 };
      this.chunks.set(key, chunk);
    }
    if (chunk) chunk.usedAt = performance.now();
    return chunk;
  }

  /** Undefined if no tile is in it. */
  #makeChunk(left: number, top: number, size: number): HTMLCanvasElement | undefined {
    let canvas: HTMLCanvasElement | undefined;
    let context: Context | undefined;
    for (const layer of this.#layers) {
      const image = this.#imageOf(layer);
      const from = image && image.width / perRow;
      for (let y = top; y < top + chunkTiles; y++)
        for (let x = left; x < left + chunkTiles; x++) {
          const i = within(y, layer.height) * layer.width + within(x, layer.width);
          const tile = layer.tiles[i]!;
          if (tile === 0) continue;
          canvas ??= canvasOf(chunkTiles * size, chunkTiles * size);
          context ??= canvas.getContext('2d')!;
          context.globalAlpha = layer.colour[3] / 255;
          const atX = (x - left) * size;
          const atY = (y - top) * size;
          if (!image || !from) {
            if (layer.image !== undefined) continue;
            context.fillStyle = cssOf(layer.colour);
            context.fillRect(atX, atY, size, size);
            continue;
          }
          turn(context, layer.flags[i]!, atX, atY, size);
          const column = tile % perRow;
          const row = Math.floor(tile / perRow);
          context.drawImage(image, column * from, row * from, from, from, 0, 0, size, size);
        }
      context?.setTransform(1, 0, 0, 1, 0, 0);
    }
    return canvas;
  }
}

/** A chunk in the size that it has in the window. Those beyond the edges of a layer differ by a pixel. */
function fittedOf(chunk: Chunk, width: number, height: number): HTMLCanvasElement | undefined {
  const { canvas, fitted } = chunk;
  if (!canvas) return undefined;
  const across = Math.round(width * devicePixelRatio);
  const down = Math.round(height * devicePixelRatio);
  if (fitted && Math.abs(fitted.width - across) < 2 && Math.abs(fitted.height - down) < 2) return fitted;
  chunk.fitted = canvasOf(across, down);
  chunk.fitted.getContext('2d')!.drawImage(canvas, 0, 0, across, down);
  return chunk.fitted;
}

const within = (at: number, size: number) => Math.max(0, Math.min(size - 1, at));

/** The pixels of a chunk in the picture with a pixel for each tile; beyond an edge the last one. */
function part(from: number, size: number): [from: number, count: number] {
  const start = within(from, size);
  return [start, Math.max(1, Math.min(size, from + chunkTiles) - start)];
}

/**
 * Moves the origin to a tile that is mirrored (1 from left to right, 2 from top to bottom) and then turned to the right
 * (8).
 */
function turn(context: Context, flags: number, x: number, y: number, size: number): void {
  const mirrorX = flags & 1 ? -1 : 1;
  const mirrorY = flags & 2 ? -1 : 1;
  const half = size / 2;
  // The columns of the matrix are where x and y of the tile's image go.
  if (flags & 8) context.setTransform(0, mirrorX, -mirrorY, 0, x + half + half * mirrorY, y + half - half * mirrorX);
  else context.setTransform(mirrorX, 0, 0, mirrorY, x + half - half * mirrorX, y + half - half * mirrorY);
}

/** The mean colour of each tile of an image, as a pixel; without an image the layer's own. */
function meanColours(image: Source | undefined, { colour, image: number }: TileLayer): Uint32Array {
  const pixels = new Uint32Array(perRow * perRow);
  if (!image) return number === undefined ? pixels.fill(pixelOf(colour)) : pixels;
  const canvas = canvasOf(perRow, perRow);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, perRow, perRow);
  return new Uint32Array(context.getImageData(0, 0, perRow, perRow).data.buffer);
}

const pixelOf = ([red, green, blue]: TileLayer['colour']) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
const cssOf = ([red, green, blue]: readonly number[]) => `rgb(${red} ${green} ${blue})`;

/** Where the origin of a group is in the window, and its pixels per unit. */
interface QuadPlace {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

interface DrawnGroup {
  readonly group: MapGroup;
  readonly parts: readonly (TileRun | QuadLayer)[];
}

/** The layers of a map behind and in front of the match. */
export class DesignPicture {
  readonly #images: readonly (Source | undefined)[];
  readonly #envelopes: MapDesign['envelopes'];
  readonly #tinted = new Map<string, HTMLCanvasElement>();
  #tintedPixels = 0;
  readonly #behind: DrawnGroup[] = [];
  readonly #inFront: DrawnGroup[] = [];

  private constructor(design: MapDesign, images: readonly (Source | undefined)[]) {
    this.#images = images;
    this.#envelopes = design.envelopes;
    const tiles = design.groups.flatMap(({ layers }) => layers.filter((layer) => layer.kind === 'tiles'));
    this.hasGaps = tiles.length === 0 || tiles.some(({ image }) => image !== undefined && !images[image]);
    const game = design.groups.findIndex((group) => group.game !== undefined);
    for (const [i, group] of design.groups.entries()) {
      const at = game < 0 || i < game ? group.layers.length : i === game ? group.game! : 0;
      this.#behind.push({ group, parts: this.#partsOf(group.layers.slice(0, at)) });
      this.#inFront.push({ group, parts: this.#partsOf(group.layers.slice(at)) });
    }
  }

  /**
   * Decodes the images.
   * @param pictures those that are not in the map
   *
   * One that is damaged is left out, with the tiles and quads that need it. */
  static async load(design: MapDesign, pictures: readonly NamedPicture[] = []): Promise<DesignPicture> {
    const pngOf = (name: string) => pictures.find((picture) => picture.name === name)?.png;
    return new DesignPicture(
      design,
      await Promise.all(design.images.map((image) => sourceOf(image, pngOf(image.name)))),
    );
  }

  /** Whether the image of a layer of tiles is not there, so that walls would be missing. */
  readonly hasGaps: boolean;

  /**
   * Draws what is behind or in front of the match.
   * @param seconds since the match began, by which it moves
   * @returns whether some of it is still coarse
   */
  draw(context: Context, camera: Camera, isInFront: boolean, seconds: number): boolean {
    const until = performance.now() + buildMilliseconds;
    const { width, height } = camera;
    const usual = width / gameView(width / height).width;
    let isCoarse = false;
    for (const { group, parts } of isInFront ? this.#inFront : this.#behind) {
      if (parts.length === 0) continue;
      context.save();
      clip(context, camera, group);
      const { offset, parallax } = group;
      const [middleX, middleY] = camera.toPlane(width / 2, height / 2);
      const share = shareOf(Math.max(...parallax) / 100);
      const scale = 1 / (share / camera.scale + (1 - share) / usual);
      const left = width / 2 - (offset[0] + (middleX * parallax[0]) / 100) * scale;
      const top = height / 2 - (offset[1] + (middleY * parallax[1]) / 100) * scale;
      for (const part of parts) {
        if (part instanceof TileRun) {
          context.globalAlpha = shareOf(this.#valuesOf(part.colouring, seconds)?.[3] ?? 1);
          isCoarse = part.draw(context, left, top, unitsPerTile * scale, camera, until) || isCoarse;
          context.globalAlpha = 1;
        } else this.#drawQuads(context, part, { left, top, scale, width, height }, seconds);
      }
      context.restore();
    }
    this.#forget();
    return isCoarse;
  }

  #partsOf(layers: MapGroup['layers']): (TileRun | QuadLayer)[] {
    const parts: (TileRun | QuadLayer)[] = [];
    let run: TileLayer[] = [];
    const end = () => {
      if (run.length > 0) parts.push(new TileRun(run, (layer) => this.#tint(layer.image, layer.colour)));
      run = [];
    };
    for (const layer of layers) {
      if (layer.kind === 'tiles') {
        if (layer.colouring) end();
        if (layer.image === undefined || this.#images[layer.image]) run.push(layer);
        if (layer.colouring) end();
        continue;
      }
      end();
      parts.push(layer);
    }
    end();
    return parts;
  }

  #valuesOf(animation: Animation | undefined, seconds: number): EnvelopeValues | undefined {
    if (!animation) return undefined;
    const envelope = this.#envelopes[animation.envelope];
    return envelope ? envelopeAt(envelope, seconds + animation.offset) : [0, 0, 0, 0];
  }

  /** An image in the colour of its layer. */
  #tint(number: number | undefined, [red, green, blue]: readonly number[]): Source | undefined {
    const image = number === undefined ? undefined : this.#images[number];
    if (!image || (red === 255 && green === 255 && blue === 255)) return image;
    const key = `${number} ${red} ${green} ${blue}`;
    let tinted = this.#tinted.get(key);
    if (!tinted && this.#tintedPixels > maxPixels) return image;
    if (!tinted) {
      this.#tintedPixels += image.width * image.height;
      tinted = multiplied(image, cssOf([red!, green!, blue!]));
      this.#tinted.set(key, tinted);
    }
    return tinted;
  }

  #drawQuads(
    context: Context,
    { image: number, quads }: QuadLayer,
    { left, top, scale, width, height }: QuadPlace,
    seconds: number,
  ) {
    context.imageSmoothingEnabled = true;
    let covered = 0;
    for (const quad of quads) {
      const { texture } = quad;
      const colouring = this.#valuesOf(quad.colouring, seconds);
      const colours = colouring ? colouredBy(quad.colours, colouring) : quad.colours;
      if (Math.max(colours[3]!, colours[7]!, colours[11]!, colours[15]!) === 0) continue;
      const motion = this.#valuesOf(quad.motion, seconds);
      const points = motion ? moved(quad, motion) : quad.points;
      const pixels = points.map((at, i) => at * scale + (i % 2 === 0 ? left : top));
      const xs = pixels.filter((_, i) => i % 2 === 0);
      const ys = pixels.filter((_, i) => i % 2 === 1);
      const seen = seenOf(xs, width) * seenOf(ys, height);
      if (!(seen > 0) || pixels.some((at) => Math.abs(at) > farthest)) continue;
      covered += seen;
      if (covered > maxCovered) return;
      context.beginPath();
      for (const corner of [0, 1, 3, 2]) context.lineTo(xs[corner]!, ys[corner]!);
      context.closePath();
      if (number === undefined) context.fillStyle = gradient(context, xs, ys, colours);
      else {
        const fill = this.#texture(context, number, xs, ys, colours, texture);
        if (!fill) continue;
        context.fillStyle = fill;
        context.globalAlpha = meanOf(colours, 3) / 255;
      }
      context.fill();
      context.globalAlpha = 1;
    }
  }

  /** The image as it lies on a quad: where its corners are, the affine map of the first three of them. */
  #texture(
    context: Context,
    number: number,
    xs: number[],
    ys: number[],
    colours: readonly number[],
    uv: readonly number[],
  ) {
    const image = this.#tint(
      number,
      [0, 1, 2].map((channel) => Math.round(meanOf(colours, channel))),
    );
    if (!image) return undefined;
    const [u, v] = [uv.filter((_, i) => i % 2 === 0), uv.filter((_, i) => i % 2 === 1)].map((all, i) =>
      all.map((share) => share * (i === 0 ? image.width : image.height)),
    ) as [number[], number[]];
    const u1 = u[1]! - u[0]!;
    const v1 = v[1]! - v[0]!;
    const u2 = u[2]! - u[0]!;
    const v2 = v[2]! - v[0]!;
    const area = u1 * v2 - u2 * v1;
    if (Math.abs(area) < 1e-6) return undefined;
    const x1 = xs[1]! - xs[0]!;
    const y1 = ys[1]! - ys[0]!;
    const x2 = xs[2]! - xs[0]!;
    const y2 = ys[2]! - ys[0]!;
    const a = (x1 * v2 - x2 * v1) / area;
    const b = (y1 * v2 - y2 * v1) / area;
    const c = (x2 * u1 - x1 * u2) / area;
    const d = (y2 * u1 - y1 * u2) / area;
    const pattern = context.createPattern(image, 'repeat');
    pattern?.setTransform(new DOMMatrix([a, b, c, d, xs[0]! - a * u[0]! - c * v[0]!, ys[0]! - b * u[0]! - d * v[0]!]));
    return pattern;
  }

  #forget(): void {
    const runs = [...this.#behind, ...this.#inFront].flatMap(({ parts }) =>
      parts.filter((part) => part instanceof TileRun),
    );
    const size = ({ canvas, fitted }: Chunk) => (canvas?.width ?? 0) ** 2 + (fitted?.width ?? 0) ** 2;
    let pixels = 0;
    for (const run of runs) for (const chunk of run.chunks.values()) pixels += size(chunk);
    if (pixels <= maxPixels) return;
    const all = runs.flatMap((run) => [...run.chunks].map(([key, chunk]) => ({ run, key, chunk })));
    for (const { run, key, chunk } of all.sort((a, b) => a.chunk.usedAt - b.chunk.usedAt)) {
      if (pixels <= maxPixels / 2) break;
      pixels -= size(chunk);
      run.chunks.delete(key);
    }
  }
}

function clip(context: Context, camera: Camera, group: MapGroup): void {
  if (!group.clip) return;
  const [x, y, width, height] = group.clip;
  context.beginPath();
  context.rect(...camera.toPixels(x, y), width * camera.scale, height * camera.scale);
  context.clip();
}

/** The share of a side of the window that is between the least and the greatest of some places on it. */
const seenOf = (places: readonly number[], side: number) =>
  (Math.min(side, Math.max(...places)) - Math.max(0, Math.min(...places))) / side;

const shareOf = (value: number) => Math.max(0, Math.min(1, value));

/** The colours of a quad in those of its envelope: in few steps, for each one makes a picture of its own. */
function colouredBy(colours: readonly number[], by: EnvelopeValues): number[] {
  return colours.map((value, i) => {
    const product = value * shareOf(by[i & 3]!);
    return i % 4 === 3 ? product : Math.round(product / colourStep) * colourStep;
  });
}

/** The corners of a quad, moved and turned. */
function moved({ points, pivot: [middleX, middleY] }: Quad, [dx, dy, degrees]: EnvelopeValues): number[] {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  return [0, 2, 4, 6].flatMap((i) => {
    const x = points[i]! - middleX;
    const y = points[i + 1]! - middleY;
    return [x * cos - y * sin + middleX + dx, x * sin + y * cos + middleY + dy];
  });
}

const meanOf = (colours: readonly number[], channel: number) =>
  [0, 1, 2, 3].reduce((sum, corner) => sum + colours[4 * corner + channel]!, 0) / 4;

/** The colours of a quad without an image, from its upper edge to its lower one. */
function gradient(context: Context, xs: readonly number[], ys: readonly number[], colours: readonly number[]) {
  const of = (a: number, b: number) => {
    const mean = [0, 1, 2, 3].map((channel) => (colours[4 * a + channel]! + colours[4 * b + channel]!) / 2);
    return `rgb(${mean[0]} ${mean[1]} ${mean[2]} / ${mean[3]! / 255})`;
  };
  const middle = (at: readonly number[], a: number, b: number) => (at[a]! + at[b]!) / 2;
  const line = context.createLinearGradient(middle(xs, 0, 1), middle(ys, 0, 1), middle(xs, 2, 3), middle(ys, 2, 3));
  line.addColorStop(0, of(0, 1));
  line.addColorStop(1, of(2, 3));
  return line;
}

/** The pixels of an image; undefined if it is not there, or damaged. */
async function sourceOf({ width, height, pixels }: MapImage, png: Uint8Array | undefined): Promise<Source | undefined> {
  if (!pixels && png) return imageOf(png);
  if (!pixels) return undefined;
  const canvas = canvasOf(width, height);
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
  return canvas;
}
