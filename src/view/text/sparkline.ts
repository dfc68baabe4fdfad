/** The full block is left out, so that adjacent lines do not touch. */
const levels = '▁▂▃▄▅▆▇';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A number over time. */
export interface Point {
  readonly second: number;
  readonly value: number;
}

/**
 * Plots numbers over time as a line of blocks, scaled from 0 to the maximum. A time without a number is a space. If there are more
 * seconds than columns, a block shows the average or the maximum of several.
 */
export function sparkline(points: readonly Point[], width: number, several: 'average' | 'highest' = 'average'): string {
  if (points.length === 0) return '';
  const seconds = points.reduce((last, { second }) => Math.max(last, second), 0) + 1;
  const columns = Math.min(width, seconds);
  const sums = new Float64Array(columns);
  for (const { second, value } of points) {
    const column = Math.floor((second * columns) / seconds);
    const each = Math.ceil(((column + 1) * seconds) / columns) - Math.ceil((column * seconds) / columns);
    sums[column] = several === 'highest' ? Math.max(sums[column]!, value) : sums[column]! + value / each;
  }
  const highest = Math.max(...sums);
  return Array.from(sums, (sum) => (sum === 0 ? ' ' : levels[Math.min(6, Math.floor((7 * sum) / highest))]!)).join('');
}

/** A bar of this part of `width` columns, with a resolution of an eighth of a column. It is never empty for a part above 0. */
export function bar(part: number, width: number): string {
  if (part <= 0) return '';
  const all = Math.max(1, Math.round(8 * part * width));
  return '█'.repeat(all >> 3) + eighths[all & 7]!;
}
