import { type Align, aligned, type Column } from './columns.ts';
import { widthOf, withoutColours } from './layout.ts';
import { type LabelledRow, rowText } from './rows.ts';

/**
 * Signs that markdown does not print as they are, and what GitHub makes a link, a picture or a mention of: `@name`,
 * `#12`, `GH-12`, `:tada:`, an address. A text from a recording could otherwise call somebody to the issue that it is pasted
 * into.
 */
const special = /[`*<&[\]|~\\#@$]|(?:^|\W)_|_(?:\W|$)|(?:^|\W)GH-\d|:\/\/|^www\.|:[-+a-z]|^(?:[-+>]|\d+[.)])$/i;

/**
 * Text in a line of markdown. A word that would not be printed as it is becomes code, in which nothing has a meaning.
 */
export const markdownText = (text: string): string => text.split(' ').map(word).join(' ');

function word(text: string): string {
  if (!special.test(text)) return text;
  const [, inside = '', after = ''] = /^(.*?)([,.]*)$/s.exec(text)!;
  return code(inside || after) + (inside && after);
}

function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + runs.reduce((most, { length }) => Math.max(most, length), 0));
  const gap = runs.length > 0 ? ' ' : '';
  return fence + gap + text + gap + fence;
}

/** Text in a cell of a table: its lines are kept, and the depth that blanks before it show. */
function cellText(text: string): string {
  const lines = withoutColours(text).trimEnd().split('\n');
  return lines.map((line) => depthOf(line) + markdownText(line.trimStart()).replaceAll('|', '\\|')).join('<br>');
}

const depthOf = (line: string) => '&emsp;'.repeat(/^ */.exec(line)![0].length / 2);

export interface MarkdownColumn {
  readonly head: string;
  readonly align?: Align;
  /** The columns that its cells have, if they are known before; a longer one is not cut. */
  readonly width?: number;
}

const lineOf = (cells: readonly string[], columns: readonly MarkdownColumn[]) =>
  `| ${columns.map(({ width = 0, align }, i) => aligned(cells[i]!, width, align)).join(' | ')} |`;

/** The head of a table whose rows come later, each from {@link markdownRow}. */
export function markdownHead(columns: readonly MarkdownColumn[]): string[] {
  const rules = columns.map(({ head, align, width = 0 }) => {
    const rule = '-'.repeat(Math.max(3, width, head.length));
    return align === 'right' ? `${rule.slice(1)}:` : rule;
  });
  const heads = columns.map(({ head }) => cellText(head));
  return [lineOf(heads, columns), lineOf(rules, columns)];
}

export const markdownRow = (cells: readonly string[], columns: readonly MarkdownColumn[]): string =>
  lineOf(cells.map(cellText), columns);

/**
 * A table whose rows are all known: columns are as wide as their cells, so that it can be read without being rendered.
 */
export function markdownTable<Row>(all: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = rows.map((row) => all.map(({ cell }) => cell(row))).filter((row) => row.some((cell) => cell !== ''));
  const columns = all.map(({ head, align = 'right' }, i) => {
    const width = cells.reduce((most, row) => Math.max(most, widthOf(cellText(row[i]!))), widthOf(cellText(head)));
    return { head, align, width: Math.max(3, width) };
  });
  return [...markdownHead(columns), ...cells.map((row) => markdownRow(row, columns))];
}

/** Rows about a file as a table of two columns, without the rows that say nothing. */
export function markdownRows(rows: readonly LabelledRow[]): string[] {
  const labelled = rows.map(([label, ...parts]) => ({ label, text: rowText(parts) })).filter(({ text }) => text !== '');
  return markdownTable(
    [
      { head: '', align: 'left', cell: ({ label }) => label },
      { head: '', align: 'left', cell: ({ text }) => text },
    ],
    labelled,
  );
}

/** Lines of text as a list; one that is indented is below the one before it. */
export const markdownList = (lines: readonly string[]): string[] =>
  lines.map((line, i) => {
    const plain = withoutColours(line);
    return `${i > 0 && /^ {4}/.test(plain) ? '  ' : ''}- ${markdownText(plain.trim().replace(/\s*\n\s*/g, ' '))}`;
  });

export const markdownTitle = (name: string, about: readonly string[]): string[] => {
  const text = about.map((part) => withoutColours(part).trim()).filter((part) => part !== '');
  return [`### ${markdownText(name)}`, ...(text.length > 0 ? ['', markdownText(text.join(', '))] : [])];
};
