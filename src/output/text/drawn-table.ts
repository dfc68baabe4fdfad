import CliTable from 'cli-table3';
import { type Column, type ColumnsLayout, fitting, leftOutLine, tableLines, widest } from './columns.ts';
import { markdownTable } from './markdown.ts';
import { bar } from './number.ts';
import type { Style, Theme, ViewStyle } from './theme.ts';

/** A table that can be laid out in several ways. */
export interface Table {
  lines(style: ViewStyle): string[];
  markdown(): string[];
}

interface TableLayout<Row> extends Pick<ColumnsLayout, 'indent' | 'limit'> {
  /** The heads of the columns that a narrow terminal does without, the first one first. */
  readonly spare?: readonly string[];
  /** How much wider the cells get where nothing is shortened. */
  readonly shortenedBy?: number;
  /** The length of the bar after a row, from 0 to 1, where there is room for bars. */
  readonly bar?: (row: Row) => readonly [length: number, style: Style];
  /** Whether it is short, and has only tw-snap's own words: see `wordTable`. */
  readonly isOfWords?: boolean;
  readonly below?: (row: Row) => readonly string[];
}

const minBar = 8;
const maxBar = 48;

export const tableOf = <Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { bar: barOf, below, isOfWords, spare = [], shortenedBy = 0, limit = Infinity, indent = '  ' }: TableLayout<Row> = {},
): Table => ({
  lines({ theme, width }) {
    const withBelow = ([head, ...lines]: readonly string[]) => [
      head!,
      ...lines.flatMap((line, i) => [line, ...(below?.(rows[i]!) ?? [])]),
    ];
    if (isOfWords) return withBelow(wordTable(all, rows, theme));
    const barRoom = minBar + 3;
    const most = barOf ? width - barRoom : limit;
    const widthOfAll = (some: readonly Column<Row>[]) => widest(tableLines(some, rows, theme, { indent }));
    const shown = fitting(all, spare, (some) => widthOfAll(some) <= most);
    const lines = tableLines(shown, rows, theme, { indent, limit: most });
    const leftOut = all.length - shown.length;
    const wanted = leftOut === 0 ? 0 : widthOfAll(all) + shortenedBy + (barOf ? barRoom : 0);
    const more = leftOutLine(leftOut, wanted, theme);
    const room = Math.min(maxBar, width - widest(lines) - 3);
    if (!barOf || room < minBar) return [...withBelow(lines), ...more];
    const [head, ...drawn] = lines;
    const bars = drawn.map((line, i) => {
      const [length, style] = barOf(rows[i]!);
      return length > 0 ? `${line}   ${style(bar(length, room))}` : line;
    });
    return [head!, ...bars, ...more];
  },
  markdown: () => markdownTable(all, rows),
});

/** Only the indent and the gaps are drawn. */
const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/**
 * A short table of tw-snap's own words: the fields of an item, what `export` wrote. It looks as `tableLines` does. The
 * README of `src/output` says why other tables are not laid out by cli-table3.
 */
export function wordTable<Row>(all: readonly Column<Row>[], rows: readonly Row[], theme: Theme): string[] {
  // cli-table3 took 25 ms for the 66 rows of `schema obj_character`.
  if (rows.length > 8) return tableLines(all, rows, theme);
  const table = new CliTable({
    chars: { ...noBorders, left: '  ', middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: all.map(({ align = 'right' }) => align),
  });
  table.push(all.map(({ head }) => theme.dim(head)));
  for (const row of rows) table.push(all.map(({ cell }) => cell(row)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
