import type { Table } from '../../text/drawn-table.ts';
import { withoutColours, wordsIn, wrap } from '../../text/layout.ts';
import { markdownList, markdownRows, markdownText } from '../../text/markdown.ts';
import type { ViewStyle } from '../../text/theme.ts';

export type Row = readonly [label: string, text: string];

/** What is said of one finding. Rows without text are left out. */
export interface Block {
  /** The sentence after its mark, in one or more lines. */
  readonly title: readonly string[];
  /** Lines of details below the title. */
  readonly details?: readonly string[];
  /** Texts that are wrapped between words. */
  readonly rows?: readonly Row[];
  /** Texts that are not wrapped, so that they can be copied: command lines, what is said of a log. */
  readonly copied?: readonly Row[];
}

const labelWidth = 12;

/**
 * A finding as text, or in markdown as a heading with a table below it.
 *
 *     ✗ a delta was made from the snapshot of tick 226, not from the announced base
 *         meaning     …
 *         see it      tw-snap decode …
 */
export const blockOf = ({ title, details = [], rows = [], copied = [] }: Block): Table => ({
  lines({ theme, width }: ViewStyle) {
    const labelled = (label: string, text: string) => `    ${theme.dim(label.padEnd(labelWidth))}${text}`;
    const wrapped = withText(rows).flatMap(([label, text]) =>
      wrap(wordsIn(text), width - labelWidth - 4).map((line, i) => labelled(i === 0 ? label : '', line)),
    );
    return [...title, ...details, ...wrapped, ...withText(copied).map(([label, text]) => labelled(label, text))];
  },
  markdown() {
    const heading = title.map((line) => withoutColours(line).trim()).join(' ');
    const all = withText([...rows, ...copied]);
    return [
      `#### ${markdownText(heading)}`,
      ...(details.length > 0 ? ['', ...markdownList(details.map((line) => line.trim()))] : []),
      ...(all.length > 0 ? ['', ...markdownRows(all)] : []),
    ];
  },
});

const withText = (rows: readonly Row[]) => rows.filter(([, text]) => text !== '');
