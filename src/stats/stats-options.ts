import type { TickRange } from '../protocol/ticks.ts';
import type { RangeStart } from '../recording/demo-range.ts';
import type { RecordFilter } from '../recording/record-filter.ts';

/**
 * The part of a recording that is counted.
 *
 * @example
 * ```ts
 * import { type StatsOptions, statsOf } from 'tw-snap/recording';
 *
 * const options: StatsOptions = { range: { from: 9000, to: 9500 } };
 * console.log(statsOf(bytes, options).bytes);
 * ```
 */
export interface StatsOptions {
  /** Counts only this client; datagrams outside any connection are then left out. Demos have no clients. */
  readonly client?: string | undefined;
  /**
   * Counts only these ticks. A demo is counted by its tick markers, without header and map. In a capture, a packet counts if the
   * last snapshot of its connection has one of these ticks.
   */
  readonly range?: TickRange | undefined;
  /** The keyframe before the part of a demo that is counted. */
  readonly start?: Pick<RangeStart, 'tick' | 'endOffset' | 'firstTick'> | undefined;
  /** The part of a capture that is counted: the time of the capture's first packet, and the current position in it. */
  readonly part?: { readonly firstTime: number; position(): number } | undefined;
  /** Counts only these items and messages by name; all others are counted as `unselected`. */
  readonly filter?: RecordFilter | undefined;
}
