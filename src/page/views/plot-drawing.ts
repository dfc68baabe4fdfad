import { thousands } from '../../output/text/number.ts';
import { lastUpTo, multiples, type Range } from '../data/marks.ts';
import type { PlotData, PlotLine } from '../data/series.ts';
import { styled } from '../elements/dom.ts';
import { drawText, widthOfText } from '../plane/text.ts';

/*
 *  ┌──────┬─────────────────────────┐ top
 *  │ 1,000┤      ╭──╮               │
 *  │  axis│ ─────╯  ╰────  values   │
 *  └──────┴──┴──────┴──────┴────────┘ bottom, with times below it
 *         left                  right
 */

/** The space around the values, in pixels. */
const space = { left: 58, right: 12, top: 8, bottom: 6, bottomWithTimes: 24 };
const fontSize = 11;

/** The possible steps of the time axis in ticks, from 0.1 s to 1 hour. */
const timeSteps = [5, 10, 25, 50, 100, 250, 500, 1000, 1500, 3000, 6000, 15000, 30000, 90000, 180000];
const countSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7,
];
/** The least pixels between two labels of an axis. */
const timeSpace = 70;
const countSpace = 24;

/** Where the values of a plot are in its canvas, in pixels. */
export function areaOf({ height, hasTimes }: PlotData, width: number) {
  const { left, right, top, bottom, bottomWithTimes } = space;
  const inner = Math.max(1, width - left - right);
  return { left, top, width: inner, height: height - top - (hasTimes ? bottomWithTimes : bottom) };
}

/**
 * Draws the values of the visible ticks, with grid and labels.
 * @param timeOf the time of a tick
 */
export function drawPlot(canvas: HTMLCanvasElement, data: PlotData, { visible, width, first, timeOf }: Viewed): void {
  const { lines, height, hasTimes } = data;
  const area = areaOf(data, width);
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const context = canvas.getContext('2d')!;
  context.scale(devicePixelRatio, devicePixelRatio);
  const xOf = (tick: number) => area.left + ((tick - visible.from) / (visible.to - visible.from)) * area.width;
  const yOf = ({ from, to }: Range) => {
    return (value: number) => area.top + (1 - (value - from) / (to - from)) * area.height;
  };
  const scales = new Map(lines.map(({ scale }) => [scale, scaleOf(data, scale, visible)]));

  const range = scales.get(lines[0]!.scale)!;
  const toY = yOf(range);
  const label = { size: fontSize, fill: styled('--dim') };
  context.strokeStyle = styled('--line');
  for (const value of multiples(range.from, range.to, stepOf(countSteps, range, area.height / countSpace))) {
    const y = Math.round(toY(value)) + 0.5;
    strokeLine(context, area.left, y, area.left + area.width, y);
    const text = thousands(value);
    drawText(context, text, [area.left - 6 - widthOfText(text, fontSize), y + fontSize / 3], label);
  }
  context.textAlign = 'center';
  const perLabel = stepOf(timeSteps, visible, area.width / timeSpace);
  for (const tick of multiples(visible.from, visible.to, perLabel, first)) {
    const x = Math.round(xOf(tick)) + 0.5;
    strokeLine(context, x, area.top, x, area.top + area.height);
    if (hasTimes) drawText(context, timeOf(tick).replace(/\.00$/, ''), [x, height - 7], label);
  }

  context.beginPath();
  context.rect(area.left, 0, area.width, height);
  context.clip();
  for (const line of lines) drawLine(context, data, line, visible, xOf, yOf(scales.get(line.scale)!));
}

interface Viewed {
  readonly visible: Range;
  readonly width: number;
  /** The tick at which times begin. */
  readonly first: number;
  timeOf(tick: number): string;
}

function strokeLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** The least step with which an axis has no more labels than fit. */
const stepOf = (steps: readonly number[], { from, to }: Range, fitting: number): number =>
  steps.find((step) => (to - from) / step <= Math.max(1, fitting)) ?? (to - from) / Math.max(1, fitting);

/** The index of the point that holds at a tick; -1 before the first. */
export const pointAt = ({ x }: PlotData, tick: number): number => lastUpTo(x.length, (i) => x[i]!, tick);

/** The values of the visible part that an axis covers, with some room. */
function scaleOf(data: PlotData, scale: string | undefined, { from, to }: Range): Range {
  const first = Math.max(0, pointAt(data, from));
  const last = pointAt(data, to);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const line of data.lines) {
    if (line.scale !== scale) continue;
    for (let i = first; i <= last; i++) {
      const value = line.values[i];
      if (typeof value !== 'number') continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  if (min > max) [min, max] = [0, 1];
  if (!data.isStepped) return { from: 0, to: Math.max(1, max) * 1.08 };
  const room = Math.max(1, (max - min) * 0.08);
  return { from: min - room, to: max + room };
}

/**
 * Draws the line of some values, which ends where there is none, and the area below it if values are amounts. Of the
 * points in one column of pixels the first, the last, the least and the greatest are drawn.
 */
function drawLine(
  context: CanvasRenderingContext2D,
  data: PlotData,
  { values, color }: PlotLine,
  { from, to }: Range,
  xOf: (tick: number) => number,
  yOf: (value: number) => number,
): void {
  const { x, isStepped, isStacked } = data;
  const bottom = yOf(0);
  const colour = styled(color);
  context.lineWidth = 1.5;
  context.strokeStyle = colour;
  context.fillStyle = isStacked ? colour : `${colour}22`;
  const first = Math.max(0, pointAt(data, from));
  const last = Math.min(x.length - 1, pointAt(data, to) + 1);
  let i = first;
  while (i <= last) {
    if (typeof values[i] !== 'number') {
      i++;
      continue;
    }
    const begin = xOf(x[i]!);
    const line = new Path2D();
    line.moveTo(begin, yOf(values[i]! as number));
    let end = begin;
    while (i <= last && typeof values[i] === 'number') {
      const column = Math.round(xOf(x[i]!));
      let least = values[i] as number;
      let most = least;
      const left = xOf(x[i]!);
      if (isStepped) line.lineTo(left, yOf(values[Math.max(first, i - 1)] ?? least));
      line.lineTo(left, yOf(least));
      for (i++; i <= last && typeof values[i] === 'number' && Math.round(xOf(x[i]!)) === column; i++) {
        least = Math.min(least, values[i] as number);
        most = Math.max(most, values[i] as number);
      }
      if (most > least || i - 1 > first) {
        line.lineTo(left, yOf(least));
        line.lineTo(left, yOf(most));
        line.lineTo(left, yOf(values[i - 1] as number));
      }
      end = left;
    }
    // A value holds until the next point, if there is one without a value.
    if (isStepped && i <= last) line.lineTo(xOf(x[i]!), yOf(values[i - 1] as number));
    context.stroke(line);
    if (isStepped) continue;
    line.lineTo(end, bottom);
    line.lineTo(begin, bottom);
    context.fill(line);
  }
}
