import { printable } from '../view/text/escape.ts';
import { shortened } from '../view/text/line-wrapping.ts';
import type { Path } from './paths.ts';

const unitsPerTile = 32;
/** Ticks of a path that are drawn strongly: the last five seconds. */
const recentTicks = 250;
/** With more players than this, names would hide each other. */
const maxNames = 10;
const margin = 26;
const lowest = 170;
const highest = 470;
const tileSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const font = '11px ui-sans-serif, system-ui, sans-serif';

/** Draws paths on a canvas. The part that does not depend on the tick is drawn once. */
export class PlaneDrawing {
  readonly #canvas: HTMLCanvasElement;
  readonly #still = document.createElement('canvas');
  #isStale = true;
  #paths: readonly Path[] = [];
  #order = new Map<number, number>();
  #width = 300;
  #height = 200;
  /** The visible part of the plane, in units. */
  #box = { x: 0, y: 0, width: 1, height: 1 };
  /** The client whose path is highlighted. */
  #lit: number | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  set lit(client: number | undefined) {
    if (client === this.#lit) return;
    this.#lit = client;
    this.#isStale = true;
  }

  open(paths: readonly Path[]): void {
    this.#paths = paths;
    this.#order = new Map(paths.map(({ client }, place) => [client, place]));
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { points } of paths) {
      for (let i = 0; i < points.length; i += 2) {
        left = Math.min(left, points[i]!);
        right = Math.max(right, points[i]!);
        top = Math.min(top, points[i + 1]!);
        bottom = Math.max(bottom, points[i + 1]!);
      }
    }
    const pad = 2 * unitsPerTile;
    this.#box = { x: left - pad, y: top - pad, width: right - left + 2 * pad, height: bottom - top + 2 * pad };
    this.resize(this.#width);
  }

