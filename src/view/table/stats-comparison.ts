import { columns } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { numberText, thousands } from '../text/number.ts';
import { asIs } from '../text/theme.ts';
import { headline, type StatsStyle } from './stats.ts';
import { type StatsReport, type StatsRow, type StatsSection, sectionsOf } from './stats-rows.ts';

/** A row of both recordings; the numbers are bytes per snapshot. */
interface ComparedRow {
  readonly label: string;
  readonly depth: 0 | 1 | 2;
  readonly old: number;
  readonly new: number;
  /** The average number of bits per occurrence. */
  readonly bitsEach: readonly [number | undefined, number | undefined];
}

/** Smaller differences are listed only if all rows are requested. */
const leastDifference = 0.005;
/** Below the first width of a terminal the column of bits is omitted; below the second one labels are shortened. */
const [narrow, narrower] = [84, 70];
const [labelWidth, shortLabel] = [30, 17];

/**
 * Compares the sizes of two recordings. Sizes are in bytes per snapshot, since the recordings may differ in length. The largest
 * differences come first in each section.
 */
export function renderStatsComparison(old: StatsReport, other: StatsReport, style: StatsStyle): string {
  const { theme, top, verbose } = style;
  const snapshots = [old, other].map(({ stats }) => stats.tally.snapshots.full + stats.tally.snapshots.deltas);
  const titles = [old, other].map((one) => `${theme.strong(escapeText(one.file))}   ${headline(one)}`);
  if (snapshots.includes(0)) return `${[...titles, '  nothing to compare: a recording has no snapshots'].join('\n')}\n`;
  const all = { ...style, top: Infinity };
  const per = snapshots as [number, number];
  const [before, after] = [sectionsOf(old.stats.tally, all), sectionsOf(other.stats.tally, all)];
  const names = [...new Set([...before, ...after].map(({ title }) => title))];
  const isLarge = (row: ComparedRow) => verbose || Math.abs(row.new - row.old) >= leastDifference;
  const sections = names.map((name) => {
    const [one, two] = [before, after].map((some) => some.find(({ title }) => title === name));
    const rows = compared(one?.rows ?? [], two?.rows ?? [], per, 1).filter((row) => row.depth === 2 || isLarge(row));
    return { total: totalOf(name, one, two, per), rows: topOf(rows, top ?? Infinity) };
  });
  const whole = sumOf(sections.map(({ total }) => total));
  const table = [
    ['bytes per snapshot', 'old', 'new', 'difference', '', 'bits each', ''].map(theme.dim),
    ...sections.flatMap(({ total, rows }) => [total, ...rows].map((row) => cells(row, style))),
    cells(whole, style),
  ];
  const shown = style.width < narrow ? 5 : table[0]!.length;
  const align = ['left', 'right', 'right', 'right', 'right', 'right', 'left'] as const;
  const lines = columns(
    table.map((row) => row.slice(0, shown)),
    align.slice(0, shown),
  );
  // An empty line precedes each sum except the first.
  const isSum = sections.flatMap(({ rows }, i) => [i > 0, ...rows.map(() => false)]);
  const [head, ...rest] = lines;
  const spaced = rest.flatMap((line, i) => ((isSum[i] ?? true) ? ['', line] : [line]));
  return `${[...titles, '', head, ...spaced].join('\n')}\n`;
}

/** Pairs the rows of two lists, and the rows below them, by label. The largest differences come first. */
function compared(
  old: readonly StatsRow[],
  other: readonly StatsRow[],
  [before, after]: readonly [number, number],
  depth: 1 | 2,
): ComparedRow[] {
  const labels = [...new Set([...old, ...other].map(({ label }) => label))];
  const pairs = labels.map((label) => {
    const [one, two] = [old, other].map((rows) => rows.find((row) => row.label === label));
    const row: ComparedRow = {
      label,
      depth,
      old: (one?.bits ?? 0) / 8 / before,
      new: (two?.bits ?? 0) / 8 / after,
      bitsEach: [eachOf(one), eachOf(two)],
    };
    return { row, below: depth === 1 ? compared(one?.rows ?? [], two?.rows ?? [], [before, after], 2) : [] };
  });
  const difference = ({ row }: { row: ComparedRow }) => Math.abs(row.new - row.old);
  return pairs.sort((a, b) => difference(b) - difference(a)).flatMap(({ row, below }) => [row, ...below]);
}

const eachOf = (row: StatsRow | undefined) => (row?.sent ? row.bits / row.sent : undefined);

/** Returns the first rows, each with the rows below it. */
function topOf(rows: readonly ComparedRow[], top: number): readonly ComparedRow[] {
  let count = 0;
  return rows.filter(({ depth }) => (depth === 1 ? ++count : count) <= top);
}

function totalOf(
  label: string,
  old: StatsSection | undefined,
  other: StatsSection | undefined,
  [before, after]: readonly [number, number],
): ComparedRow {
  const bitsEach = [undefined, undefined] as const;
  return { label, depth: 0, old: (old?.bits ?? 0) / 8 / before, new: (other?.bits ?? 0) / 8 / after, bitsEach };
}

const sumOf = (rows: readonly ComparedRow[]): ComparedRow => ({
  label: 'all',
  depth: 0,
  old: rows.reduce((sum, row) => sum + row.old, 0),
  new: rows.reduce((sum, row) => sum + row.new, 0),
  bitsEach: [undefined, undefined],
});

function cells(row: ComparedRow, { theme, width }: StatsStyle): string[] {
  const { label, depth, old, bitsEach } = row;
  const difference = row.new - old;
  const styled = depth === 0 ? theme.strong : depth === 2 ? theme.dim : asIs;
  const isSame = Math.abs(difference) < leastDifference;
  const mark = isSame ? theme.dim : difference > 0 ? theme.removed : theme.added;
  const [one, two] = bitsEach.map((bits) => (bits === undefined ? '' : numberText(bits, 1)));
  return [
    styled('  '.repeat(depth) + shortened(escapeText(label), width < narrower ? shortLabel : labelWidth)),
    styled(numberText(old, 2)),
    styled(numberText(row.new, 2)),
    mark(isSame ? '0' : signed(difference.toFixed(2))),
    mark(shareText(old, difference)),
    one === two ? theme.dim(one!) : one!,
    one === two ? '' : `→ ${two || 'none'}`,
  ];
}

/** `+8.4%`, or `new` if the old recording has none. */
function shareText(old: number, difference: number): string {
  if (Math.abs(difference) < leastDifference) return '';
  if (old === 0) return 'new';
  const percent = (100 * difference) / old;
  return Math.abs(percent) >= 1000 ? `${signed(thousands(Math.round(percent)))}%` : `${signed(percent.toFixed(1))}%`;
}

const signed = (text: string) => (text.startsWith('-') ? text : `+${text}`);
