import { bitsOfSecond, type SecondTally } from '../../stats/tally.ts';
import { columns } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { shortened, widthOf } from '../text/layout.ts';
import { bar, clock, numberText, thousands } from '../text/number.ts';
import { asIs, type Style, type Theme } from '../text/theme.ts';
import type { StatsRow, StatsSection } from './stats-rows.ts';

const [minBar, maxBar] = [8, 48];
const [minLabel, maxLabel] = [30, 44];
/** The width needed beside the labels: for bytes, shares and the gaps. */
const leastNumbers = 24;

/** Draws a table with all columns that leave room for bars; `dispensable` ones are left out first, in this order. */
function drawn<Column extends { readonly head: string }>(
  all: readonly Column[],
  dispensable: readonly string[],
  width: number,
  draw: (shown: readonly Column[]) => string[],
): { readonly lines: string[]; readonly room: number } {
  let shown = all;
  let lines = draw(shown);
  for (const head of dispensable) {
    if (widthOf(lines[0]!) + minBar + 3 <= width) break;
    shown = shown.filter((column) => column.head !== head);
    lines = draw(shown);
  }
  return { lines, room: Math.min(maxBar, width - widthOf(lines[0]!) - 3) };
}

/** Fields below an item have depth 2. */
type Row = StatsRow & { readonly depth: 1 | 2 };

/** A column of numbers, which is empty in rows without a number. */
interface NumberColumn {
  readonly head: string;
  readonly cell: (row: StatsRow) => number | undefined;
  readonly digits?: number;
}

const numberColumns: readonly NumberColumn[] = [
  { head: 'sent', cell: ({ sent }) => sent },
  { head: 'full', cell: ({ full }) => full },
  { head: 'new', cell: (row) => row.new },
  { head: 'removed', cell: ({ removed }) => removed },
  { head: 'changed', cell: ({ changed }) => changed },
  { head: 'bits each', cell: ({ sent, bits }) => (sent ? bits / sent : undefined), digits: 1 },
  { head: 'estimate', cell: ({ estimate }) => (estimate === undefined ? undefined : estimate / 8) },
  { head: 'bytes', cell: ({ bits }) => bits / 8 },
];

/** Renders sections of rows with their share of the whole, and a bar for each row, relative to the largest one. */
export function statsTable(sections: readonly StatsSection[], whole: number, theme: Theme, width: number): string[] {
  const all = numberColumns.filter(({ cell }) => sections.some(({ rows }) => rows.some((row) => cell(row))));
  const labelWidth = Math.max(Math.min(minLabel, width - leastNumbers), Math.min(maxLabel, Math.floor(0.3 * width)));
  const share = (bits: number) => `${whole > 0 ? ((100 * bits) / whole).toFixed(1) : '0.0'}%`;
  const cellsOf = (row: Row, shown: readonly NumberColumn[]) => {
    const style = row.depth === 2 ? theme.dim : asIs;
    const numbers = shown.map(({ head, cell, digits = 0 }) => {
      // A field is sent as often as its item.
      const value = head === 'sent' && row.depth === 2 ? undefined : cell(row);
      return value === undefined ? '' : style(numberText(value, digits));
    });
    return [label(row, labelWidth, theme), ...numbers, style(share(row.bits))];
  };
  const sumsOf = ({ title, bits }: StatsSection, shown: readonly NumberColumn[]) => {
    const sums = shown.map(({ head }) => (head === 'bytes' ? numberText(bits / 8, 0) : ''));
    return [title, ...sums, share(bits)].map((cell) => (cell === '' ? '' : theme.strong(cell)));
  };
  const flat = sections.map((section) => ({ section, rows: withFields(section.rows) }));
  const { lines, room } = drawn(
    all,
    ['full', 'removed', 'estimate', 'new', 'bits each', 'changed', 'sent'],
    width,
    (shown) =>
      columns(
        [
          ['', ...shown.map(({ head }) => head), 'share'].map(theme.dim),
          ...flat.flatMap(({ section, rows }) => [sumsOf(section, shown), ...rows.map((row) => cellsOf(row, shown))]),
        ],
        ['left', ...shown.map(() => 'right' as const), 'right'],
      ),
  );
  const largest = Math.max(
    1,
    ...flat.flatMap(({ rows }) => rows.map(({ kind, bits }) => (kind === 'more' ? 0 : bits))),
  );
  const barOf = (row: Row) =>
    room < minBar || row.kind === 'more' ? '' : `   ${barStyle(row, theme)(bar(row.bits / largest, room))}`;
  const left = lines.values();
  const next = () => left.next().value!;
  // An empty line precedes each section except the first.
  return [
    next(),
    ...flat.flatMap(({ rows }, i) => [
      ...(i > 0 ? [''] : []),
      next(),
      ...rows.map((row) => `${next()}${barOf(row)}`.trimEnd()),
    ]),
  ];
}

