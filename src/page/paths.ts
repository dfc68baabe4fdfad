import { getOr } from '../bytes/get-or.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Characters, unitsPerTile } from './characters.ts';
import { lastUpTo } from './ticks.ts';

/** The path of a player. `points` is `x y x y …` in units; `ticks` has the tick of each point. */
export class Path {
  readonly client: number;
  readonly points: number[] = [];
  readonly ticks: number[] = [];
  /** The indices of the points that begin a line. */
  readonly begins = new Set<number>();
  /** The first and last tick of each period in which the player was visible. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(client: number) {
    this.client = client;
  }

  /** Adds a point unless it equals the last one. `isAgain` begins a new period of visibility. */
  add(x: number, y: number, tick: number, isAgain: boolean): void {
    const { points, ticks } = this;
    const lastX = points[points.length - 2] ?? Number.NaN;
    const lastY = points[points.length - 1] ?? Number.NaN;
    if (isAgain) {
      this.#from.push(tick);
      this.#to.push(tick);
    } else this.#to[this.#to.length - 1] = tick;
    if (!isAgain && x === lastX && y === lastY) return;
    if (isAgain || Math.hypot(x - lastX, y - lastY) > longestStep) this.begins.add(ticks.length);
    points.push(x, y);
    ticks.push(tick);
  }

  /** The index of the last point at or before a tick; -1 before the first. */
  at(tick: number): number {
    return lastUpTo(this.ticks.length, (i) => this.ticks[i]!, tick);
  }

  isThere(tick: number): boolean {
    return tick <= (this.#to[lastUpTo(this.#from.length, (i) => this.#from[i]!, tick)] ?? -1);
  }
}

/** A longer step, in units, is not drawn, because it means that the player died or was teleported. */
const longestStep = 12 * unitsPerTile;

/** Collects the paths of the characters in successive snapshots. */
export class Paths {
  readonly #characters: Characters;
  readonly #byClient = new Map<number, Path>();
  /** The number of the last snapshot in which each client had a character. */
  readonly #lastSeen = new Map<number, number>();
  #snapshots = 0;

  constructor(characters: Characters) {
    this.#characters = characters;
  }

  get all(): Path[] {
    return [...this.#byClient.values()].sort((a, b) => a.client - b.client);
  }

  addSnapshot(tick: number, snapshot: Snapshot): void {
    const number = this.#snapshots++;
    for (const i of this.#characters.all(snapshot)) {
      const client = snapshot.id(i);
      const path = getOr(this.#byClient, client, () => new Path(client));
      const isAgain = this.#lastSeen.get(client) !== number - 1;
      this.#lastSeen.set(client, number);
      const { x, y } = this.#characters.at(snapshot, i, tick).core;
      path.add(x, y, tick, isAgain);
    }
  }
}
