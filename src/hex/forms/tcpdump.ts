import { readPairs } from '../cells.ts';
import { formOfRows, type RowLayout } from '../rows.ts';

/**
 * `tcpdump -x`, `-X`, `-XX`
 *
 *     12:00:00.000000 IP 127.0.0.1.8303 > 127.0.0.1.40012: UDP, length 43
 *     	0x0000:  4500 0047 0000 4000  E..G..@.
 */
const layout: RowLayout = {
  name: 'tcpdump',
  row: /[ \t]*0x([0-9a-f]{4})(:[ \t]+)(?=[0-9a-f]{4}(?:\s|$)|[0-9a-f]{2}(?: {2}|\s*$|\s*\n))/iy,
  bases: () => [16],
  readCells: (text, from, end, bytes) => readPairs(text, from, end, bytes, { groups: true, gapThatEnds: 2 }),
};

export const tcpdump = formOfRows(layout, '0x0000:  4500 0047');
