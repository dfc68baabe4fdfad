import { wrap } from '../hexdump/wrap.ts';
import type { Theme } from '../text/theme.ts';

/** A line about a recording: its label, and parts between which it may be wrapped. */
export type InfoRow = readonly [label: string, ...parts: string[]];

const labelWidth = 12;

/** Rows as lines; a long row continues on lines without a label. */
export function rowLines(rows: readonly InfoRow[], theme: Theme, width: number): string[] {
  return rows.flatMap(([label, ...parts]) => {
    const words = parts.filter((part) => part !== '').map((text) => ({ text, style: (word: string) => word }));
    return wrap(words, width - labelWidth - 4).map((line, i) => {
      return `  ${theme.dim((i === 0 ? label : '').padEnd(labelWidth))}  ${line}`;
    });
  });
}

export function commas(parts: readonly string[]): string[] {
  return parts.map((part, i) => (i < parts.length - 1 ? `${part},` : part));
}

export const commasOrNone = (parts: readonly string[]): string[] => (parts.length === 0 ? ['none'] : commas(parts));

/** A total followed by its parts. */
export const listed = (total: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [total] : [`${total.padEnd(5)} `, ...commas(parts)];
