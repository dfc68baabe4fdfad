import { type CellKind, cellsOf, pushCell, readPairs } from '../cells.ts';
import { linesOf } from '../characters.ts';
import type { Form } from '../form.ts';
import { formOfRows, type RowLayout, readRows } from '../rows.ts';

/**
 * `xxd` with any number of bytes per group and row; Emacs' hexl-mode
 *
 *     00000000: 1005 0228 9de1 4aed  ...(..J.
 */
const layout: RowLayout = {
  name: 'xxd',
  row: /[ \t]*([0-9a-f]{4,12})(:[ \t]+)(?=[0-9a-f]{2,}(?:\s|$))/iy,
  // Addresses are decimal with `-d`.
  bases: () => [16, 10],
  brokenRow: /([0-9a-z]{4,12}):[ \t]*\S/iy,
  readCells: (text, from, end, bytes) => readPairs(text, from, end, bytes, { groups: true, gapThatEnds: 2 }),
};

export const xxd: Form = {
  ...formOfRows(layout, '00000000: 1005 0228'),
  read({ text }) {
    const words = littleEndianWords(text);
    return readRows(text, words ? { ...layout, readCells: wordsUpTo(words) } : layout);
  },
};

/** The size of little-endian groups, and the column where the characters begin. */
interface Words {
  readonly size: CellKind['size'];
  readonly column: number;
}

const rowWithText = /^([0-9a-f]+:[ \t]+)((?:[0-9a-f]{4,16} )*[0-9a-f]{4,16}) {2}(\S.*)$/i;
/** The number of rows that are compared with their characters. */
const comparedRows = 64;

/** `xxd -e` looks like `xxd -g 4`; only the characters after the bytes show the byte order. */
function littleEndianWords(text: string): Words | undefined {
  let rows = 0;
  for (const [start, end] of linesOf(text)) {
    const row = rowWithText.exec(text.slice(start, Math.min(end, start + 400)));
    if (!row) continue;
    const [, head, cells, characters] = row as unknown as [string, string, string, string];
    const groups = cells.split(' ');
    const digits = groups[0]!.length;
    if ((digits === 4 || digits === 8 || digits === 16) && groups.every(({ length }) => length === digits)) {
      const bytes = groups.map((group) => group.match(/../g)!);
      const swapped = bytes.map((group) => group.toReversed());
      if (!isShownAs(bytes.flat(), characters) && isShownAs(swapped.flat(), characters)) {
        return { size: (digits / 2) as Words['size'], column: head.length + cells.length };
      }
    }
    if (++rows === comparedRows) return undefined;
  }
  return undefined;
}

function isShownAs(pairs: readonly string[], characters: string): boolean {
  return pairs.every((pair, i) => {
    const byte = Number.parseInt(pair, 16);
    return (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.') === characters[i] || byte === 0x20;
  });
}

/** Gaps do not end these rows, since an incomplete last word is aligned to the right. */
function wordsUpTo({ size, column }: Words): RowLayout['readCells'] {
  return (text, from, end, bytes) => {
    const start = text.lastIndexOf('\n', from) + 1;
    const indent = /[ \t]*/.exec(text.slice(start, from))![0].length;
    const limit = Math.min(end, start + indent + column);
    for (const { at, cell } of cellsOf(text, from, limit)) {
      const whole = cell.length === 2 * size;
      pushCell(text, at, cell, { base: 16, size: whole ? size : 8 }, bytes);
      if (!whole) bytes.drop(8 - cell.length / 2);
    }
  };
}
