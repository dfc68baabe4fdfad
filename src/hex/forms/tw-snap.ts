import { readPairs } from '../cells.ts';
import { formOfRows, type RowLayout } from '../rows.ts';

/** Marks folded rows, which equal the row above, after their number of bytes: `… 176 bytes like the row above`. */
export const foldedRows = 'like the row above';

/**
 * The hexdump of this program, of Wireshark and of `tshark -x`
 *
 *      file  unpacked
 *       0.0  0000  00 03 00 06  ....  removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data
 *
 *     0000   45 00 00 47   E..G
 */
const layout: RowLayout = {
  name: 'tw-snap',
  row: /[ \t]*(?:[\da-f,]{1,12}\.\d[ \t]+)?([0-9a-f]{4,8})( {2,}|\t)(?=[0-9a-f]{2}(?:\s|$))/iy,
  bases: () => [16],
  repeatedRows: new RegExp(`[ \\t]*… [\\d,]+ bytes ${foldedRows}`, 'y'),
  readCells: (text, from, end, bytes) => readPairs(text, from, end, bytes, { groups: false, gapThatEnds: 2 }),
};

export const twSnap = formOfRows(layout, '0000  10 05 02 28  ...(');
