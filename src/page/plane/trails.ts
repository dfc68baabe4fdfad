import type { Path } from '../paths.ts';
import type { Camera } from './camera.ts';

/** Draws the path of a player in the last seconds before a tick. */
export function drawTrail(
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
export function drawWholePath(
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
