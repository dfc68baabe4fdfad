import type { Camera } from './camera.ts';
import { line } from './item-signs.ts';
import { unitsPerTile } from './map-picture.ts';

const tileSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
/** The minimum distance between two lines in pixels. */
const leastStep = 52;
const font = '11px ui-sans-serif, system-ui, sans-serif';

/** Draws grid lines at whole numbers of tiles, and their numbers at the edges of the picture. */
export function drawGrid(context: CanvasRenderingContext2D, camera: Camera, color: (name: string) => string): void {
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
