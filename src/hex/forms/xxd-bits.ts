import { cellsOf, gapAfter, pushCell } from '../cells.ts';
import type { Form } from '../form.ts';
import { formOfRows, type RowLayout } from '../rows.ts';

/**
 * `xxd -b`
 *
 *     00000000: 00010000 00000101 00000010 00101000  ...(
 */
const layout: RowLayout = {
  name: 'xxd -b',
  row: /[ \t]*([0-9a-f]{4,12})(:[ \t]+)(?=[01]{8}(?:\s|$))/iy,
  bases: () => [16, 10],
  brokenRow: /([0-9a-z]{4,12}):[ \t]*\S/iy,
  readCells(text, from, end, bytes) {
    for (const { at, cell } of cellsOf(text, from, gapAfter(text, from, end))) {
      pushCell(text, at, cell, { base: 2, size: 1 }, bytes);
    }
  },
};

const firstRow = /^[ \t]*[0-9a-f]{4,12}:[ \t]+([0-9a-f]+(?: [0-9a-f]+)*)(?: {2,}([^\n]*))?/im;

/** `xxd -g 4` may also print groups of the digits 0 and 1, but with four characters for each group. */
function hasBits(text: string): boolean {
  const row = firstRow.exec(text);
  if (!row) return false;
  const groups = row[1]!.split(' ');
  return groups.every((group) => /^[01]{8}$/.test(group)) && (row[2] ?? '').trimEnd().length <= groups.length;
}

export const xxdBits: Form = {
  ...formOfRows(layout, '00000000: 00010000 00000101'),
  detect: ({ text }) => hasBits(text),
};
