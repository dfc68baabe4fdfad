export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The center of the visible part in units, and the pixels per unit. */
export type Place = readonly [x: number, y: number, scale: number];

/** The area that the games show, in square units, and the most of both sides. */
const viewArea = 1150 * 1000;
const maxWidth = 1500;
const maxHeight = 1050;

/**
 * What the games show of the map in a window, in units.
 *
 * @param aspect the window's width in multiples of its height
 *
 * Source: `CalcScreenParams` in `src/game/client/render_map.cpp`.
 */
export function gameView(aspect: number): Pick<Box, 'width' | 'height'> {
  const most = Math.min(Math.sqrt(viewArea / aspect), maxHeight, maxWidth / aspect);
  return { width: most * aspect, height: most };
}

/** The maximum number of pixels per unit. A tile then has 96 pixels. */
const maxScale = 3;
/** The share of the picture that may lie outside the plane. */
const margin = 0.06;

export class Camera {
  width = 1;
  height = 1;
  /** The whole plane, which limits how far the picture moves and zooms out. */
  all: Box = { x: 0, y: 0, width: 1, height: 1 };
  #x = 0;
  #y = 0;
  #scale = 1;

  get scale(): number {
    return this.#scale;
  }

  get isWhole(): boolean {
    return this.#scale === this.#minScale;
  }

  /** The visible part as a link has it; undefined for all of the plane. */
  get place(): Place | undefined {
    return this.isWhole ? undefined : [this.#x, this.#y, this.#scale];
  }

  set place(place: Place | undefined) {
    const { x, y, width, height } = this.all;
    this.#x = x + width / 2;
    this.#y = y + height / 2;
    this.#scale = this.#minScale;
    if (!place) return;
    this.zoom(place[2] / this.#scale);
    this.center(place[0], place[1]);
  }

  /** Centers the picture on a point, in units, as far as the plane's edges allow. */
  center(x: number, y: number): void {
    const { all } = this;
    const halfX = this.width / 2 / this.#scale;
    const halfY = this.height / 2 / this.#scale;
    this.#x = within(x, all.x, all.width, halfX);
    this.#y = within(y, all.y, all.height, halfY);
  }

  move(dx: number, dy: number): void {
    this.center(this.#x - dx / this.#scale, this.#y - dy / this.#scale);
  }

  /** Multiplies the scale and keeps the point at these pixels in its position. */
  zoom(factor: number, atX = this.width / 2, atY = this.height / 2): void {
    const [x, y] = this.toPlane(atX, atY);
    const least = this.#minScale;
    this.#scale = Math.max(least, Math.min(this.#scale * factor, Math.max(maxScale, least)));
    if (this.isWhole) this.place = undefined;
    else this.center(x - (atX - this.width / 2) / this.#scale, y - (atY - this.height / 2) / this.#scale);
  }

  /**
   * Shows a box and a margin around it, in units, at least as much as `least`, and never more than the whole plane and
   * its margin.
   */
  showBox({ x, y, width, height }: Box, least: Pick<Box, 'width' | 'height'>, margin = 0): void {
    const across = this.width / Math.max(least.width, width + 2 * margin);
    const down = this.height / Math.max(least.height, height + 2 * margin);
    this.zoom(Math.min(across, down) / this.#scale);
    this.center(x + width / 2, y + height / 2);
  }

  toPixels(x: number, y: number): [x: number, y: number] {
    return [this.width / 2 + (x - this.#x) * this.#scale, this.height / 2 + (y - this.#y) * this.#scale];
  }

  toPlane(x: number, y: number): [x: number, y: number] {
    return [this.#x + (x - this.width / 2) / this.#scale, this.#y + (y - this.height / 2) / this.#scale];
  }

  get #minScale(): number {
    const { width, height } = this.all;
    return Math.min(this.width / width, this.height / height) * (1 - margin);
  }
}

/** The center nearest to `value` that leaves no more than the margin empty. */
function within(value: number, start: number, length: number, half: number): number {
  const low = start - 2 * half * margin + half;
  const high = start + length + 2 * half * margin - half;
  return low > high ? start + length / 2 : Math.max(low, Math.min(value, high));
}
