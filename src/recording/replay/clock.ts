import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Ghost } from '../container/ghost/ghost.ts';
import type { RecordingEntry } from './record.ts';

/**
 * The seconds since the beginning of a recording: by the times of its records, or by the ticks where there are no times.
 * A ghost begins with its race. The records are added in turn.
 */
export class RecordingClock {
  /** Seconds since 1970 at the beginning of a capture; undefined without times. */
  start: number | undefined;
  /** The seconds at the last record. */
  seconds = Number.NaN;
  #firstTick: number | undefined;
  #ticks = 0;
  #ghost: Ghost | undefined;

  /**
   * Rounds seconds to microseconds. The times of captures have no more, and a difference of two of them has the noise of
   * doubles behind: 2.005821943283081.
   */
  static rounded(seconds: number): number {
    return Math.round(1e6 * seconds) / 1e6;
  }

  /** The first tick of a demo. */
  begin(tick: number): void {
    if (tick >= 0) this.#firstTick ??= tick;
  }

  /** The seconds at a tick of a demo; NaN before the first. */
  ofTick(tick: number): number {
    const first = this.#ghost?.startTick ?? this.#firstTick ?? tick;
    return tick < 0 ? Number.NaN : (tick - first) / ticksPerSecond;
  }

  /** The seconds at a time of a capture; NaN without times. */
  ofTime(time: number): number {
    return RecordingClock.rounded(time - (this.start ?? Number.NaN));
  }

  /** The seconds at the next record; NaN before the first tick. A log without times counts the ticks so far. */
  at(entry: RecordingEntry): number {
    this.seconds = this.#secondsAt(entry);
    return this.seconds;
  }

  #secondsAt(entry: RecordingEntry): number {
    const { time } = entry;
    if (entry.record === 'ghost') this.#ghost = entry.ghost;
    if (time === undefined) {
      const tick = 'tick' in entry ? (entry.tick ?? -1) : -1;
      this.begin(tick);
      return this.ofTick(tick);
    }
    if (Number.isFinite(time)) {
      this.start ??= time;
      return this.ofTime(time);
    }
    if (entry.record === 'snapshot') {
      this.begin(entry.tick);
      this.#ticks = Math.max(this.#ticks, entry.tick - this.#firstTick!);
    }
    return this.#ticks / ticksPerSecond;
  }
}
