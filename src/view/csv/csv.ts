import { escaped, printable } from '../text/escape.ts';

export type CsvCell = string | number | undefined;

/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@]/;

/**
 * A line of CSV (RFC 4180, ended by LF): quoted where it has to be, undefined as nothing. Text is made safe to print, so that a
 * row is one line, and none begins as a formula does: `=1+1` is `\u{3d}1+1`.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  const quoted = cells.map((cell) => {
    const text = typeof cell === 'string' ? safe(cell) : String(cell ?? '');
    return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\n`;
}

const safe = (text: string) => printable(text).replace(formula, escaped);
