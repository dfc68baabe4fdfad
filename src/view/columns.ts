import { columnsOf } from './flow.ts';

export type Align = 'left' | 'right';

/**
 * Rows as aligned columns without borders; a cell may have several lines. Widths count what a terminal shows, colours and wide
 * characters included.
 */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[], indent = '  '): string[] {
  const measured = rows.flatMap(linesOf).map((line) => line.map((text) => ({ text, width: shownWidth(text) })));
  const widths: number[] = [];
  for (const line of measured) {
    for (const [i, { width }] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, width);
  }
  return measured.map((line) => {
    const cells = line.map(({ text, width }, i) => {
      const blanks = ' '.repeat(widths[i]! - width);
      return align[i] === 'right' ? blanks + text : text + blanks;
    });
    return (indent + cells.join('   ')).trimEnd();
  });
}

/** A row whose cells have a line each, for every line of its longest cell. */
function linesOf(row: readonly string[]): string[][] {
  const cells = row.map((cell) => cell.split('\n'));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => cells.map((lines) => lines[i] ?? ''));
}

const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g');

const shownWidth = (text: string) => columnsOf(text.replace(colours, ''));
