import type { TickRange } from '../protocol/ticks.ts';

/** What is counted of a recording. */
export interface StatsOptions {
  /** The only client that is wanted; datagrams outside any connection are then left out. Demos have no clients. */
  readonly client?: string | undefined;
  /**
   * The ticks that are wanted. In a demo those of its markers, without header and map; in a capture, what comes while the last
   * snapshot of its connection has one of them.
   */
  readonly range?: TickRange | undefined;
}
