import { columns } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { shortened, widthOf } from '../text/layout.ts';
import { bar, numberText } from '../text/number.ts';
import { asIs, type Theme } from '../text/theme.ts';
import type { StatsRow, StatsSection } from './stats-rows.ts';

/** Fields below an item have depth 2. */
type Row = StatsRow & { readonly depth: 1 | 2 };

/** A column of numbers, which is empty in rows without a number. */
interface Column {
  readonly head: string;
  readonly cell: (row: StatsRow) => number | undefined;
  readonly digits?: number;
}

const columnsOfNumbers: readonly Column[] = [
  { head: 'sent', cell: ({ sent }) => sent },
  { head: 'full', cell: ({ full }) => full },
  { head: 'new', cell: (row) => row.new },
  { head: 'removed', cell: ({ removed }) => removed },
  { head: 'changed', cell: ({ changed }) => changed },
  { head: 'bits each', cell: ({ sent, bits }) => (sent ? bits / sent : undefined), digits: 1 },
  { head: 'estimate', cell: ({ estimate }) => (estimate === undefined ? undefined : estimate / 8) },
  { head: 'bytes', cell: ({ bits }) => bits / 8 },
];

/** The columns that are omitted in a narrow terminal, in this order. */
const dispensable = ['full', 'removed', 'estimate', 'new', 'bits each', 'changed', 'sent'];

const minBar = 8;
const maxBar = 48;
const [minLabel, maxLabel] = [30, 44];
/** The width needed beside the labels: for bytes, shares and the gaps. */
const leastNumbers = 24;

/** Renders sections of rows with their share of the whole. */
export function statsTable(sections: readonly StatsSection[], whole: number, theme: Theme, width: number): string[] {
  let shown = columnsOfNumbers.filter(({ cell }) => sections.some(({ rows }) => rows.some((row) => cell(row))));
  const labelWidth = Math.max(Math.min(minLabel, width - leastNumbers), Math.min(maxLabel, Math.floor(0.3 * width)));
  const draw = () => render(sections, whole, shown, labelWidth, theme);
  let lines = draw();
  for (const head of dispensable) {
    if (widthOf(lines[0]!) + minBar + 3 <= width) break;
    shown = shown.filter((column) => column.head !== head);
    lines = draw();
  }
  return withBars(lines, sections, theme, width);
}

/** Returns a header line, and for each section its sum and its rows. */
function render(
  sections: readonly StatsSection[],
  whole: number,
  shown: readonly Column[],
  labelWidth: number,
  theme: Theme,
): string[] {
  const share = (bits: number) => `${whole > 0 ? ((100 * bits) / whole).toFixed(1) : '0.0'}%`;
  const numbers = (row: Row, style: (text: string) => string) =>
    shown.map(({ head, cell, digits = 0 }) => {
      // A field is sent as often as its item.
      const value = head === 'sent' && row.depth === 2 ? undefined : cell(row);
      return value === undefined ? '' : style(numberText(value, digits));
    });
  const rows = [['', ...shown.map(({ head }) => head), 'share'].map(theme.dim)];
  for (const { title, bits, rows: own } of sections) {
    const sums = shown.map(({ head }) => (head === 'bytes' ? theme.strong(numberText(bits / 8, 0)) : ''));
    rows.push([theme.strong(title), ...sums, theme.strong(share(bits))]);
    for (const row of flat(own)) {
      const style = row.depth === 2 ? theme.dim : asIs;
      rows.push([label(row, labelWidth, theme), ...numbers(row, style), style(share(row.bits))]);
    }
  }
  return columns(rows, ['left', ...shown.map(() => 'right' as const), 'right']);
}

/** Adds a bar to each row, relative to the largest one, and an empty line before each section except the first. */
function withBars(lines: readonly string[], sections: readonly StatsSection[], theme: Theme, width: number): string[] {
  const room = Math.min(maxBar, width - widthOf(lines[0]!) - 3);
  const all = sections.flatMap(({ rows }) => flat(rows));
  const largest = Math.max(1, ...all.map(({ kind, bits }) => (kind === 'more' ? 0 : bits)));
  const barOf = (row: Row) =>
    room < minBar || row.kind === 'more' ? '' : `   ${barStyle(row, theme)(bar(row.bits / largest, room))}`;
  const drawn = [lines[0]!];
  for (const [i, { rows }] of sections.entries()) {
    if (i > 0) drawn.push('');
    drawn.push(lines[drawn.length - i]!);
    for (const row of flat(rows)) drawn.push(`${lines[drawn.length - i]}${barOf(row)}`.trimEnd());
  }
  return drawn;
}

function barStyle({ kind, depth }: Row, { role, dim }: Theme): (text: string) => string {
  if (kind === 'message') return role.text;
  return kind === 'part' || depth === 2 ? dim : role.position;
}

/** Returns the rows, each followed by the rows below it. */
function flat(rows: readonly StatsRow[]): Row[] {
  return rows.flatMap((row) => [
    { ...row, depth: 1 as const },
    ...(row.rows ?? []).map((below) => ({ ...below, depth: 2 as const })),
  ]);
}

function label({ label: text, kind, depth }: Row, width: number, theme: Theme): string {
  const name = shortened(escapeText(text), width);
  const indent = '  '.repeat(depth);
  if (damage.has(text)) return indent + theme.warning(name);
  if (kind === 'player') return indent + theme.role.identity(name);
  return indent + (kind === 'more' || kind === 'world' || depth === 2 ? theme.dim(name) : name);
}

/** Parts that indicate loss or damage. */
const damage = new Set(['unread', 'unrebuilt', 'skipped', 'excess', 'unknown chunks']);
