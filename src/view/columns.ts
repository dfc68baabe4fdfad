import Table from 'cli-table3';

export type Align = 'left' | 'right';

/** Rows that are laid out together: the time a table takes grows with their square. */
const together = 200;

/** Rows as aligned columns without borders; widths count what a terminal shows, colours and wide characters included. */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[], indent = '  '): string[] {
  const parts: (readonly string[])[][] = [];
  for (let i = 0; i < rows.length; i += together) parts.push(rows.slice(i, i + together));
  const tables = parts.map((part) => laidOut(part, align, indent));
  if (tables.length === 1) return tables[0]!.lines;
  const widths = align.map((_, i) => Math.max(...tables.map((table) => table.widths[i]!)));
  return parts.flatMap((part) => laidOut(part, align, indent, widths).lines);
}

function laidOut(rows: readonly (readonly string[])[], align: readonly Align[], indent: string, widths: number[] = []) {
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
  // Filled with those that it chooses.
  const colWidths = [...widths];
  const table = new Table({
    chars: { ...none, left: indent, 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: [...align],
    colWidths,
  });
  for (const row of rows) table.push([...row]);
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return { lines, widths: colWidths };
}
