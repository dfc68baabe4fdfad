/** Without the full block, so that lines of blocks do not touch. */
const levels = '▁▂▃▄▅▆▇';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A number over time. */
export interface Point {
  readonly second: number;
  readonly value: number;
}

/**
 * Numbers over time as a line of blocks, from 0 to the highest; a space for a time without a number. If there are more seconds than
 * columns, a block shows the average or the highest of several.
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

/** A part of `width` columns as a bar, to an eighth of a column; never empty for a part above 0. */
export function bar(part: number, width: number): string {
  if (part <= 0) return '';
  const all = Math.max(1, Math.round(8 * part * width));
  return '█'.repeat(all >> 3) + eighths[all & 7]!;
}
