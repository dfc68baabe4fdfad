import type { Path } from '../paths.ts';
import { Camera } from './camera.ts';
import type { DrawnItem } from './drawn-item.ts';
import { drawGrid } from './grid.ts';
import { circle, drawSign, radiusOf, type SignContext } from './item-signs.ts';
import type { MapPicture } from './map-picture.ts';
import type { PlayerLook } from './skin-colours.ts';
import { drawTrail, drawWholePath } from './trails.ts';

/** If the picture shows more players than this, names are only drawn when it is zoomed in. */
const maxNames = 12;
/** The length of the drawn trails in ticks: five seconds, or one second if there are many players. */
const longTrail = 250;
const crowdTrail = 50;
/** The maximum distance in pixels between a sign and a click that selects it. */
const reach = 6;

/** The content of one frame. */
export interface PlaneContent {
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
