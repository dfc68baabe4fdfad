import { ticksPerSecond } from '../protocol/ticks.ts';

/** How a server sends snapshots: until one is acknowledged, from then on, and while nothing has been acknowledged for long. */
export type RateMode = 'init' | 'full' | 'recovery';

/** Snapshots in a row that were sent in one mode. */
export interface RateStretch {
  readonly mode: RateMode;
  readonly fromTick: number;
  /** Where the next stretch begins, or the last snapshot. */
  toTick: number;
  snapshots: number;
  /** How many snapshots came this many ticks after the one before. */
  readonly distances: Map<number, number>;
}

/** Ticks between two snapshots, as the servers have it; 2 in `full`, or 1 with high bandwidth. */
const everyTicks: Readonly<Record<RateMode, number>> = { init: 10, full: 2, recovery: ticksPerSecond };

/** A snapshot that comes up to this many ticks late does not start the ticks again. */
const lateTicks = 300;

/**
 * Separates the modes in which a server sends snapshots. Those on the empty snapshot belong to `init`, or to `recovery` where
 * others came before; `full` begins with the first acknowledgement.
 */
export class SnapshotRates {
  readonly stretches: RateStretch[] = [];
  #current: RateStretch | undefined;
  #last = -1;
  #mapChanges = 0;

  /**
   * Adds the next snapshot, rebuilt or not.
   * @param isOnEmpty whether it is a delta to the empty snapshot
   * @param mapChanges that were seen before it: each starts the ticks again
   */
  add(tick: number, isOnEmpty: boolean, mapChanges = 0): void {
    if (mapChanges !== this.#mapChanges) this.#restart();
    this.#mapChanges = mapChanges;
    if (tick <= this.#last) {
      if (this.#last - tick <= lateTicks) return;
      this.#restart();
    }
    const distance = this.#last < 0 ? 0 : tick - this.#last;
    this.#last = tick;
    const mode = isOnEmpty ? this.#modeOnEmpty(distance) : 'full';
    const current = this.#current;
    if (current) current.toTick = tick;
    if (current?.mode === mode) {
      current.snapshots++;
      current.distances.set(distance, (current.distances.get(distance) ?? 0) + 1);
    } else this.#begin(mode, tick);
  }

  #restart(): void {
    this.#current = undefined;
    this.#last = -1;
  }

  #modeOnEmpty(distance: number): RateMode {
    const current = this.#current;
    if (!current) return 'init';
    // A recording may begin in the middle of a recovery.
    const isSlow = current.mode === 'init' && current.snapshots === 1 && distance === everyTicks.recovery;
    if (isSlow) {
      this.stretches.pop();
      this.#current = { ...current, mode: 'recovery' };
      this.stretches.push(this.#current);
    }
    return this.#current!.mode === 'init' ? 'init' : 'recovery';
  }

  #begin(mode: RateMode, tick: number): void {
    this.#current = { mode, fromTick: tick, toTick: tick, snapshots: 1, distances: new Map() };
    this.stretches.push(this.#current);
  }
}

/** Snapshots per second that a server aims to send; in `full` by what came. */
export function perSecond({ mode, distances }: RateStretch): number {
  const often = (distances.get(1) ?? 0) > (distances.get(2) ?? 0);
  return ticksPerSecond / (mode === 'full' && often ? 1 : everyTicks[mode]);
}

export const secondsOf = ({ fromTick, toTick }: RateStretch) => (toTick - fromTick) / ticksPerSecond;
