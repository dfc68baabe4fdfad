import { escaped, escapeText, printableJson } from '../text/escape.ts';
import { cellOf, type Field, type Fields, kinds } from './fields.ts';

export type CsvCell = string | number | null | undefined;

/** The character with which a formula begins in a spreadsheet, which a number is not. */
const formula = /^(?!-\d+(?:\.\d+)?$)[=+\-@]/;

/** Matches text that is a cell as it is, which is the usual case. */
const plain = /^(?![=+\-@])[ !#-+\--[\]-~]*$/;

/**
 * A line of CSV (RFC 4180, with LF at the end): quoted if necessary, empty for undefined. Text is escaped as
 * everywhere, so that a row is one line, and `unescapeText` has the text again. No cell begins like a formula: `=1+1`
 * becomes `\u{3d}1+1`.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\n`;

export function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  if (plain.test(cell)) return cell;
  return quoted(escapeText(cell).replace(formula, escaped));
}

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell with JSON, which has escapes of its own. */
export const jsonCell = (json: string): string => quoted(printableJson(json));

export const csvHeadOf = (fields: Fields): string => csvLine(Object.keys(fields));

/** The values of a source as a line below {@link csvHeadOf}. */
export function csvLineOf<Source>(fields: Fields<Source>, source: Source): string {
  const cells = Object.values<Field<Source>>(fields).map((field) => {
    const cell = cellOf(field, source);
    if (typeof cell === 'boolean') return String(cell);
    return kinds[field.kind].column === 'json' && cell !== undefined ? jsonCell(String(cell)) : csvCell(cell);
  });
  return `${cells.join(',')}\n`;
}
