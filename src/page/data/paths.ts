import { unitsPerTile } from './character-core.ts';
import { lastUpTo } from './marks.ts';

/** A longer step, in units, is not drawn, because it means that the player died or was teleported. */
const longestStep = 12 * unitsPerTile;

/** The path of a player. `points` is `x y x y …` in units; `ticks` has the tick of each point. */
export class Path {
  readonly client: number;
  readonly points: number[] = [];
  readonly ticks: number[] = [];
  /** The indices of the points that begin a line. */
  readonly begins = new Set<number>();
  #lastSeen = Number.NaN;

  constructor(client: number) {
    this.client = client;
  }

  /**
   * Adds a point unless it equals the last one.
   * @param number that of the snapshot: a line begins if the one before did not have the player
   */
  add(x: number, y: number, tick: number, number: number): void {
    const { points, ticks } = this;
    const isAgain = this.#lastSeen !== number - 1;
    this.#lastSeen = number;
    const lastX = points[points.length - 2] ?? Number.NaN;
    const lastY = points[points.length - 1] ?? Number.NaN;
    if (!isAgain && x === lastX && y === lastY) return;
    if (isAgain || Math.hypot(x - lastX, y - lastY) > longestStep) this.begins.add(ticks.length);
    points.push(x, y);
    ticks.push(tick);
  }

  /** The last place up to a tick. */
  placeAt(tick: number): { readonly x: number; readonly y: number } | undefined {
    const i = 2 * this.at(tick);
    return i < 0 ? undefined : { x: this.points[i]!, y: this.points[i + 1]! };
  }

  /** The index of the last point at or before a tick; -1 before the first. */
  at(tick: number): number {
    return lastUpTo(this.ticks.length, (i) => this.ticks[i]!, tick);
  }
}
