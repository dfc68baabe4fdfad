import type { Table } from './drawn-table.ts';
import { titled, widthOf } from './layout.ts';
import { markdownList, markdownRows, markdownTitle } from './markdown.ts';
import { type LabelledRow, rowLines } from './rows.ts';
import type { Theme, ViewStyle } from './theme.ts';

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

export function printSections(sections: readonly Section[], style: ViewStyle): string {
  const parts = sections.map((section) => (style.isMarkdown ? markdownLines(section) : textLines(section, style)));
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
