import { bitsOfSecond, type SecondTally } from '../../stats/tally.ts';
import { bar, clock, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';

interface Column {
  readonly head: string;
  readonly cell: (second: SecondTally) => string;
}

const allColumns: readonly Column[] = [
  { head: 'time', cell: ({ second }) => clock(second).replace(/\.00$/, '') },
  { head: 'snapshots', cell: ({ snapshots }) => thousands(snapshots) },
  { head: 'most items', cell: ({ items }) => thousands(items) },
  { head: 'messages', cell: ({ messages }) => thousands(messages) },
  { head: 'in snapshots', cell: ({ snapshotBits }) => bytesText(snapshotBits) },
  { head: 'in messages', cell: ({ messageBits }) => bytesText(messageBits) },
  { head: 'around', cell: ({ otherBits }) => bytesText(otherBits) },
  { head: 'bytes', cell: (second) => bytesText(bitsOfSecond(second)) },
];

/** The columns that are omitted in a narrow terminal, in this order. */
const dispensable = ['around', 'messages', 'in messages', 'most items', 'in snapshots'];

const [minBar, maxBar] = [8, 48];

/** Returns a row for each second. If there are more than `top` seconds, only the largest ones are listed, ordered by time. */
export function secondTable(seconds: readonly SecondTally[], theme: Theme, width: number, top: number): string[] {
  const heaviest = [...seconds].sort((a, b) => bitsOfSecond(b) - bitsOfSecond(a)).slice(0, top);
  const rows = heaviest.length < seconds.length ? heaviest.sort((a, b) => a.second - b.second) : seconds;
  const largest = rows.reduce((maximum, row) => Math.max(maximum, bitsOfSecond(row)), 1);
  const shown = fitting(rows, width - 3 - minBar);
  // Cells are created twice instead of being stored, since a recording may have hundreds of thousands of seconds.
  const lineOf = (cellOf: (column: Column) => string) =>
    `  ${shown.map(({ column, width }) => cellOf(column).padStart(width)).join('   ')}`;
  const heads = lineOf(({ head }) => head);
  const room = Math.min(maxBar, width - heads.length - 3);
  const barOf = (row: SecondTally) =>
    room < minBar ? '' : `   ${theme.role.position(bar(bitsOfSecond(row) / largest, room))}`;
  return [theme.dim(heads), ...rows.map((row) => lineOf(({ cell }) => cell(row)) + barOf(row))];
}

interface Sized {
  readonly column: Column;
  /** The number of characters, since cells contain only digits and ASCII text. */
  readonly width: number;
}

/** The columns that there is room for. */
function fitting(rows: readonly SecondTally[], room: number): Sized[] {
  let shown = allColumns.map((column) => {
    const width = rows.reduce((maximum, row) => Math.max(maximum, column.cell(row).length), column.head.length);
    return { column, width };
  });
  for (const unwanted of dispensable) {
    if (shown.reduce((sum, { width }) => sum + width + 3, -1) <= room) break;
    shown = shown.filter(({ column }) => column.head !== unwanted);
  }
  return shown;
}

const bytesText = (bits: number) => thousands(Math.round(bits / 8));
