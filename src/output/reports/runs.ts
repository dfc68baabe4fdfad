import { nearUnits, type PlaceTimes } from '../../analysis/stats/run-times.ts';
import { areOnOneMap, type RunMap } from '../../editing/run-map.ts';
import type { Column } from '../text/columns.ts';
import { tableOf } from '../text/drawn-table.ts';
import { escapeText } from '../text/escape.ts';
import { printSections } from '../text/sections.ts';
import { markOf, type Theme, type ViewStyle } from '../text/theme.ts';

const seconds = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2));
const signed = (value: number | undefined, theme: Theme) => {
  if (value === undefined) return '';
  const text = `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
  return Math.abs(value) < 0.005 ? '0.00' : (value > 0 ? theme.error : theme.added)(text);
};

/**
 * `! the runs are on different maps: Kobra (sha256 b2b2b2b2…), Kobra (sha256 a1a1a1a1…)`; undefined if they are on one.
 */
function mapNote({ first, second }: RunMaps, theme: Theme): string | undefined {
  const isOne = areOnOneMap(first, second);
  if (isOne) return undefined;
  const [left, right] = [mapText(first), mapText(second)];
  const same = `${left} and ${right}: the files have no sum in common that tells whether it is one map`;
  return `${markOf('warning', theme)} ${isOne === false ? `the runs are on different maps: ${left}, ${right}` : same}`;
}

function mapText({ name, crc, sha256 }: RunMap): string {
  const sum =
    sha256 === undefined ? crc && `crc ${crc.toString(16).padStart(8, '0')}` : `sha256 ${sha256.slice(0, 8)}…`;
  return `${escapeText(name)}${sum ? ` (${sum})` : ''}`;
}

interface RunMaps {
  readonly first: RunMap;
  readonly second: RunMap;
}

export function renderRunDiff(places: readonly PlaceTimes[], title: string, style: ViewStyle, maps: RunMaps): string {
  const { theme } = style;
  const note = mapNote(maps, theme);
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
  const lines = note === undefined ? [] : [{ lines: [note] }];
  return printSections([{ title: [title] }, ...lines, { table: tableOf(columns, places) }, { lines: notes }], style);
}
