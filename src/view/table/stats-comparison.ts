import { columns } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { numberText, thousands } from '../text/number.ts';
import { asIs } from '../text/theme.ts';
import { headline, type StatsStyle } from './stats.ts';
import { type StatsReport, type StatsRow, sectionsOf } from './stats-rows.ts';

type Pair<Value> = readonly [old: Value, other: Value];

/** A row of both recordings. */
interface ComparedRow {
  readonly label: string;
  readonly depth: 0 | 1 | 2;
  /** Bytes per snapshot, and their difference. */
  readonly sizes: Pair<number>;
  readonly difference: number;
  /** The average number of bits per occurrence. */
  readonly bitsEach: Pair<number | undefined>;
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
  const { theme, top = Infinity, verbose } = style;
  const per = both([old, other], ({ stats: { tally } }) => tally.snapshots.full + tally.snapshots.deltas);
  const titles = [old, other].map((one) => `${theme.strong(escapeText(one.file))}   ${headline(one)}`);
  if (per.includes(0)) return `${[...titles, '  nothing to compare: a recording has no snapshots'].join('\n')}\n`;
  const all = both([old, other], ({ stats }) => sectionsOf(stats.tally, { ...style, top: Infinity }));
  const isLarge = (row: ComparedRow) => row.depth === 2 || verbose || Math.abs(row.difference) >= leastDifference;
  const sections = [...new Set(all.flat().map(({ title }) => title))].map((name) => {
    const pair = both(all, (some) => some.find(({ title }) => title === name));
    const rows = both(pair, (one) => one?.rows ?? []);
    return [comparedRow(name, 0, pair, per), ...topOf(compared(rows, per, 1).filter(isLarge), top)];
  });
  const sums = both(all, (some) => ({ bits: some.reduce((sum, { bits }) => sum + bits, 0) }));
  const whole = comparedRow('all', 0, sums, per);
  const table = [
    ['bytes per snapshot', 'old', 'new', 'difference', '', 'bits each', ''].map(theme.dim),
    ...[...sections.flat(), whole].map((row) => cells(row, style)),
  ];
  const shown = style.width < narrow ? table.map((row) => row.slice(0, 5)) : table;
  const align = ['left', 'right', 'right', 'right', 'right', 'right', 'left'] as const;
  const lines = columns(shown, align.slice(0, shown[0]!.length)).values();
  const next = () => lines.next().value!;
  // An empty line precedes each sum except the first.
  const rows = [next(), ...[...sections, [whole]].flatMap((some, i) => [...(i > 0 ? [''] : []), ...some.map(next)])];
  return `${[...titles, '', ...rows].join('\n')}\n`;
}

const both = <From, To>([old, other]: Pair<From>, of: (one: From) => To): Pair<To> => [of(old), of(other)];

function comparedRow(
  label: string,
  depth: ComparedRow['depth'],
  [one, two]: Pair<(Pick<StatsRow, 'bits'> & Partial<Pick<StatsRow, 'sent'>>) | undefined>,
  [before, after]: Pair<number>,
): ComparedRow {
  const sizes = [(one?.bits ?? 0) / 8 / before, (two?.bits ?? 0) / 8 / after] as const;
  const bitsEach = both([one, two], (row) => (row?.sent ? row.bits / row.sent : undefined));
  return { label, depth, sizes, difference: sizes[1] - sizes[0], bitsEach };
}

/** Pairs the rows of two lists, and the rows below them, by label. The largest differences come first. */
function compared(lists: Pair<readonly StatsRow[]>, per: Pair<number>, depth: 1 | 2): ComparedRow[] {
  return [...new Set(lists.flat().map(({ label }) => label))]
    .map((label) => {
      const pair = both(lists, (rows) => rows.find((row) => row.label === label));
      const below = both(pair, (row) => row?.rows ?? []);
      return [comparedRow(label, depth, pair, per), ...(depth === 1 ? compared(below, per, 2) : [])];
    })
    .sort(([a], [b]) => Math.abs(b!.difference) - Math.abs(a!.difference))
    .flat();
}

/** Returns the first rows, each with the rows below it. */
function topOf(rows: readonly ComparedRow[], top: number): readonly ComparedRow[] {
  let count = 0;
  return rows.filter(({ depth }) => (depth === 1 ? ++count : count) <= top);
}

function cells({ label, depth, sizes, difference, bitsEach }: ComparedRow, { theme, width }: StatsStyle): string[] {
  const styled = depth === 0 ? theme.strong : depth === 2 ? theme.dim : asIs;
  const isSame = Math.abs(difference) < leastDifference;
  const mark = isSame ? theme.dim : difference > 0 ? theme.removed : theme.added;
  const [one, two] = both(bitsEach, (bits) => (bits === undefined ? '' : numberText(bits, 1)));
  return [
    styled('  '.repeat(depth) + shortened(escapeText(label), width < narrower ? shortLabel : labelWidth)),
    ...sizes.map((size) => styled(numberText(size, 2))),
    mark(isSame ? '0' : signed(difference.toFixed(2))),
    mark(shareText(sizes[0], difference)),
    one === two ? theme.dim(one) : one,
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
