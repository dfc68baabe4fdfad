import { type CellKind, cellsOf, pushCell, surveyCells } from '../cells.ts';
import type { Form } from '../form.ts';
import { type RowLayout, readRows } from '../rows.ts';

/**
 * Numbers other than pairs of hex digits, as printed by `hexdump` and `od`: their defaults, and `-x`, `-b`, `-d`, `-o`,
 * `-t u1`. Words have the byte order of the machine that printed them, assumed to be little-endian.
 *
 *     0000000 0510 2802 e19d ed4a       hexdump, od -x
 *     0000000 002420 024002 160635      od
 *     0000000 020 005 002 050 235       od -b
 *     0000000  16   5   2  40 157       od -t u1
 */
const row = /[ \t]*([0-9a-f]{6,12})([ \t]+)(?=-?[0-9a-f]{1,16}(?:\s|$))/iy;

function kindOf(text: string): CellKind | undefined {
  const survey = surveyCells(text, row);
  if (!survey || (!/^0+$/.test(survey.address) && survey.address.length !== 7)) return undefined;
  return kindOfCells(survey.cells);
}

function kindOfCells(cells: readonly string[]): CellKind | undefined {
  const all = (pattern: RegExp) => cells.every((cell) => pattern.test(cell));
  if (all(/^[0-9a-f]{2}$/i)) return undefined;
  if (all(/^[0-3][0-7]{2}$/) && !cells.every((cell) => cell[0] !== '0')) return { base: 8, size: 1 };
  if (all(/^[0-9a-f]{4}$/i)) return { base: 16, size: 2 };
  if (all(/^[0-9a-f]{8}$/i)) return { base: 16, size: 4 };
  if (all(/^[0-9a-f]{16}$/i)) return { base: 16, size: 8 };
  if (all(/^[01][0-7]{5}$/)) return { base: 8, size: 2 };
  if (all(/^\d{5}$/)) return { base: 10, size: 2 };
  if (!all(/^-?(?:0|[1-9]\d{0,4})$/)) return undefined;
  return { base: 10, size: cells.some((cell) => Math.abs(Number(cell)) > 255) ? 2 : 1 };
}

export const words: Form = {
  name: 'little-endian words',
  example: '0000000 0510 2802',
  detect: ({ text }) => kindOf(text) !== undefined,
  read({ text }) {
    const kind = kindOf(text)!;
    const layout: RowLayout = {
      name: 'hexdump or od',
      row,
      bases: () => [16, 8, 10],
      hasEndAddress: true,
      padding: kind.size - 1,
      readCells(line, from, end, bytes) {
        for (const { at, cell } of cellsOf(line, from, end)) pushCell(line, at, cell, kind, bytes);
      },
    };
    return readRows(text, layout);
  },
};
