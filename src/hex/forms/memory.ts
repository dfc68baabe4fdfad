import { type CellKind, cellsOf, gapAfter, pushCell, readPairs, surveyCells } from '../cells.ts';
import type { Form } from '../form.ts';
import { type RowLayout, readRows } from '../rows.ts';

/**
 * Memory dumps of debuggers. Words are little-endian.
 *
 *     0x7ffffffde3f0:	0x10	0x05	0x02	0x28            gdb x/4xb
 *     0x5555555580a0 <packet>:	0x28020510	0xed4ae19d  gdb x/2xw
 *     0x5555555580a0 <packet+8>:	16	5	2	40          gdb x/4ub
 *     0x5555555580a0: 10 05 02 28 9d e1 4a ed  ...(..J.  lldb memory read
 *     00007ff6`1e3ab0c0  10 05 02 28-9d e1 4a ed  ...(   WinDbg db
 */
const cells = '(?=0x[0-9a-f]|-?\\d{1,3}[\\s-]|[01]{8}\\s|[0-9a-f]{2}[\\s-])';
const row = new RegExp(
  `[ \\t]*(?:=> )?(?:0x)?((?<=0x)[0-9a-f]{4,16}|[0-9a-f]{8}\`[0-9a-f]{8}|[0-9a-f]{14,16})((?: <[^>\\n]{0,200}>)?:[ \\t]*| {2,}|\\t)${cells}`,
  'iy',
);

/** WinDbg prints a dash between the eighth and the ninth byte. */
const windbgDash = /(?<=\b[0-9a-f]{2})-(?=[0-9a-f]{2}\b)/gi;

type Kind = CellKind | 'pairs';

function kindOf(text: string): Kind | undefined {
  const survey = surveyCells(text, row, gapAfter);
  return survey && kindOfCells(survey.cells);
}

const wordSizes = [1, 2, 4, 8] as const;

function kindOfCells(cells: readonly string[]): Kind | undefined {
  const all = (pattern: RegExp) => cells.every((cell) => pattern.test(cell));
  if (all(/^(?:[0-9a-f]{2}(?:-[0-9a-f]{2})?)$/i)) return 'pairs';
  if (all(/^0x/i)) return { base: 16, size: wordSizes.find((size) => cells[0]!.length <= 2 + 2 * size) ?? 8 };
  if (all(/^[01]{8}$/)) return { base: 2, size: 1 };
  return all(/^-?\d{1,3}$/) ? { base: 10, size: 1 } : undefined;
}

export const memory: Form = {
  name: "a debugger's memory",
  example: '0x5555555580a0: 0x10 0x05',
  detect: ({ text }) => kindOf(text) !== undefined,
  read({ text }) {
    const kind = kindOf(text)!;
    const layout: RowLayout = {
      name: "a debugger's memory",
      row,
      bases: () => [16],
      isMemory: true,
      readCells(line, from, end, bytes) {
        if (kind === 'pairs') return readPairs(line, from, end, bytes, { groups: false, gapThatEnds: 2 });
        for (const { at, cell } of cellsOf(line, from, end)) pushCell(line, at, cell, kind, bytes);
      },
    };
    return readRows(kind === 'pairs' ? text.replace(windbgDash, ' ') : text, layout);
  },
};
