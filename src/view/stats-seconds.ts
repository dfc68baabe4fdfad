import { bitsOfSecond, type SecondTally } from '../stats/second-tallies.ts';
import { clock } from './measure.ts';
import { thousands } from './number.ts';
import { bar } from './spark.ts';
import type { Theme } from './theme.ts';

const columnsOfSeconds: readonly (readonly [head: string, cell: (second: SecondTally) => string])[] = [
  ['time', ({ second }) => clock(second).replace(/\.00$/, '')],
  ['snapshots', ({ snapshots }) => thousands(snapshots)],
  ['most items', ({ items }) => thousands(items)],
  ['messages', ({ messages }) => thousands(messages)],
  ['in snapshots', ({ snapshotBits }) => bytesText(snapshotBits)],
  ['in messages', ({ messageBits }) => bytesText(messageBits)],
  ['around', ({ otherBits }) => bytesText(otherBits)],
  ['bytes', (second) => bytesText(bitsOfSecond(second))],
];

/** What is left out where there is no room, the first first. */
const dispensable = ['around', 'messages', 'in messages', 'most items'];

const [minBar, maxBar] = [8, 48];

/** A row for each second; of many the heaviest `top`, in their order. */
export function secondTable(seconds: readonly SecondTally[], theme: Theme, width: number, top: number): string[] {
  const heaviest = [...seconds].sort((a, b) => bitsOfSecond(b) - bitsOfSecond(a)).slice(0, top);
  const rows = heaviest.length < seconds.length ? heaviest.sort((a, b) => a.second - b.second) : seconds;
  const largest = rows.reduce((most, row) => Math.max(most, bitsOfSecond(row)), 1);
  let shown = columnsOfSeconds;
  let lines = aligned(shown, rows);
  for (const unwanted of dispensable) {
    if (lines[0]!.length + 3 + minBar <= width) break;
    shown = shown.filter(([head]) => head !== unwanted);
    lines = aligned(shown, rows);
  }
  const [heads, ...texts] = lines as [string, ...string[]];
  const room = Math.min(maxBar, width - heads.length - 3);
  const barOf = (row: SecondTally) => theme.role.position(bar(bitsOfSecond(row) / largest, room));
  return [theme.dim(heads), ...texts.map((line, i) => (room < minBar ? line : `${line}   ${barOf(rows[i]!)}`))];
}

/** Numbers alone, a column wide each character: a table of hours is put together quickly. */
function aligned(shown: typeof columnsOfSeconds, rows: readonly SecondTally[]): string[] {
  const cells = [shown.map(([head]) => head), ...rows.map((row) => shown.map(([, cell]) => cell(row)))];
  const widths = shown.map((_, i) => cells.reduce((most, row) => Math.max(most, row[i]!.length), 0));
  return cells.map((row) => `  ${row.map((cell, i) => cell.padStart(widths[i]!)).join('   ')}`);
}

const bytesText = (bits: number) => thousands(Math.round(bits / 8));