function barStyle({ kind, depth }: Row, { role, dim }: Theme): Style {
  if (kind === 'message') return role.text;
  return kind === 'part' || depth === 2 ? dim : role.position;
}

/** The rows, each followed by the rows below it. */
const withFields = (rows: readonly StatsRow[]): Row[] =>
  rows.flatMap((row) => [
    { ...row, depth: 1 as const },
    ...(row.rows ?? []).map((below) => ({ ...below, depth: 2 as const })),
  ]);

function label({ label: text, kind, depth }: Row, width: number, theme: Theme): string {
  const name = shortened(escapeText(text), width);
  const indent = '  '.repeat(depth);
  if (damage.has(text)) return indent + theme.warning(name);
  if (kind === 'player') return indent + theme.role.identity(name);
  return indent + (kind === 'more' || kind === 'world' || depth === 2 ? theme.dim(name) : name);
}

/** Parts that indicate loss or damage. */
const damage = new Set(['unread', 'unrebuilt', 'skipped', 'excess', 'unknown chunks']);

const bytesText = (bits: number) => thousands(Math.round(bits / 8));

const secondColumns: readonly { readonly head: string; readonly cell: (second: SecondTally) => string }[] = [
  { head: 'time', cell: ({ second }) => clock(second).replace(/\.00$/, '') },
  { head: 'snapshots', cell: ({ snapshots }) => thousands(snapshots) },
  { head: 'most items', cell: ({ items }) => thousands(items) },
  { head: 'messages', cell: ({ messages }) => thousands(messages) },
  { head: 'in snapshots', cell: ({ snapshotBits }) => bytesText(snapshotBits) },
  { head: 'in messages', cell: ({ messageBits }) => bytesText(messageBits) },
  { head: 'around', cell: ({ otherBits }) => bytesText(otherBits) },
  { head: 'bytes', cell: (second) => bytesText(bitsOfSecond(second)) },
];

/** Returns a row for each second. If there are more than `top` seconds, only the largest ones are listed, ordered by time. */
export function secondTable(seconds: readonly SecondTally[], theme: Theme, width: number, top: number): string[] {
  const heaviest = [...seconds].sort((a, b) => bitsOfSecond(b) - bitsOfSecond(a)).slice(0, top);
  const rows = heaviest.length < seconds.length ? heaviest.sort((a, b) => a.second - b.second) : seconds;
  const largest = rows.reduce((maximum, row) => Math.max(maximum, bitsOfSecond(row)), 1);
  const dispensable = ['around', 'messages', 'in messages', 'most items', 'in snapshots'];
  const { lines, room } = drawn(secondColumns, dispensable, width, (shown) =>
    columns(
      [shown.map(({ head }) => head), ...rows.map((row) => shown.map(({ cell }) => cell(row)))],
      shown.map(() => 'right'),
    ),
  );
  const [head, ...rest] = lines as [string, ...string[]];
  const barOf = (row: SecondTally) =>
    room < minBar ? '' : `   ${theme.role.position(bar(bitsOfSecond(row) / largest, room))}`;
  return [theme.dim(head), ...rest.map((line, i) => line + barOf(rows[i]!))];
}
