import Table from 'cli-table3';

export type Align = 'left' | 'right';

/** Rows as aligned columns without borders; widths count what a terminal shows, colours and wide characters included. */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[], indent = '  '): string[] {
  if (rows.length === 0) return [];
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
  const table = new Table({
    chars: { ...none, left: indent, 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: [...align],
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
