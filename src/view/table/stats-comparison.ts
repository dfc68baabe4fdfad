import { type Column, tableLines } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { shortened, titled } from '../text/layout.ts';
import { numberText, thousands } from '../text/number.ts';
import { asIs, type Style } from '../text/theme.ts';
import { headline, type StatsStyle } from './stats.ts';
import { type StatsReport, type StatsRow, sectionsOf } from './stats-rows.ts';

type Pair<Value> = readonly [old: Value, other: Value];

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
/** Sizes are in bytes per snapshot, since the recordings may differ in length. The largest differences come first. */
export function renderStatsComparison(old: StatsReport, other: StatsReport, style: StatsStyle): string {
  const { theme, top = Infinity, verbose } = style;
  const per = both([old, other], ({ stats: { tally } }) => tally.snapshots.full + tally.snapshots.deltas);
  const titles = [old, other].map((one) => titled(escapeText(one.file), [headline(one)], style));
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
  const rows = [...sections, [whole]].flatMap((some, i) => (i > 0 ? [undefined, ...some] : some));
  const table = tableLines(comparedColumns(style), rows, theme, { spare: ['bits each'], limit: style.width });
  return `${[...titles, '', ...table].join('\n')}\n`;
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

/** The columns; the line between two sections is undefined. */
function comparedColumns({ theme, width }: StatsStyle): Column<ComparedRow | undefined>[] {
  const column = (head: string, text: (row: ComparedRow) => string, styleOf: (row: ComparedRow) => Style) => ({
    head,
    cell: (row: ComparedRow | undefined) => (row ? styleOf(row)(text(row)) : ''),
  });
  const ofDepth = ({ depth }: ComparedRow) => [theme.strong, asIs, theme.dim][depth]!;
  const isSame = ({ difference }: ComparedRow) => Math.abs(difference) < leastDifference;
  const ofDifference = (row: ComparedRow) =>
    isSame(row) ? theme.dim : row.difference > 0 ? theme.removed : theme.added;
  const name = ({ label, depth }: ComparedRow) =>
    '  '.repeat(depth) + shortened(escapeText(label), Math.min(30, Math.floor(0.28 * width)));
  return [
    { ...column('bytes per snapshot', name, ofDepth), align: 'left' },
    column('old', ({ sizes: [old] }) => numberText(old, 2), ofDepth),
    column('new', ({ sizes: [, now] }) => numberText(now, 2), ofDepth),
    column('difference', (row) => (isSame(row) ? '0' : signed(row.difference.toFixed(2))), ofDifference),
    column('', ({ sizes: [old], difference }) => shareText(old, difference), ofDifference),
    column('bits each', bitsText, ({ bitsEach: [one, two] }) => (one === two ? theme.dim : asIs)),
  ];
}

/** `50.9 → 52.3`, or one number if both are equal. */
function bitsText({ bitsEach }: ComparedRow): string {
  const [one, two] = both(bitsEach, (bits) => (bits === undefined ? 'none' : numberText(bits, 1)));
  if (one !== two) return `${one} → ${two}`;
  return one === 'none' ? '' : one;
}

/** `+8.4%`, or `new` if the old recording has none. */
function shareText(old: number, difference: number): string {
  if (Math.abs(difference) < leastDifference) return '';
  if (old === 0) return 'new';
  const percent = (100 * difference) / old;
  return Math.abs(percent) >= 1000 ? `${signed(thousands(Math.round(percent)))}%` : `${signed(percent.toFixed(1))}%`;
}

const signed = (text: string) => (text.startsWith('-') ? text : `+${text}`);
