import Table from 'cli-table3';
import { columnsOf } from './line-wrapping.ts';

export type Align = 'left' | 'right';

/** The maximum number of lines for cli-table3, since its running time grows quadratically. */
const together = 200;

/**
 * Aligns rows in columns without borders; a cell may have several lines. Widths are measured as on a terminal, where colours have no
 * width and some characters take two columns.
 */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[], indent = '  '): string[] {
  const lines = rows.flatMap(linesOf);
  // cli-table3 is slow with many lines, and measures marks and newer wide characters differently from terminals.
  return lines.length <= together && lines.every((line) => line.every(isPlain))
    ? laidOut(lines, align, indent)
    : padded(lines, align, indent);
}

const none = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
};

function laidOut(lines: readonly (readonly string[])[], align: readonly Align[], indent: string): string[] {
  if (lines.length === 0) return [];
  const table = new Table({
    chars: { ...none, left: indent, 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: [...align],
  });
  for (const line of lines) table.push([...line]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

function padded(lines: readonly (readonly string[])[], align: readonly Align[], indent: string): string[] {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [i, text] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(text));
  }
  return lines.map((line) => {
    const cells = line.map((text, i) => {
      const blanks = ' '.repeat(widths[i]! - widthOf(text));
      return align[i] === 'right' ? blanks + text : text + blanks;
    });
    return (indent + cells.join('   ')).trimEnd();
  });
}

/** Splits a row into rows of single lines, as many as its longest cell has. */
function linesOf(row: readonly string[]): (readonly string[])[] {
  if (!row.some((cell) => cell.includes('\n'))) return [row];
  const cells = row.map((cell) => cell.split('\n'));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => cells.map((lines) => lines[i] ?? ''));
}

const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g');

/** Text without the codes of colours. */
const withoutColours = (text: string) => text.replace(colours, '');

/** The width of a coloured text on a terminal, in columns. */
export const widthOf = (text: string) => columnsOf(withoutColours(text));

const isPlain = (text: string) => !/[^ -~]/.test(withoutColours(text));
