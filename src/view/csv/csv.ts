import { escaped, printable } from '../text/escape.ts';

export type CsvCell = string | number | undefined;

/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@]/;

/**
 * A line of CSV (RFC 4180, ended by LF): quoted where it has to be, undefined as nothing. Text is made safe to print, so that a
 * row is one line, and none begins as a formula does: `=1+1` is `\u{3d}1+1`.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\n`;

/** A cell of {@link csvLine}. */
export function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = printable(cell).replace(formula, escaped);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
