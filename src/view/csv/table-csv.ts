import type { Batch, ColumnValues } from '../../tables/batch.ts';
import type { TableSchema } from '../../tables/column.ts';
import { csvCell, csvLine } from './csv.ts';

export const csvHead = ({ columns }: TableSchema): string => csvLine(columns.map(({ name }) => name));

/** The rows of a batch as lines of CSV; a list is a cell of numbers separated by spaces. */
export function* csvRows({ columns, rows }: Batch): Generator<string, void> {
  const cells = columns.map(cellsOf);
  for (let row = 0; row < rows; row++) {
    let line = cells[0]!(row);
    for (let i = 1; i < cells.length; i++) line += `,${cells[i]!(row)}`;
    yield `${line}\n`;
  }
}

/** Returns the cells of a column by row. */
function cellsOf({ column, numbers, texts, lists, nulls }: ColumnValues): (row: number) => string {
  const orNothing = (cell: (row: number) => string) => (nulls ? (row: number) => (nulls[row] ? '' : cell(row)) : cell);
  switch (column.kind) {
    case 'text': {
      const cells = texts.map(csvCell);
      return orNothing((row) => cells[numbers[row]!]!);
    }
    case 'ints':
      return orNothing((row) => Array.from(lists[numbers[row]!]!).join(' '));
    case 'boolean':
      return orNothing((row) => (numbers[row] === 1 ? 'true' : 'false'));
    default:
      return orNothing((row) => String(numbers[row]));
  }
}
