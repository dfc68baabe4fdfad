import type { Path } from '../paths.ts';
import { Camera } from './camera.ts';
import type { DrawnItem } from './drawn-items.ts';
import { circle, drawSign, line, radiusOf, type SignContext } from './item-signs.ts';
import { type MapPicture, unitsPerTile } from './map-picture.ts';
import type { PlayerLook } from './skin-colours.ts';

/** If the picture shows more players than this, names are only drawn when it is zoomed in. */
const maxNames = 12;
/** The length of the drawn trails in ticks: five seconds, or one second if there are many players. */
const longTrail = 250;
const crowdTrail = 50;
/** The maximum distance in pixels between a sign and a click that selects it. */
const reach = 6;

/** The content of one frame. */
interface PlaneContent {
  readonly items: readonly DrawnItem[];
  readonly tick: number;
  readonly paths: readonly Path[];
  readonly showsPaths: boolean;
  /** The chosen item. */
  readonly chosen: string | undefined;
  look(client: number): PlayerLook | undefined;
}

/** Draws the map, the trails of players, and all items that have a position. */
export class PlaneDrawing {
  readonly camera = new Camera();
  map: MapPicture | undefined;
  readonly #canvas: HTMLCanvasElement;
  readonly #color: (name: string) => string;
  #items: readonly DrawnItem[] = [];

  constructor(canvas: HTMLCanvasElement, color: (name: string) => string) {
    this.#canvas = canvas;
    this.#color = color;
  }

  resize(width: number, height: number): void {
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(height * devicePixelRatio);
    this.camera.resize(width, height);
  }

  draw(content: PlaneContent): void {
    const { items, paths, tick, chosen, look } = content;
    const { camera } = this;
    this.#items = items;
    const context = this.#canvas.getContext('2d')!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    const color = this.#color;
    this.map?.draw(context, camera, color);
    drawGrid(context, camera, color);
    const colourOf = (client: number) => look(client)?.colour ?? color('--dim');
    const isCrowd = paths.length > maxNames;
    for (const path of paths) {
      if (content.showsPaths) drawWholePath(context, camera, path, colourOf(path.client), isCrowd ? 0.2 : 0.5);
      if (path.isThere(tick))
        drawTrail(context, camera, path, tick, colourOf(path.client), isCrowd ? crowdTrail : longTrail);
    }
    const players = items.filter(({ kind, x, y }) => kind === 'player' && this.#isVisible(x, y));
    const tools: SignContext = {
      context,
      camera,
      isNamed: players.length <= maxNames || camera.scale > 0.5,
      color,
      look: (key) => look(key & 0xffff),
    };
    for (const item of items) drawSign(item, tools);
    const lit = items.find(({ link }) => link === chosen);
    if (!lit) return;
    const [x, y] = camera.toPixels(lit.x, lit.y);
    context.strokeStyle = color('--accent');
    context.lineWidth = 2;
    circle(context, x, y, radiusOf(lit, camera) + 5);
    context.stroke();
  }

  /** The item nearest to these pixels, if one is near enough. */
  itemAt(x: number, y: number): DrawnItem | undefined {
    const { camera } = this;
    let best: DrawnItem | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const item of this.#items) {
      const [itemX, itemY] = camera.toPixels(item.x, item.y);
      const isLine = item.kind === 'laser' && item.toX !== undefined && item.toY !== undefined;
      const from = isLine ? camera.toPixels(item.toX!, item.toY!) : ([itemX, itemY] as const);
      const distance = distanceToLine(x, y, itemX, itemY, ...from) - radiusOf(item, camera);
      // If two items are equally near, the later one is found, because it is drawn on top.
      if (distance > reach || distance > least) continue;
      [best, least] = [item, Math.max(0, distance)];
    }
    return best;
  }

  #isVisible(x: number, y: number): boolean {
    const [atX, atY] = this.camera.toPixels(x, y);
    return atX >= 0 && atY >= 0 && atX <= this.camera.width && atY <= this.camera.height;
  }
}

/** The distance between a point and the line segment between two others. */
function distanceToLine(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

/** Draws the path of a player in the last seconds before a tick. */
function drawTrail(
  context: CanvasRenderingContext2D,
  camera: Camera,
  path: Path,
  tick: number,
  colour: string,
  ticks: number,
): void {
  context.globalAlpha = 0.6;
  strokePath(context, camera, path, Math.max(0, path.at(tick - ticks)), path.at(tick) + 1, colour, 1.6);
  context.globalAlpha = 1;
}

/** Draws a whole path. */
function drawWholePath(
  context: CanvasRenderingContext2D,
  camera: Camera,
  path: Path,
  colour: string,
  alpha: number,
): void {
  context.globalAlpha = alpha;
  strokePath(context, camera, path, 0, path.ticks.length, colour, 1);
  context.globalAlpha = 1;
}

function strokePath(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { points, begins }: Path,
  from: number,
  to: number,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.beginPath();
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (let i = from; i < to; i++) {
    const [x, y] = camera.toPixels(points[2 * i]!, points[2 * i + 1]!);
    const isBegin = i === from || begins.has(i);
    // Steps that are too small to be visible are skipped.
    if (!isBegin && i < to - 1 && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7) continue;
    if (isBegin) context.moveTo(x, y);
    else context.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
  context.stroke();
}

const tileSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
/** The minimum distance between two lines in pixels. */
const leastStep = 52;
const font = '11px ui-sans-serif, system-ui, sans-serif';

/** Draws grid lines at whole numbers of tiles, and their numbers at the edges of the picture. */
function drawGrid(context: CanvasRenderingContext2D, camera: Camera, color: (name: string) => string): void {
  const perTile = camera.scale * unitsPerTile;
  const step = tileSteps.find((tiles) => tiles * perTile >= leastStep) ?? tileSteps.at(-1)!;
  const { all, width, height } = camera;
  const [left, top] = camera.toPlane(0, 0);
  const [right, bottom] = camera.toPlane(width, height);
  context.font = font;
  context.lineWidth = 3;
  const number = (tile: number, x: number, y: number) => {
    context.lineWidth = 3;
    context.strokeStyle = color('--panel');
    context.fillStyle = color('--dim');
    context.strokeText(String(tile), x, y);
    context.fillText(String(tile), x, y);
  };
  context.textAlign = 'center';
  for (const tile of multiples(Math.max(left, all.x), Math.min(right, all.x + all.width), step)) {
    const x = Math.round(camera.toPixels(tile * unitsPerTile, 0)[0]) + 0.5;
    line(context, x, 0, x, height, color('--grid'), 1);
    if (x > 26 && x < width - 12) number(tile, x, height - 5);
  }
  context.textAlign = 'left';
  for (const tile of multiples(Math.max(top, all.y), Math.min(bottom, all.y + all.height), step)) {
    const y = Math.round(camera.toPixels(0, tile * unitsPerTile)[1]) + 0.5;
    line(context, 0, y, width, y, color('--grid'), 1);
    if (y > 12 && y < height - 18) number(tile, 4, y + 4);
  }
}

/** The multiples of `step` tiles between two positions in units. */
function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / unitsPerTile / step) * step;
  const count = Math.floor((to / unitsPerTile - first) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => first + i * step);
}
