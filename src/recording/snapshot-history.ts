import { Snapshot } from '../snapshot/snapshot.ts';

/** The last snapshots of a client by tick. Old ones are reused, so that no memory is allocated in the long run. */
export class SnapshotHistory {
  readonly #ticks: number;
  readonly #byTick = new Map<number, Snapshot>();
  readonly #spare: Snapshot[] = [];
  /** Snapshots that belong to several ticks, and are never reused. */
  readonly #shared = new WeakSet<Snapshot>();
  #newest = -1;

  /** @param ticks how long snapshots are kept */
  constructor(ticks: number) {
    this.#ticks = ticks;
  }

  /** The oldest tick that is kept. */
  get oldest(): number {
    return this.#newest - this.#ticks;
  }

  /** All snapshots that are kept, in the order in which they were added. */
  [Symbol.iterator](): Iterator<readonly [tick: number, snapshot: Snapshot]> {
    return this.#byTick.entries();
  }

  get(tick: number): Snapshot | undefined {
    return this.#byTick.get(tick);
  }

  /** A snapshot to be filled. It can be returned again unless it is kept. */
  spare(): Snapshot {
    if (this.#spare.length === 0) this.#spare.push(new Snapshot());
    return this.#spare.at(-1)!;
  }

  keep(tick: number, snapshot: Snapshot): void {
    if (this.#spare.at(-1) === snapshot) this.#spare.pop();
    else this.#shared.add(snapshot);
    this.#byTick.set(tick, snapshot);
    this.#newest = Math.max(this.#newest, tick);
  }

  clear(): void {
    this.#byTick.clear();
    this.#newest = -1;
  }

  /** Drops snapshots that are too old. */
  forgetOld(): void {
    const { oldest } = this;
    for (const [tick, snapshot] of this.#byTick) {
      if (tick >= oldest) break;
      this.#byTick.delete(tick);
      if (!this.#shared.has(snapshot)) this.#spare.push(snapshot);
    }
  }
}
