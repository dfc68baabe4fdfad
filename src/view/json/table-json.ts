import type { Batch } from '../../tables/batch.ts';
import { jsonText } from '../text/escape.ts';

/** Rows of a batch as lines of JSON, from one number up to another; values that a row lacks are null. */
export function ndjsonRows({ columns }: Batch, from: number, to: number): string {
  let text = '';
  for (let row = from; row < to; row++) {
    const entries = columns.map((values) => {
      const value = values.at(row);
      return [values.column.name, typeof value === 'object' ? Array.from(value) : (value ?? null)];
    });
    text += `${jsonText(Object.fromEntries(entries))}\n`;
  }
  return text;
}