  /** Sets the width, and a height that fits the visible part. */
  resize(width: number): void {
    const { width: units, height: unitsHigh } = this.#box;
    const height = Math.round(
      Math.max(lowest, Math.min(((width - 2 * margin) * unitsHigh) / units + 2 * margin, highest)),
    );
    this.#width = width;
    this.#height = height;
    for (const canvas of [this.#canvas, this.#still]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
    }
    this.#canvas.style.height = `${height}px`;
    this.#isStale = true;
  }

  repaint(): void {
    this.#isStale = true;
  }

  colorOf({ client }: Path): string {
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const place = this.#order.get(client) ?? 0;
    // Multiples of the golden angle are far apart for any number of players.
    const hue = (212 + place * 137.5) % 360;
    return isDark ? `hsl(${hue} 70% 68%)` : `hsl(${hue} 65% 40%)`;
  }

  /** The position of a player at a tick; if the player is not visible, the last one, with `isThere` false. */
  locate(path: Path, tick: number): { readonly x: number; readonly y: number; readonly isThere: boolean } | undefined {
    const at = path.at(tick);
    if (at < 0) return undefined;
    const isThere = path.isThere(tick);
    return { x: path.points[2 * at]!, y: path.points[2 * at + 1]!, isThere };
  }

  draw(tick: number, color: (name: string) => string): void {
    if (this.#paths.length === 0) return;
    if (this.#isStale) this.#drawStill(color);
    const context = this.#begin(this.#canvas);
    context.drawImage(this.#still, 0, 0, this.#width, this.#height);
    for (const path of this.#paths) this.#drawRecent(context, path, tick);
    const there = this.#paths.filter((path) => this.locate(path, tick)?.isThere);
    for (const path of there) this.#drawPlayer(context, path, tick, color, there.length <= maxNames);
  }

  #drawStill(color: (name: string) => string): void {
    this.#isStale = false;
    const context = this.#begin(this.#still);
    this.#drawGrid(context, color);
    for (const path of this.#paths) {
      const isLit = this.#lit === path.client;
      const isCrowd = this.#paths.length > maxNames;
      context.globalAlpha = isLit
        ? 0.9
        : this.#lit === undefined && !isCrowd
          ? 0.4
          : this.#lit === undefined
            ? 0.16
            : 0.06;
      this.#stroke(context, path, 0, path.ticks.length, 1);
    }
    context.globalAlpha = 1;
  }

  #drawRecent(context: CanvasRenderingContext2D, path: Path, tick: number): void {
    const from = Math.max(0, path.at(tick - recentTicks));
    context.globalAlpha = this.#lit === undefined || this.#lit === path.client ? 1 : 0.15;
    this.#stroke(context, path, from, path.at(tick) + 1, 2);
    context.globalAlpha = 1;
  }

  #drawPlayer(
    context: CanvasRenderingContext2D,
    path: Path,
    tick: number,
    color: (name: string) => string,
    isNamed: boolean,
  ): void {
    const place = this.locate(path, tick)!;
    const [x, y] = this.#point(place.x, place.y);
    const isLit = this.#lit === path.client;
    context.fillStyle = this.colorOf(path);
    context.strokeStyle = color('--panel');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, isLit ? 6 : 4.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    if (!isNamed && !isLit) return;
    const name = shortened(printable(path.name ?? `player ${path.client}`), 24);
    context.font = font;
    context.textAlign = x > this.#width * 0.8 ? 'right' : 'left';
    const to = x + (x > this.#width * 0.8 ? -9 : 9);
    context.lineWidth = 3;
    context.strokeText(name, to, y + 4);
    context.fillText(name, to, y + 4);
  }

  #stroke(context: CanvasRenderingContext2D, path: Path, from: number, to: number, width: number): void {
    const { points, begins } = path;
    context.strokeStyle = this.colorOf(path);
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.beginPath();
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let i = from; i < to; i++) {
      const [x, y] = this.#point(points[2 * i]!, points[2 * i + 1]!);
      const isBegin = i === from || begins.has(i);
      // Steps too small to be visible are left out.
      if (!isBegin && i < to - 1 && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7) continue;
      if (isBegin) context.moveTo(x, y);
      else context.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    context.stroke();
  }

  #drawGrid(context: CanvasRenderingContext2D, color: (name: string) => string): void {
    const { x, y, width, height } = this.#box;
    const perTile = this.#scale * unitsPerTile;
    const step = tileSteps.find((tiles) => tiles * perTile >= 44) ?? tileSteps.at(-1)!;
    context.font = font;
    context.fillStyle = color('--dim');
    context.strokeStyle = color('--line');
    context.lineWidth = 1;
    const [left, top] = this.#point(x, y);
    const [right, bottom] = this.#point(x + width, y + height);
    const tiles = (from: number, length: number) => {
      const first = Math.ceil(from / unitsPerTile / step) * step;
      const count = Math.floor(((from + length) / unitsPerTile - first) / step) + 1;
      return Array.from({ length: count }, (_, i) => first + i * step);
    };
    for (const tile of tiles(x, width)) {
      const at = Math.round(this.#point(tile * unitsPerTile, y)[0]) + 0.5;
      line(context, at, top, at, bottom);
      context.textAlign = 'center';
      context.fillText(String(tile), at, bottom + 14);
    }
    for (const tile of tiles(y, height)) {
      const at = Math.round(this.#point(x, tile * unitsPerTile)[1]) + 0.5;
      line(context, left, at, right, at);
      context.textAlign = 'right';
      context.fillText(String(tile), left - 5, at + 4);
    }
  }

  /** Pixels per unit. */
  get #scale(): number {
    const { width, height } = this.#box;
    return Math.min((this.#width - 2 * margin) / width, (this.#height - 2 * margin) / height);
  }

  #point(x: number, y: number): [number, number] {
    const { x: left, y: top, width, height } = this.#box;
    const scale = this.#scale;
    const [spareX, spareY] = [this.#width - scale * width, this.#height - scale * height];
    return [spareX / 2 + (x - left) * scale, (spareY - margin / 2) / 2 + (y - top) * scale];
  }

  #begin(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const context = canvas.getContext('2d')!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    return context;
  }
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
