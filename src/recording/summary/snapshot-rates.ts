import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { lateTicks } from '../replay/limits.ts';

/**
 * How a server sends snapshots: until one is acknowledged, after that, and while none has been acknowledged for long.
 */
export type RateMode = 'init' | 'full' | 'recovery';

export interface RateStretch {
  readonly mode: RateMode;
  readonly fromTick: number;
  /** The tick at which the next stretch begins, or of the last snapshot. */
  toTick: number;
  snapshots: number;
  /** The number of snapshots by the ticks since the one before. */
  readonly distances: Map<number, number>;
}

/** Ticks between two snapshots in the servers' source; 2 in `full`, or 1 with high bandwidth. */
const everyTicks: Readonly<Record<RateMode, number>> = { init: 10, full: 2, recovery: ticksPerSecond };

/**
 * Separates the modes in which a server sends snapshots. Those on the empty snapshot belong to `init`, or to `recovery`
 * if there were others before; `full` begins with the first acknowledgement.
 */
export class SnapshotRates {
  readonly stretches: RateStretch[] = [];
  #current: RateStretch | undefined;
  #last = -1;
  #mapChanges = 0;

  /**
   * Adds the next snapshot, rebuilt or not.
   * @param isOnEmpty whether it is a delta to the empty snapshot
   * @param mapChanges the number of map changes before it: each restarts the ticks
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

/** The rate of snapshots that a server aims at; in `full` derived from the captured ones. */
export function perSecond({ mode, distances }: RateStretch): number {
  const hasHighRate = (distances.get(1) ?? 0) > (distances.get(2) ?? 0);
  return ticksPerSecond / (mode === 'full' && hasHighRate ? 1 : everyTicks[mode]);
}

export const secondsOf = ({ fromTick, toTick }: RateStretch) => (toTick - fromTick) / ticksPerSecond;
