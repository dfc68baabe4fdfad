import { ticksPerSecond } from '../../wire/protocol/ticks.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** An event or finding, and its colour in the style sheet. */
export interface Mark {
  readonly tick: number;
  readonly text: string;
  readonly color: string;
}

const least = 25;

/** The ticks of a recording. They are at least one tick long, so that they can be drawn. */
const drawn = ({ from, to }: Range): Range => ({ from, to: Math.max(to, from + 1) });

export const isWhole = (visible: Range, all: Range) => visible.from <= all.from && visible.to >= drawn(all).to;

/**
 * Multiplies the length of the visible range by `factor`. If `tick` is visible, it keeps its position on the screen.
 */
export function zoomed({ from, to }: Range, all: Range, factor: number, tick: number): Range {
  const whole = drawn(all).to - all.from;
  const length = Math.min(whole, Math.max(Math.min(least, whole), (to - from) * factor));
  const isInside = tick >= from && tick <= to;
  const share = isInside ? (tick - from) / (to - from) : 0.5;
  return within(all, (isInside ? tick : (from + to) / 2) - share * length, length);
}

export const moved = ({ from, to }: Range, all: Range, share: number): Range =>
  within(all, from + share * (to - from), to - from);

function within(all: Range, wanted: number, length: number): Range {
  const from = Math.max(all.from, Math.min(wanted, drawn(all).to - length));
  return { from, to: from + length };
}

/** The range that is repeated from a tick on. An end that is not later is replaced by the recording's. */
export function repeatedFrom(tick: number, repeated: Range | undefined, all: Range): Range {
  const from = Math.floor(tick);
  return { from, to: repeated && repeated.to > from ? repeated.to : all.to };
}

/** The range that is repeated up to a tick. A start that is not earlier is replaced by the recording's. */
export function repeatedUpTo(tick: number, repeated: Range | undefined, all: Range): Range {
  const to = Math.ceil(tick);
  return { from: repeated && repeated.from < to ? repeated.from : all.from, to };
}

/** The tick at which playing begins: the current one, unless it is at the end of the range or outside of it. */
export const startOf = (tick: number, { from, to }: Range) => (tick >= to || tick < from ? from : tick);

/** The current time some milliseconds later. A range is repeated; the recording ends with its last tick. */
export function advanced(tick: number, milliseconds: number, speed: number, repeated: Range | undefined, all: Range) {
  const next = tick + (milliseconds / 1000) * ticksPerSecond * speed;
  return repeated && next >= repeated.to ? repeated.from : Math.min(next, all.to);
}

/** The numbers `first + i * step` in a range: where an axis or grid has its marks. */
export function multiples(min: number, max: number, step: number, first = 0): number[] {
  const from = first + Math.ceil((min - first) / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((max - from) / step) + 1) }, (_, i) => from + i * step);
}

/** The index of the last of some ascending ticks that is not after another one; -1 if there is none. */
export function lastUpTo(count: number, tickAt: (i: number) => number, tick: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tickAt(middle) <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
