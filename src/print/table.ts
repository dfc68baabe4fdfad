import { type Column, type ColumnsLayout, tableLines, widest } from '../text/columns.ts';
import { bar } from '../text/number.ts';
import type { Style, ViewStyle } from '../text/theme.ts';
import { wordTable } from '../text/word-table.ts';
import { markdownTable } from './markdown.ts';

/** A table that can be laid out in several ways. */
export interface Table {
  lines(style: ViewStyle): string[];
  markdown(): string[];
}

interface TableLayout<Row> extends Pick<ColumnsLayout, 'indent' | 'limit'> {
  /** The heads of the columns that a narrow terminal does without, the first one first. */
  readonly spare?: readonly string[];
  /** The length of the bar after a row, from 0 to 1, where there is room for bars. */
  readonly bar?: (row: Row) => readonly [length: number, style: Style];
  /** Whether it is short, and has only tw-snap's own words: see `wordTable`. */
  readonly isOfWords?: boolean;
  /** Lines of text below a row. */
  readonly below?: (row: Row) => readonly string[];
}

const [minBar, maxBar] = [8, 48];

export const tableOf = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { bar: barOf, below, isOfWords, ...layout }: TableLayout<Row> = {},
): Table => ({
  lines({ theme, width }) {
    const limit = barOf ? width - minBar - 3 : layout.limit;
    const [head, ...lines] = isOfWords
      ? wordTable(columns, rows, theme)
      : tableLines(columns, rows, theme, { ...layout, limit });
    const room = Math.min(maxBar, width - widest([head!, ...lines]) - 3);
    if (!barOf || room < minBar) return [head!, ...lines.flatMap((line, i) => [line, ...(below?.(rows[i]!) ?? [])])];
    const drawn = lines.map((line, i) => {
      const [length, style] = barOf(rows[i]!);
      return length > 0 ? `${line}   ${style(bar(length, room))}` : line;
    });
    return [head!, ...drawn];
  },
  markdown: () => markdownTable(columns, rows),
});
