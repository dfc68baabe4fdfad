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

/** Reads `A..B`, `A..`, `..B`, or one tick; undefined for any other text, and for a range that ends before it begins. */
export function parseTickRange(text: string): TickRange | undefined {
  const match = /^(\d*)(\.\.)?(\d*)$/.exec(text);
  if (!match || text === '' || text === '..') return undefined;
  const [, from, dots, to] = match as unknown as [string, string, string | undefined, string];
  if (!dots) return { from: Number(from), to: Number(from) };
  const range = { from: Number(from), to: to === '' ? Infinity : Number(to) };
  return range.from > range.to ? undefined : range;
}
