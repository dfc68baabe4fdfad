import { Snapshot } from '../snapshot/snapshot.ts';

/** What the bases of all clients of a recording may take together. */
const maxBytes = 96 << 20;
/** Snapshots that one history keeps: a server sends up to 50 in a second, on bases of the last three; and at least these. */
const [maxSnapshots, leastSnapshots] = [400, 8];
/** Ticks before the last base: a server goes back to an older one only where packets came out of order. */
const ticksBeforeBase = 100;
/** Snapshots that wait to be filled anew. */
const maxSpare = 4;
/** A history is silent that was not used while each other one was used this often. */
const silentRounds = 64;

/** Shares the memory for bases between the clients of a recording. */
export class BaseBudget {
  bytes = 0;
  #uses = 0;
  /** The histories that hold something, with their last use, the one that was silent for longest first. */
  readonly #histories = new Map<SnapshotHistory, number>();

  get isExceeded(): boolean {
    return this.bytes > maxBytes;
  }

  /** Whether a history holds more than its part of what there is. */
  isShareExceeded(bytes: number): boolean {
    return this.isExceeded && bytes > maxBytes / this.#histories.size;
  }

  /**
   * A history took more memory. Silent ones give up what they hold where there is too much, and all others where there is far too
   * much.
   */
  onUse(history: SnapshotHistory): void {
    const histories = this.#histories;
    histories.delete(history);
    histories.set(history, ++this.#uses);
    if (!this.isExceeded) return;
    for (const [silent, use] of histories) {
      const isSilent = this.#uses - use > silentRounds * histories.size;
      if (silent === history || !this.isExceeded || (!isSilent && this.bytes < 1.5 * maxBytes)) return;
      silent.clear();
    }
  }

  onClear(history: SnapshotHistory): void {
    this.#histories.delete(history);
  }
}

/** A snapshot that a history made, and fills anew. */
class KeptSnapshot extends Snapshot {
  /** What it took when it was kept. */
  taken = 0;
  /** Whether it stands for several ticks, and is never filled anew. */
  isShared = false;
}

/** The last snapshots of a client by tick. Those that grow too old are filled anew: nothing is allocated in the long run. */
export class SnapshotHistory {
  readonly #ticks: number;
  readonly #budget: BaseBudget;
  readonly #byTick = new Map<number, Snapshot>();
  readonly #spare: KeptSnapshot[] = [];
  #bytes = 0;
  #newest = -1;
  /** The tick of the base that was used last. */
  #base = -1;

  /** @param ticks how many are looked back */
  constructor(ticks: number, budget = new BaseBudget()) {
    this.#ticks = ticks;
    this.#budget = budget;
  }

  /** -1 where nothing is kept. */
  get newest(): number {
    return this.#newest;
  }

  /** The oldest tick that is still of use. */
  get oldest(): number {
    return this.#newest - this.#ticks;
  }

  /** All snapshots of the history in the order of their arrival. */
  [Symbol.iterator](): Iterator<readonly [tick: number, snapshot: Snapshot]> {
    return this.#byTick.entries();
  }

  has(tick: number): boolean {
    return this.#byTick.has(tick);
  }

  /** The snapshot of a tick, to be used as a base. */
  base(tick: number): Snapshot | undefined {
    const found = this.#byTick.get(tick);
    if (found) this.#base = tick;
    return found;
  }

  /** A snapshot to be filled; it stays spare until it is kept. */
  spare(): Snapshot {
    if (this.#spare.length === 0) this.#spare.push(new KeptSnapshot());
    return this.#spare.at(-1)!;
  }

  keep(tick: number, snapshot: Snapshot): void {
    const spare = this.#spare.at(-1);
    if (spare === snapshot) {
      this.#spare.pop();
      spare.taken = spare.memory;
      this.#bytes += spare.taken;
      this.#budget.bytes += spare.taken;
      this.#budget.onUse(this);
    } else if (snapshot instanceof KeptSnapshot) snapshot.isShared = true;
    this.#byTick.set(tick, snapshot);
    this.#newest = Math.max(this.#newest, tick);
  }

  clear(): void {
    this.#byTick.clear();
    this.#budget.bytes -= this.#bytes;
    this.#bytes = 0;
    this.#newest = -1;
    this.#base = -1;
    this.#budget.onClear(this);
  }

  /** Forgets what is too old, in the order of its coming, and where that is too much, what is not the base that is used. */
  forgetOld(): void {
    const byTick = this.#byTick;
    const before = Math.max(this.oldest, Math.min(this.#base, this.#newest) - ticksBeforeBase);
    for (const [tick, snapshot] of byTick) {
      const isTooMuch = byTick.size > maxSnapshots || (byTick.size > leastSnapshots && this.#isTooLarge);
      if (tick >= before && !isTooMuch) return;
      if (tick === this.#base) continue;
      byTick.delete(tick);
      this.#release(snapshot);
    }
  }

  get #isTooLarge(): boolean {
    return this.#budget.isShareExceeded(this.#bytes);
  }

  #release(snapshot: Snapshot): void {
    if (!(snapshot instanceof KeptSnapshot)) return;
    this.#bytes -= snapshot.taken;
    this.#budget.bytes -= snapshot.taken;
    snapshot.taken = 0;
    if (!snapshot.isShared && this.#spare.length < maxSpare) this.#spare.push(snapshot);
  }
}
