import { escaped, printable } from '../text/escape.ts';

export type CsvCell = string | number | undefined;

/** The characters with which a formula begins in a spreadsheet. */
const formula = /^[=+\-@]/;

/** Matches text that is a cell as it is, which is the usual case. */
const plain = /^(?![=+\-@])[ !#-+\--~]*$/;

/**
 * A line of CSV (RFC 4180, with LF at the end): quoted if necessary, empty for undefined. Text is escaped, so that a
 * row is one line and no cell begins like a formula: `=1+1` becomes `\u{3d}1+1`.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\n`;

/** A cell of {@link csvLine}. */
export function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  if (plain.test(cell)) return cell;
  const text = printable(cell).replace(formula, escaped);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
