import type { Batch } from '../../tables/batch.ts';
import type { CellValue, TableSchema } from '../../tables/column.ts';
import { type CsvCell, csvLine } from './csv.ts';

export const csvHead = ({ columns }: TableSchema): string => csvLine(columns.map(({ name }) => name));

/** Rows of a batch as CSV, from one number up to another; a list as its numbers with spaces. */
export function csvRows({ columns }: Batch, from: number, to: number): string {
  let text = '';
  for (let row = from; row < to; row++) text += csvLine(columns.map((values) => cell(values.at(row))));
  return text;
}

function cell(value: CellValue): CsvCell {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? Array.from(value).join(' ') : value;
}
