import { readPairs } from '../cells.ts';
import { formOfRows, type RowLayout } from '../rows.ts';

/**
 * Single bytes of `hexdump -C`, `hd`, `od -t x1`
 *
 *     00000000  10 05 02 28 9d e1 4a ed  be f9 29 13 e9 bb 68 8a  |...(..J...)...h.|
 *     000000 10 05 02 28 9d e1 4a ed be f9 29 13 e9 bb 68 8a  >...(..J...)...h.<      od -A x -t x1z
 */
const layout: RowLayout = {
  name: 'hexdump',
  row: /[ \t]*([0-9a-f]{6,12})([ \t]+)(?=[0-9a-f]{2}(?:\s|$))/iy,
  // Addresses of seven digits are od's: octal by default, or decimal.
  bases: ({ length }) => (length === 7 ? [8, 10, 16] : [16, 10]),
  hasEndAddress: true,
  brokenRow: /([0-9a-z]{6,12})[ \t]+\S/iy,
  readCells: (text, from, end, bytes) => readPairs(text, from, end, bytes, { groups: false, gapThatEnds: undefined }),
};

export const hexdump = formOfRows(layout, '00000000  10 05 02 28  |...(|');
