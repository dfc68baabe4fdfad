import { type Column, type ColumnsLayout, fitting, leftOutLine, tableLines, widest } from '../text/columns.ts';
import { titled, widthOf } from '../text/layout.ts';
import { bar } from '../text/number.ts';
import { type LabelledRow, rowLines } from '../text/rows.ts';
import type { Style, Theme, ViewStyle } from '../text/theme.ts';
import { wordTable } from '../text/word-table.ts';
import { markdownList, markdownRows, markdownTable, markdownTitle } from './markdown.ts';

/**
 * What a view says, before it is laid out: as text for a terminal, or as markdown for an issue.
 *
 *     title     match.demo   client demo, version 6, 204 KB, healthy
 *     rows        map           dm1, 5,805 bytes, crc f2159e6e ✓
 *     table       health      format   length   snapshots
 *     lines       ✗ 0x1f3c: invalid_size …
 *
 * There is a blank line between sections.
 */
export interface Section {
  /** A name, and what is said beside it. */
  readonly title?: readonly [name: string, ...about: string[]];
  /** Whether that stays on one line in a pipe, where programs look for what it says. */
  readonly isOneLine?: boolean;
  readonly rows?: readonly LabelledRow[];
  /** The columns of the labels of these rows. */
  readonly labelWidth?: number;
  readonly table?: Table;
  /** Findings and notes. A line that is indented by four belongs to the one before it. */
  readonly lines?: readonly string[];
}

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
  /** Lines of text below a row. */
  readonly below?: (row: Row) => readonly string[];
}

const [minBar, maxBar] = [8, 48];

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

/** Sections as a view prints them. */
export function printSections(sections: readonly Section[], style: ViewStyle): string {
  const parts = sections.map((one) => (style.isMarkdown ? markdownLines(one) : textLines(one, style)));
  const lines = parts.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : ['', ...part]));
  return `${lines.join('\n')}\n`;
}

function textLines(
  { title, isOneLine, rows = [], labelWidth, table, lines = [] }: Section,
  style: ViewStyle,
): string[] {
  const { theme, width, limit = Infinity } = style;
  return [
    ...(title ? [titleText(title, theme, isOneLine ? limit : width)] : []),
    ...rowLines(rows, theme, width, labelWidth),
    ...(table?.lines(style) ?? []),
    ...lines,
  ];
}

/** On one line, or below the name; what is too long for that as well goes on from the line of the name. */
function titleText([name, ...about]: NonNullable<Section['title']>, theme: Theme, limit: number): string {
  const isBelow = about.every((part) => widthOf(part) + 2 <= limit);
  return titled(name, about, { theme, width: isBelow ? limit : Infinity });
}

function markdownLines({ title, rows = [], table, lines = [] }: Section): string[] {
  const parts = [
    title ? markdownTitle(title[0], title.slice(1)) : [],
    rows.length > 0 ? markdownRows(rows) : [],
    table?.markdown() ?? [],
    markdownList(lines),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : ['', ...part]));
}
