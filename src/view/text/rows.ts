import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

/** A line about a recording: its label, and parts between which it may be wrapped. */
export type LabelledRow = readonly [label: string, ...parts: string[]];

/** Rows as lines; a long row continues on lines without a label. */
export function rowLines(rows: readonly LabelledRow[], theme: Theme, width: number, labelWidth = 12): string[] {
  return rows.flatMap(([label, ...parts]) => {
    const words = parts.filter((part) => part !== '');
    return wrap(words, width - labelWidth - 4).map((line, i) => {
      return `  ${theme.dim((i === 0 ? label : '').padEnd(labelWidth))}  ${line}`;
    });
  });
}

/** The same texts, all but the last with a comma after it. */
export function commas(parts: readonly string[]): string[] {
  return parts.map((part, i) => (i < parts.length - 1 ? `${part},` : part));
}

export const commasOrNone = (parts: readonly string[]): string[] => (parts.length === 0 ? ['none'] : commas(parts));

/** A total followed by its parts. */
export const listed = (total: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [total] : [`${total.padEnd(5)} `, ...commas(parts)];
