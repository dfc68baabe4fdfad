import { minWrapWidth, widthOf, withoutColours, wordsIn, wrap } from './layout.ts';
import { count } from './number.ts';
import type { Theme } from './theme.ts';

export type Align = 'left' | 'right';

export interface ColumnsLayout {
  readonly indent?: string;
  /** The width that no line exceeds, if that is possible; undefined for none. */
  readonly limit?: number | undefined;
}

/**
 * Aligns rows in columns; a cell may have several lines. Beyond `limit` the gaps are narrowed and the widest column is
 * wrapped.
 */
export function columns(
  rows: readonly (readonly string[])[],
  align: readonly Align[],
  { indent = '  ', limit = Number.POSITIVE_INFINITY }: ColumnsLayout = {},
): string[] {
  const lines = rows.flatMap(singleLines);
  const widths: number[] = [];
  for (const line of lines) {
    for (const [i, text] of line.entries()) widths[i] = Math.max(widths[i] ?? 1, widthOf(text));
  }
  const last = widths.length - 1;
  const sum = widths.reduce((all, width) => all + width, indent.length);
  const gap = sum + 3 * last > limit ? 2 : 3;
  const excess = sum + gap * last - limit;
  const wrapped = widths.reduce((best, width, i) => (isText(lines, i) && !(width < widths[best]!) ? i : best), -1);
  const room = (widths[wrapped] ?? 0) - excess;
  if (excess > 0 && room >= minWrapWidth) {
    const narrow = lines.flatMap((line) =>
      singleLines(line.map((cell, i) => (i === wrapped ? inLines(cell, room) : cell))),
    );
    if (narrow.every((line) => widthOf(line[wrapped] ?? '') <= room)) return columns(narrow, align, { indent, limit });
  }
  return lines.map((line) => {
    const cells = line.map((text, i) => aligned(text, widths[i]!, align[i]));
    return (indent + cells.join(' '.repeat(gap))).trimEnd();
  });
}

export interface Column<Row> {
  readonly head: string;
  /** `right` by default. */
  readonly align?: Align;
  readonly cell: (row: Row) => string;
}

/**
 * A line of heads, and one for each row: a table of any length, with names in any script. Short ones of our own words
 * are laid out by `wordTable`.
 */
export const tableLines = <Row>(
  shown: readonly Column<Row>[],
  rows: readonly Row[],
  theme: Theme,
  layout: ColumnsLayout = {},
): string[] =>
  columns(
    [shown.map(({ head }) => theme.dim(head)), ...rows.map((row) => shown.map(({ cell }) => cell(row)))],
    shown.map(({ align = 'right' }) => align),
    layout,
  );

export const widest = (lines: readonly string[]): number =>
  lines.reduce((most, line) => Math.max(most, widthOf(line)), 0);

/** Leaves out columns of a table, in the order of the heads in `spare`, until the others fit. */
export function fitting<Column extends { readonly head: string }>(
  all: readonly Column[],
  spare: readonly string[],
  fits: (shown: readonly Column[]) => boolean,
): readonly Column[] {
  let shown = all;
  for (const column of spare) {
    if (fits(shown)) break;
    shown = shown.filter(({ head }) => head !== column);
  }
  return shown;
}

/** `  2 more columns (--width 120)`, below a table that leaves some out; nothing if all are shown. */
export function leftOutLine(columns: number, width: number, theme: Theme): string[] {
  return columns > 0 ? [theme.dim(`  ${count(columns, 'more column')} (--width ${width})`)] : [];
}

const inLines = (cell: string, width: number) => wrap(wordsIn(cell), width).join('\n');

/** Whether a column can be wrapped: a colour must not go on in the column beside it. */
function isText(lines: readonly (readonly string[])[], column: number): boolean {
  return lines.every((line) => {
    const cell = line[column] ?? '';
    return column === line.length - 1 || !cell.includes(' ') || cell === withoutColours(cell);
  });
}

/** A text with blanks up to this width. */
export function aligned(text: string, width: number, align: Align = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** Splits a row into rows of single lines, as many as its longest cell has. */
function singleLines(row: readonly string[]): (readonly string[])[] {
  if (!row.some((cell) => cell.includes('\n'))) return [row];
  const cells = row.map((cell) => cell.split('\n'));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => cells.map((lines) => lines[i] ?? ''));
}
