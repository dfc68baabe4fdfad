import { wrap } from './layout.ts';
import type { Theme } from './theme.ts';

/** A number that the parts after it divide up: text has blanks after it, markdown and the page a colon. */
interface Total {
  readonly total: string;
  /** The columns that it has in a text. */
  readonly width: number;
}

export type RowPart = string | Total;

/** A line about a recording: its label, and parts between which it may be wrapped. */
export type LabelledRow = readonly [label: string, ...parts: RowPart[]];

/** The parts of a row in one line, with a colon after a total. */
export const rowText = (parts: readonly RowPart[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : `${part.total}:`))
    .filter((part) => part !== '')
    .join(' ');

/** Rows as lines; a long row continues on lines without a label. */
export function rowLines(rows: readonly LabelledRow[], theme: Theme, width: number, labelWidth = 12): string[] {
  return rows.flatMap(([label, ...parts]) => {
    const words = parts.map((part) => (typeof part === 'string' ? part : part.total.padEnd(part.width)));
    const shown = words.filter((part) => part !== '');
    return wrap(shown, width - labelWidth - 4).map((line, i) => {
      return `  ${theme.dim((i === 0 ? label : '').padEnd(labelWidth))}  ${line}`;
    });
  });
}

/** The same texts, all but the last with a comma after it. */
export function commas(parts: readonly string[]): string[] {
  return parts.map((part, i) => (i < parts.length - 1 ? `${part},` : part));
}

export const commasOrNone = (parts: readonly string[]): string[] => (parts.length === 0 ? ['none'] : commas(parts));

export const listed = (total: string, parts: readonly string[]): RowPart[] =>
  parts.length === 0 ? [total] : [{ total, width: Math.max(5, total.length) + 1 }, ...commas(parts)];
