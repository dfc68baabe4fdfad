/**
 * The servers count time in ticks.
 *
 * Source: `SERVER_TICK_SPEED` in `src/engine/shared/protocol.h` of the games.
 */
export const ticksPerSecond = 50;

/** A range of ticks. Both ends are included; `to` may be infinite. */
export interface TickRange {
  readonly from: number;
  readonly to: number;
}

export const isInRange = (tick: number, { from, to }: TickRange): boolean => tick >= from && tick <= to;
