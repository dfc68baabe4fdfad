import Table from 'cli-table3';
import { type Column, tableLines } from './columns.ts';
import type { Theme } from './theme.ts';

/** Only the indent and the gaps are drawn. */
const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/**
 * A short table of tw-snap's own words, such as the fields of an item or the tables that export wrote. It looks as
 * `tableLines` does.
 *
 * Tables about recordings, and long ones, are not laid out by cli-table3, since they would be wrong or slow: it takes
 * the width of marks and of newer wide characters for another one than terminals do, so that a name shifts or cuts its
 * row, and 0.3 ms for each row, also if it gets them in pieces: 2,000 rows took 770 ms, and 6 ms in our own columns;
 * the list of all items and messages took 50 ms, as much as the rest of `schema`. At 80 and 160 columns, with and
 * without colours, the lines are the same.
 */
export function wordTable<Row>(all: readonly Column<Row>[], rows: readonly Row[], theme: Theme): string[] {
  // cli-table3 took 25 ms for the 66 rows of `schema obj_character`.
  if (rows.length > 8) return tableLines(all, rows, theme);
  const table = new Table({
    chars: { ...noBorders, left: '  ', middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: all.map(({ align = 'right' }) => align),
  });
  table.push(all.map(({ head }) => theme.dim(head)));
  for (const row of rows) table.push(all.map(({ cell }) => cell(row)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
