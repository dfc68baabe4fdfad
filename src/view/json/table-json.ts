import type { Batch } from '../../tables/batch.ts';
import { jsonText } from '../text/escape.ts';

/** The rows of a batch as lines of JSON; missing values are null. */
export function* ndjsonRows({ columns, rows }: Batch): Generator<string, void> {
  for (let row = 0; row < rows; row++) {
    const entries = columns.map((values) => {
      const value = values.at(row);
      return [values.column.name, typeof value === 'object' ? Array.from(value) : (value ?? null)];
    });
    yield `${jsonText(Object.fromEntries(entries))}\n`;
  }
}
