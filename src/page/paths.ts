import { ItemFields } from '../events/item-fields.ts';
import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import { PlayerNames } from '../recording/player-names.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Where a player went: points in units, `x y x y …`, and the tick of each. */
export class Path {
  readonly client: number;
  name: string | undefined;
  readonly points: number[] = [];
  readonly ticks: number[] = [];
  /** Indices of points that no line leads to. */
  readonly begins = new Set<number>();
  /** First and last ticks of the times in sight. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(client: number) {
    this.client = client;
  }

  /** Adds a point, where it is another. */
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

  /** Index of the last point at or before a tick, -1 before the first. */
  at(tick: number): number {
    return lastUpTo(this.ticks, tick);
  }

  /** Whether it was in sight at a tick. */
  isThere(tick: number): boolean {
    return tick <= (this.#to[lastUpTo(this.#from, tick)] ?? -1);
  }
}

/** A step that is longer than this, in units, is none: somebody died, or was teleported. */
const longestStep = 32 * 12;
/** Snapshots between two looks for names. */
const namesEvery = 25;

/** Follows the characters of snapshots that come one after the other. */
export class Paths {
  readonly #protocol: Protocol;
  readonly #characters: ItemFields<'x' | 'y'>;
  readonly #names = new PlayerNames();
  readonly #byClient = new Map<number, Path>();
  /** The snapshot in which each was seen last. */
  readonly #seen = new Map<number, number>();
  #snapshots = 0;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#characters = new ItemFields(protocol, 'obj_character', ['x', 'y']);
  }

  /** In the order of the clients' numbers. */
  get all(): Path[] {
    return [...this.#byClient.values()].sort((a, b) => a.client - b.client);
  }

  hear(message: Message): void {
    this.#names.onMessage(message);
  }

  see(tick: number, snapshot: Snapshot): void {
    const number = this.#snapshots++;
    if (number % namesEvery === 0) this.#names.onSnapshot(snapshot, this.#protocol);
    for (const i of this.#characters.all(snapshot)) {
      const client = snapshot.id(i);
      const path = this.#of(client);
      const isAgain = this.#seen.get(client) !== number - 1;
      this.#seen.set(client, number);
      path.name = this.#names.of(client) || path.name;
      path.add(this.#characters.get(snapshot, i, 'x'), this.#characters.get(snapshot, i, 'y'), tick, isAgain);
    }
  }

  #of(client: number): Path {
    let path = this.#byClient.get(client);
    if (!path) {
      path = new Path(client);
      this.#byClient.set(client, path);
    }
    return path;
  }
}

/** Index of the last of ascending numbers that is not above a value, -1 where all are. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
