import { type Align, columns } from '../text/columns.ts';
import { commas, wrap } from '../text/layout.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';

/** A row of a table of items or messages. */
export interface RowWithFields {
  readonly cells: readonly string[];
  readonly fields: readonly { readonly name: string }[];
}

/** The minimum width of the column of field names: cut to one line, or wrapped. */
const [leastCut, leastWrapped] = [16, 40];
const indent = '      ';

/** The width of columns whose cells have these heads and texts, with the gap after them. */
export function widthOfColumns(head: readonly string[], rows: readonly (readonly string[])[]): number {
  return head.reduce((sum, cell, i) => sum + 3 + Math.max(cell.length, ...rows.map((row) => row[i]!.length)), 2);
}

/**
 * Lines of a table with the names of the fields: after the cells if there is room, with `verbose` otherwise below them. Without
 * `verbose`, the names are cut to one line.
 */
export function tableWithFields(
  head: readonly string[],
  align: readonly Align[],
  rows: readonly RowWithFields[],
  { theme, width, verbose, limit }: ViewStyle,
): string[] {
  const cells = rows.map((row) => row.cells);
  const room = width - widthOfColumns(head, cells);
  const heads = head.map((cell) => theme.dim(cell));
  const names = ({ fields }: RowWithFields, room: number) =>
    wrap(
      commas(fields.map(({ name }) => name)).map((text) => ({ text, style: theme.dim })),
      room,
    );
  if (room >= (verbose ? leastWrapped : leastCut)) {
    const ofRow = (row: RowWithFields) => {
      if (verbose) return names(row, room).join('\n');
      const first = row.fields[0]?.name ?? '';
      return first.length > room - 3 ? theme.dim('…') : cut(names(row, room - 2), theme);
    };
    return columns(
      [[...heads, theme.dim('fields')], ...rows.map((row) => [...row.cells, ofRow(row)])],
      [...align, 'left'],
      { limit },
    );
  }
  const [first, ...lines] = columns([heads, ...cells], align);
  const below = (row: RowWithFields) => (verbose ? names(row, width - indent.length).map((line) => indent + line) : []);
  return [first!, ...lines.flatMap((line, i) => [line, ...below(rows[i]!)])];
}

const cut = ([first = '', ...more]: readonly string[], theme: Theme): string =>
  more.length > 0 ? `${first} ${theme.dim('…')}` : first;
