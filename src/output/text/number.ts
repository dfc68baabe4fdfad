/** 1234567 → `1,234,567`. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with this many decimals: 1234.5 → `1,234.5`. */
export function decimals(value: number, digits: number): string {
  if (digits === 0) return thousands(Math.round(value));
  const [whole, rest] = value.toFixed(digits).split('.') as [string, string];
  return `${thousands(Number(whole))}.${rest}`;
}

/** `1 byte`, `2 bytes`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(value)} ${value === 1 ? noun : plural}`;
}

/** The texts of the numbers that are not 0. */
export const nonZero = (...texts: readonly (readonly [value: number, text: string])[]): string[] =>
  texts.flatMap(([value, text]) => (value > 0 ? [text] : []));

/** The position of a bit in compressed bytes as byte and bit, `2a.3`; bit 0 is the lowest bit of a byte. */
export const bitAddress = (bit: number) => `${Math.floor(bit / 8).toString(16)}.${bit % 8}`;

/** At least four hexadecimal digits. */
export function address(value: number): string {
  return value.toString(16).padStart(4, '0');
}

/** Seconds as `0:57.70`, with hours if there are any. */
export function clock(seconds: number): string {
  const hundredths = Math.round(Math.abs(seconds) * 100);
  const whole = Math.floor(hundredths / 100);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = `${String(whole % 60).padStart(2, '0')}.${String(hundredths % 100).padStart(2, '0')}`;
  const sign = seconds < 0 ? '-' : '';
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${sign}${minutes}:${rest}`;
}

/** `1.9 KB`; sizes below 1,000 bytes are exact. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** The full block is left out, so that adjacent lines do not touch. */
const levels = '▁▂▃▄▅▆▇';
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

interface Point {
  readonly second: number;
  readonly value: number;
}

/**
 * Numbers over time as a line of blocks from 0 to the maximum; a block shows the average or the maximum of several
 * seconds.
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

/**
 * A bar of this part of `width` columns, with a resolution of an eighth of a column. It is never empty for a part above
 * 0.
 */
export function bar(part: number, width: number): string {
  if (part <= 0) return '';
  const all = Math.max(1, Math.round(8 * part * width));
  return '█'.repeat(all >> 3) + eighths[all & 7]!;
}
