/** A rectangle of the plane, in units. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The most pixels for a unit: a tile then has 96 pixels. */
const maxScale = 3;
/** How much of the picture may be outside of the plane, as a share of the picture. */
const margin = 0.06;

/** The part of the plane that is visible: its center, and how many pixels a unit has. */
export class Camera {
  width = 1;
  height = 1;
  #all: Box = { x: 0, y: 0, width: 1, height: 1 };
  #x = 0;
  #y = 0;
  #scale = 1;
  #isWhole = true;

  /** Pixels for each unit. */
  get scale(): number {
    return this.#scale;
  }

  /** Whether all of the plane is visible. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** What there is to see. */
  set all(box: Box) {
    this.#all = box;
    if (this.#isWhole) this.showAll();
  }

  get all(): Box {
    return this.#all;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    if (this.#isWhole) this.showAll();
    else this.#scale = Math.max(this.#leastScale, this.#scale);
  }

  showAll(): void {
    const { x, y, width, height } = this.#all;
    this.#x = x + width / 2;
    this.#y = y + height / 2;
    this.#scale = this.#leastScale;
    this.#isWhole = true;
  }

  /** Moves the center to a point, in units. */
  center(x: number, y: number): void {
    const { all } = this;
    const [halfX, halfY] = [this.width / 2 / this.#scale, this.height / 2 / this.#scale];
    this.#x = within(x, all.x, all.width, halfX);
    this.#y = within(y, all.y, all.height, halfY);
  }

  /** Moves the picture by pixels. */
  move(dx: number, dy: number): void {
    this.center(this.#x - dx / this.#scale, this.#y - dy / this.#scale);
  }

  /** Multiplies the scale; the point at these pixels keeps its place. */
  zoom(factor: number, atX = this.width / 2, atY = this.height / 2): void {
    const [x, y] = this.toPlane(atX, atY);
    const least = this.#leastScale;
    this.#scale = Math.max(least, Math.min(this.#scale * factor, Math.max(maxScale, least)));
    if (this.#scale === least) {
      this.showAll();
      return;
    }
    this.#isWhole = false;
    this.center(x - (atX - this.width / 2) / this.#scale, y - (atY - this.height / 2) / this.#scale);
  }

  /** Zooms so that the picture shows this many units across, unless that is more than all. */
  showUnits(units: number): void {
    this.zoom(this.width / units / this.#scale);
  }

  /** The pixels of a point. */
  toPixels(x: number, y: number): [x: number, y: number] {
    return [this.width / 2 + (x - this.#x) * this.#scale, this.height / 2 + (y - this.#y) * this.#scale];
  }

  /** The point at these pixels. */
  toPlane(x: number, y: number): [x: number, y: number] {
    return [this.#x + (x - this.width / 2) / this.#scale, this.#y + (y - this.height / 2) / this.#scale];
  }

  get #leastScale(): number {
    const { width, height } = this.#all;
    return Math.min(this.width / width, this.height / height) * (1 - margin);
  }
}

/** The center nearest to `value` with which no more of the picture is empty than needed. */
function within(value: number, start: number, length: number, half: number): number {
  const [low, high] = [start - 2 * half * margin + half, start + length + 2 * half * margin - half];
  return low > high ? start + length / 2 : Math.max(low, Math.min(value, high));
}
