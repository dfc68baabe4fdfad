import { nearUnits, type PlaceTimes } from '../../stats/run-times.ts';
import { type Column, tableLines } from '../text/columns.ts';
import type { Theme } from '../text/theme.ts';

const seconds = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2));
const signed = (value: number | undefined, theme: Theme) => {
  if (value === undefined) return '';
  const text = `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
  return Math.abs(value) < 0.005 ? '0.00' : (value > 0 ? theme.error : theme.added)(text);
};

/** The times of two runs at equal places as a table, and where most was lost. */
export function renderRunDiff(places: readonly PlaceTimes[], title: string, theme: Theme): string {
  const difference = ({ first, second }: PlaceTimes) => (second === undefined ? undefined : second - first);
  const columns: readonly Column<PlaceTimes>[] = [
    { head: 'way', cell: ({ way }) => `${(100 * way).toFixed(0)}%` },
    { head: 'x, y in tiles', cell: ({ x, y }) => `${(x / 32).toFixed(1)}, ${(y / 32).toFixed(1)}` },
    { head: 'first', cell: ({ first }) => seconds(first) },
    { head: 'second', cell: ({ second }) => seconds(second) },
    { head: 'difference', cell: (place) => signed(difference(place), theme) },
    { head: 'lost here', cell: ({ lost }) => signed(lost, theme) },
  ];
  const [most] = [...places].sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0));
  const end = places.findLast((place) => place.second !== undefined);
  const apart = places.filter(({ second }) => second === undefined).length;
  const behind = end && difference(end)!;
  const notes = [
    behind === undefined
      ? 'the runs have no place in common'
      : `at the last common place the second run is ${Math.abs(behind).toFixed(2)} s ${behind > 0 ? 'slower' : 'faster'}`,
    ...(most?.lost && most.lost > 0.005
      ? [`most was lost before ${(100 * most.way).toFixed(0)}% of the way: ${seconds(most.lost)} s`]
      : []),
    ...(apart > 0 ? [`at ${apart} places the second run is more than ${nearUnits / 32} tiles away`] : []),
  ];
  return `${[theme.strong(title), '', ...tableLines(columns, places, theme), '', ...notes].join('\n')}\n`;
}
