import { ByteBuffer } from '../../wire/bytes/buffers.ts';
import type { Args, Code } from '../../wire/bytes/diagnostic.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import {
  maxBaseBytes,
  maxBases,
  maxSpare,
  minBases,
  silentPackets,
  silentRounds,
  ticksBeforeBase,
} from '../replay/limits.ts';
import { neverWritten } from '../replay/never-written.ts';

/** Shares the memory for bases between the clients of a recording. */
export class BaseBudget {
  bytes = 0;
  packets = 0;
  ends = 0;
  /** The histories with snapshots, and the packet after which each is silent; the first was silent for longest. */
  readonly #histories = new Map<SnapshotHistory, number>();
  #last: SnapshotHistory | undefined;

  get isExceeded(): boolean {
    return this.bytes > maxBaseBytes;
  }

  isShareExceeded(bytes: number): boolean {
    return this.isExceeded && bytes > maxBaseBytes / this.#histories.size;
  }

  /**
   * Accounts for more memory of a history. If too much is used, silent histories are emptied; if far too much is used,
   * all others are reduced.
   */
  onUse(history: SnapshotHistory): void {
    const histories = this.#histories;
    if (this.#last !== history) histories.delete(history);
    this.#last = history;
    histories.set(history, this.packets + silentPackets + silentRounds * this.ends);
    if (!this.isExceeded) return;
    for (const [silent, last] of histories) {
      const isSilent = this.packets > last;
      if (silent === history || !this.isExceeded || (!isSilent && this.bytes < 1.5 * maxBaseBytes)) break;
      silent.clear();
    }
  }

  onClear(history: SnapshotHistory): void {
    this.#histories.delete(history);
  }
}

class KeptSnapshot extends Snapshot {
  taken = 0;
  /** Whether it belongs to several ticks and is therefore never reused. */
  isShared = false;
}

/** The last snapshots of a client by tick. Old ones are reused, so that memory does not grow. */
export class SnapshotHistory {
  readonly #ticks: number;
  readonly #budget: BaseBudget;
  readonly #byTick = new Map<number, Snapshot>();
  readonly #spare: KeptSnapshot[] = [];
  #bytes = 0;
  #newest = -1;
  #base = -1;

  constructor(ticks: number, budget = new BaseBudget()) {
    this.#ticks = ticks;
    this.#budget = budget;
  }

  /** The newest tick; -1 if the history is empty. */
  get newest(): number {
    return this.#newest;
  }

  /** The oldest tick that can still be a base. */
  get oldest(): number {
    return this.#newest - this.#ticks;
  }

  [Symbol.iterator](): Iterator<readonly [tick: number, snapshot: Snapshot]> {
    return this.#byTick.entries();
  }

  has(tick: number): boolean {
    return this.#byTick.has(tick);
  }

  base(tick: number): Snapshot | undefined {
    const found = this.#byTick.get(tick);
    if (found) this.#base = tick;
    return found;
  }

  /** A snapshot to be filled. It stays available for reuse until it is kept. */
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

  /**
   * Removes snapshots that are too old, in the order of their arrival, and if there are too many, those before the
   * current base.
   */
  forgetOld(): void {
    const byTick = this.#byTick;
    const before = Math.max(this.oldest, Math.min(this.#base, this.#newest) - ticksBeforeBase);
    for (const tick of byTick.keys()) {
      const isTooMuch = byTick.size > maxBases || (byTick.size > minBases && this.#budget.isShareExceeded(this.#bytes));
      if (tick >= before && !isTooMuch) return;
      if (tick === this.#base) continue;
      this.#release(byTick.get(tick)!);
      byTick.delete(tick);
    }
  }

  /** Removes those before a tick: `CSnapshotStorage::PurgeUntil`, in snapshot.cpp of the games. */
  purgeUntil(tick: number): void {
    for (const [old, snapshot] of this.#byTick) {
      if (old >= tick) return;
      this.#byTick.delete(old);
      this.#release(snapshot);
    }
  }

  #release(snapshot: Snapshot): void {
    if (!(snapshot instanceof KeptSnapshot)) return;
    this.#bytes -= snapshot.taken;
    this.#budget.bytes -= snapshot.taken;
    snapshot.taken = 0;
    if (!snapshot.isShared && this.#spare.length < maxSpare) this.#spare.push(snapshot);
  }
}

/** The buffers for the current data, and the memory for bases, which the connections of a recording share. */
export class SharedMemory {
  readonly packet = new ByteBuffer();
  /** What {@link payload} has read that no game writes, the first of each kind; its user empties it. */
  readonly odd: { readonly code: Code; readonly args: Args }[] = [];
  /** Each user sets the sizes of its items. */
  readonly payload = new PayloadReader(() => 0, {
    warn: (code, _, args = {}) => {
      if (neverWritten.has(code) && this.odd.every((one) => one.code !== code)) this.odd.push({ code, args });
    },
  });
  readonly bases = new BaseBudget();
}
