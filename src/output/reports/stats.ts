import { fieldName, type ItemTally, labelOf } from '../../analysis/stats/item-tallies.ts';
import { itemsOfPlayer, type PlayerTally } from '../../analysis/stats/player-tallies.ts';
import type { RecordingStats } from '../../analysis/stats/recording-stats.ts';
import { bitsOfSecond, type Peak, type SecondTally, type SizeCount, type Tally } from '../../analysis/stats/tally.ts';
import { maxItems, maxSnapshotBytes, partBytes } from '../../wire/snapshot/key.ts';
import { byBits, byPackets, type ClientTally, type StatsBy, type StatsReport } from '../results/stats.ts';
import { type Column, widest } from '../text/columns.ts';
import { type Table, tableOf } from '../text/drawn-table.ts';
import { escapeText, nameText, pathText } from '../text/escape.ts';
import { shortened, titled } from '../text/layout.ts';
import { clock, count, decimals, size, sparkline, thousands } from '../text/number.ts';
import { commas, type LabelledRow } from '../text/rows.ts';
import { printSections } from '../text/sections.ts';
import { asIs, type Style, type Theme, type ViewStyle } from '../text/theme.ts';

interface StatsRow {
  readonly label: string;
  readonly kind: 'item' | 'field' | 'player' | 'world' | 'message' | 'part' | 'more' | 'sum';
  readonly sent: number | undefined;
  readonly full?: number;
  readonly new?: number;
  readonly changed?: number;
  readonly removed?: number;
  readonly bits: number;
}

/** Rows below a line with their sum. */
interface StatsSection extends StatsRow {
  readonly rows: readonly StatsRow[];
}

interface Shown {
  readonly by: StatsBy;
  /** The maximum number of rows of a section; undefined shows all except very small messages. */
  readonly top: number | undefined;
  readonly verbose: boolean;
}

const usualFields = 30;
/** Messages with a smaller share of the whole are combined in one row. */
const smallShare = 0.0005;

/** Returns sections for items, messages and everything around them. Their sums add up to the whole recording. */
function sectionsOf(tally: Tally, { by, top, verbose }: Shown): StatsSection[] {
  const [title, itemRows] = itemRowsOf(tally, by);
  const messages = byBits([...tally.messages.values()]);
  const large = messages.filter(({ bits }) => bits >= smallShare * tally.bits).length;
  return [
    section(title, byBits(itemRows), top ?? (itemRows[0]?.kind === 'field' && !verbose ? usualFields : Infinity)),
    section('messages', messages.map(countedRow('message')), top ?? (verbose ? Infinity : large)),
    section('around them', byBits([...tally.parts.values()]).map(countedRow('part')), Infinity),
  ].filter(({ rows }) => rows.length > 0);
}

function itemRowsOf({ items, players }: Tally, by: StatsBy): readonly [title: string, rows: readonly StatsRow[]] {
  switch (by) {
    case 'field':
      return ['items by field', items.all.flatMap(fieldRows)];
    case 'player':
      return ['items by player', players.all.map(playerRow)];
    case 'player-field':
      return ['items by player and field', players.all.flatMap(fieldRowsOfPlayer)];
    default:
      return ['items', items.all.map(itemRow)];
  }
}

function section(label: string, rows: readonly StatsRow[], top: number): StatsSection {
  // Replacing a single row by a row with a count would not save a line.
  const shown = rows.length > top + 1 ? [...rows.slice(0, top), rowOfRest(rows.slice(top))] : rows;
  return { label, kind: 'sum', sent: undefined, bits: sum(rows), rows: shown };
}

/** `12 more`. An item is sent once with all its fields, so theirs are not added. */
function rowOfRest(rest: readonly StatsRow[]): StatsRow {
  const sent = rest[0]!.kind === 'field' ? undefined : rest.reduce((all, row) => all + (row.sent ?? 0), 0);
  return { label: `${rest.length} more`, kind: 'more', sent, bits: sum(rest) };
}

function itemRow(item: ItemTally): StatsRow {
  const { sent, full, changed, removed, bits } = item;
  return { label: labelOf(item), kind: 'item', sent, full, new: item.new, changed, removed, bits };
}

function fieldRows(item: ItemTally): StatsRow[] {
  return item.fields.map((field) => {
    const { changed, bits } = field;
    const numbers = field.name === undefined ? { bits } : { changed, bits };
    return { label: `${labelOf(item)}.${fieldName(field)}`, kind: 'field', sent: item.sent, ...numbers };
  });
}

function playerRow(player: PlayerTally): StatsRow {
  const { client, sent, changed, bits } = player;
  return { label: labelOfPlayer(player), kind: client === undefined ? 'world' : 'player', sent, changed, bits };
}

const labelOfPlayer = ({ client, name }: PlayerTally) =>
  client === undefined ? 'the world' : name || `client ${client}`;

const fieldRowsOfPlayer = (player: PlayerTally): StatsRow[] =>
  itemsOfPlayer(player)
    .flatMap(fieldRows)
    .map((row) => ({ ...row, label: `${labelOfPlayer(player)}: ${row.label}` }));

const countedRow =
  (kind: 'message' | 'part') =>
  ({ name, times, bits }: SizeCount): StatsRow => ({
    label: kind === 'part' ? name.replaceAll('_', ' ') : name,
    kind,
    sent: times,
    bits,
  });

const sum = (rows: readonly { readonly bits: number }[]) => rows.reduce((all, { bits }) => all + bits, 0);

type StatsStyle = Shown & ViewStyle;

const labelWidth = 11;

/** `0:31`, `1:02:03` */
const minutes = (second: number) => clock(second).replace(/\.00$/, '');

export function renderStats(report: StatsReport, style: StatsStyle): string {
  const { theme, width, by, top } = style;
  const { tally } = report.stats;
  const title = [pathText(report.file), headline(report)] as const;
  if (tally.bits === 0) return printSections([{ title, lines: ['  nothing to count'] }], style);
  const table =
    by === 'second'
      ? secondTable(tally.seconds.all, theme, top ?? Infinity)
      : by === 'client'
        ? clientTable(byPackets(report.stats.clients), theme, top ?? Infinity)
        : statsTable(sectionsOf(tally, style), tally.bits, theme, width);
  return printSections([{ title }, { table }, { rows: summary(report, theme, width), labelWidth }], style);
}

/** `pcap, 28,540 bytes in 786 packets, 0:18.89, 446 snapshots` */
export function headline({ container, fileBytes, stats }: StatsReport): string {
  const { bytes, seconds, tally } = stats;
  const snapshots = count(tally.snapshots.full + tally.snapshots.deltas, 'snapshot');
  const { to_client: down, to_server: up, other } = stats.packets;
  const whole = stats.hasPackets || bytes === fileBytes ? '' : ` of ${thousands(fileBytes)}`;
  const packets = stats.hasPackets ? ` in ${count(down.count + up.count + other.count, 'packet')}` : '';
  return `${container}, ${thousands(bytes)}${whole} bytes${packets}, ${clock(seconds)}, ${snapshots}`;
}

/** The rows after the table: rates over time, and the largest snapshots in relation to the limits. */
function summary({ stats }: StatsReport, theme: Theme, width: number): LabelledRow[] {
  const rows: LabelledRow[] = [];
  const { items, bytes, deltaBytes } = stats.tally.peaks;
  if (stats.hasPackets) {
    rows.push(['packets', ...packetText(stats)]);
    if (stats.modes.length > 0) rows.push(['rates', ...rateText(stats)]);
  }
  if (items) rows.push(['most items', `${thousands(items.value)} of ${thousands(maxItems)},`, place(items)]);
  if (bytes) rows.push(['most bytes', `${thousands(bytes.value)} of ${thousands(maxSnapshotBytes)},`, place(bytes)]);
  if (deltaBytes) {
    const parts = count(Math.ceil(deltaBytes.value / partBytes), 'part');
    const size = `${thousands(deltaBytes.value)} bytes packed, ${parts} of ${partBytes},`;
    rows.push(['most delta', size, place(deltaBytes)]);
  }
  return [...overTime(stats, theme, width), ...rows];
}

/** The bytes, snapshots and items per second as sparklines. */
function overTime({ tally, seconds: length }: StatsReport['stats'], theme: Theme, width: number): LabelledRow[] {
  const seconds = tally.seconds.all;
  if (seconds.length < 2) return [];
  const room = Math.max(10, Math.min(80, width - labelWidth - 46));
  const row = (label: string, value: (second: SecondTally) => number, several: 'average' | 'highest'): LabelledRow => {
    const points = seconds.map((second) => ({ second: second.second, value: value(second) }));
    const average = points.reduce((all, { value }) => all + value, 0) / Math.max(1, length);
    const most = points.reduce((a, b) => (b.value > a.value ? b : a));
    const before = several === 'highest' ? 'at most' : `${thousands(Math.round(average))} on average,`;
    const blocks = theme.role.position(sparkline(points, room, several));
    return [label, blocks, ` ${before} ${thousands(Math.round(most.value))} at ${minutes(most.second)}`];
  };
  const bytes = row('bytes/s', (tally) => bitsOfSecond(tally) / 8, 'average');
  if (!tally.peaks.items) return [bytes];
  return [
    bytes,
    row('snapshots/s', ({ snapshots }) => snapshots, 'average'),
    row('items', ({ items }) => items, 'highest'),
  ];
}

const place = ({ tick, client }: Peak) => `at tick ${tick}${client === undefined ? '' : ` of ${client}`}`;

function packetText({ packets }: RecordingStats): string[] {
  const { to_client: down, to_server: up, other } = packets;
  const words = (counts: typeof down, to: string) =>
    counts.count > 0 ? [`${thousands(counts.count)} ${to} (${count(counts.bytes, 'byte')})`] : [];
  return commas([...words(down, 'to clients'), ...words(up, 'to servers'), ...words(other, 'of no connection')]);
}

function rateText({ modes }: RecordingStats): string[] {
  return commas(
    modes.map(({ mode, perSecond, snapshots, bits }) => {
      const each = snapshots > 0 ? `, ${thousands(Math.round(bits / 8 / snapshots))} bytes each` : '';
      return `${mode} ${perSecond}/s (${count(snapshots, 'snapshot')}${each})`;
    }),
  );
}

/** A section has depth 0, its rows depth 1. The line between two sections is undefined. */
type Row = (StatsRow & { readonly depth: number }) | undefined;

/** A column of numbers, which is empty in rows without a number. */
interface NumberColumn {
  readonly head: string;
  readonly cell: (row: NonNullable<Row>) => number | undefined;
  readonly digits?: number;
}

const numberColumns: readonly NumberColumn[] = [
  { head: 'sent', cell: ({ sent }) => sent },
  { head: 'full', cell: ({ full }) => full },
  { head: 'new', cell: (row) => row.new },
  { head: 'removed', cell: ({ removed }) => removed },
  { head: 'changed', cell: ({ changed }) => changed },
  { head: 'bits each', cell: ({ sent, bits }) => (sent ? bits / sent : undefined), digits: 1 },
  { head: 'bytes', cell: ({ bits }) => bits / 8 },
];

/** Renders sections of rows with their share of the whole, and a bar for each row, relative to the largest one. */
function statsTable(sections: readonly StatsSection[], whole: number, theme: Theme, width: number): Table {
  const rows = spaced(
    sections.map((section) => [{ ...section, depth: 0 }, ...section.rows.map((row) => ({ ...row, depth: 1 }))]),
  );
  const labelOf = (room: number) => (row: Row) => (row ? label(row, room, theme) : '');
  const labelRoom = Math.min(maxLabel, Math.floor(0.4 * width));
  const column = (head: string, text: (row: NonNullable<Row>) => string): Column<Row> => ({
    head,
    cell: (row) => (row ? styleOf(row, theme)(text(row)) : ''),
  });
  const numbers = numberColumns.filter(({ cell }) => rows.some((row) => row && cell(row)));
  const all: readonly Column<Row>[] = [
    { head: '', align: 'left', cell: labelOf(labelRoom) },
    ...numbers.map(({ head, cell, digits = 0 }) =>
      column(head, (row) => {
        const value = cell(row);
        return value === undefined ? '' : decimals(value, digits);
      }),
    ),
    column('share', ({ bits }) => `${((100 * bits) / Math.max(1, whole)).toFixed(1)}%`),
  ];
  const largest = Math.max(1, ...rows.map((row) => (row && hasBar(row) ? row.bits : 0)));
  const spare = ['full', 'removed', 'new', 'bits each', 'changed', 'sent'];
  const bar = (row: Row) => [row && hasBar(row) ? row.bits / largest : 0, row ? barStyle(row, theme) : asIs] as const;
  const shortenedBy = widest(rows.map(labelOf(maxLabel))) - widest(rows.map(labelOf(labelRoom)));
  return tableOf(all, rows, { spare, bar, shortenedBy });
}

const maxLabel = 44;

const spaced = <One>(sections: readonly (readonly One[])[]) =>
  sections.flatMap((rows, i): (One | undefined)[] => (i > 0 ? [undefined, ...rows] : [...rows]));

const hasBar = ({ kind }: NonNullable<Row>) => kind !== 'sum' && kind !== 'more';

const styleOf = ({ depth }: { readonly depth: number }, { strong }: Theme): Style => (depth === 0 ? strong : asIs);

function barStyle({ kind }: NonNullable<Row>, { role, dim }: Theme): Style {
  if (kind === 'message') return role.text;
  return kind === 'part' ? dim : role.position;
}

function label(row: NonNullable<Row>, width: number, theme: Theme): string {
  const { label, kind, depth } = row;
  const name = shortened(escapeText(label), width);
  const styles: Readonly<Partial<Record<StatsRow['kind'], Style>>> = {
    player: theme.role.identity,
    more: theme.dim,
    world: theme.dim,
  };
  const style = damage.has(label) ? theme.warning : (styles[kind] ?? styleOf(row, theme));
  return '  '.repeat(depth) + style(name);
}

/** Parts that indicate loss or damage. */
const damage = new Set(['unread', 'unrebuilt', 'skipped', 'excess', 'unknown chunks']);

const bytesText = (bits: number) => thousands(Math.round(bits / 8));

const secondColumns: readonly Column<SecondTally>[] = [
  { head: 'time', cell: ({ second }) => minutes(second) },
  { head: 'snapshots', cell: ({ snapshots }) => thousands(snapshots) },
  { head: 'most items', cell: ({ items }) => thousands(items) },
  { head: 'messages', cell: ({ messages }) => thousands(messages) },
  { head: 'in snapshots', cell: ({ snapshotBits }) => bytesText(snapshotBits) },
  { head: 'in messages', cell: ({ messageBits }) => bytesText(messageBits) },
  { head: 'around', cell: ({ otherBits }) => bytesText(otherBits) },
  { head: 'bytes', cell: (second) => bytesText(bitsOfSecond(second)) },
];

/**
 * Returns a row for each second. If there are more than `top` seconds, only the largest ones are listed, ordered by
 * time.
 */
function secondTable(seconds: readonly SecondTally[], theme: Theme, top: number): Table {
  const heaviest = [...seconds].sort((a, b) => bitsOfSecond(b) - bitsOfSecond(a)).slice(0, top);
  const rows = heaviest.sort((a, b) => a.second - b.second);
  const largest = rows.reduce((maximum, row) => Math.max(maximum, bitsOfSecond(row)), 1);
  const spare = ['around', 'messages', 'in messages', 'most items', 'in snapshots'];
  const bar = (row: SecondTally) => [bitsOfSecond(row) / largest, theme.role.position] as const;
  return tableOf(secondColumns, rows, { spare, bar });
}

/** Returns a row for each client, those who sent the most packets first. */
function clientTable(clients: readonly ClientTally[], theme: Theme, top: number): Table {
  const columns: readonly Column<ClientTally>[] = [
    { head: 'client', align: 'left', cell: ({ client }) => (client ? theme.strong(client) : theme.dim('none')) },
    { head: 'player', align: 'left', cell: ({ player }) => theme.role.identity(player ? nameText(player) : '') },
    { head: 'sent', cell: ({ packets }) => thousands(packets.to_server) },
    { head: 'bytes', cell: ({ bytes }) => thousands(bytes.to_server) },
    { head: 'most/s', cell: ({ most }) => thousands(most) },
    { head: 'at', cell: ({ most, mostAt }) => (most > 0 ? minutes(mostAt) : '') },
    { head: 'received', cell: ({ packets }) => thousands(packets.to_client) },
    { head: 'bytes', cell: ({ bytes }) => thousands(bytes.to_client) },
  ];
  const rows = clients.slice(0, top);
  const largest = rows.reduce((maximum, { packets }) => Math.max(maximum, packets.to_server), 1);
  const bar = ({ packets }: ClientTally) => [packets.to_server / largest, theme.role.position] as const;
  return tableOf(columns, rows, { spare: ['player', 'at', 'received'], bar });
}

export interface LiveStats {
  readonly report: StatsReport;
  readonly clients: number;
  readonly mismatched: number;
}

/**
 * `0:31.20   3 clients   75 snapshots/s   26 items   12.3 KB/s   0 mismatched`; rates are from the last whole second.
 */
export function liveLine({ report, clients, mismatched }: LiveStats, theme: Theme): string {
  const { stats } = report;
  const last = stats.tally.seconds.lastWhole;
  const wrong = `${thousands(mismatched)} mismatched`;
  return [
    clock(stats.seconds),
    ...(stats.hasPackets ? [count(clients, 'client')] : []),
    `${thousands(last?.snapshots ?? 0)} snapshots/s`,
    `${thousands(last?.items ?? 0)} items`,
    `${size(Math.round(last ? bitsOfSecond(last) / 8 : 0))}/s`,
    mismatched > 0 ? theme.error(wrong) : wrong,
  ].join('   ');
}

/** Returns the lines of a screen of this height: the summary line, and as many rows of the table as fit. */
export function renderLiveStats(live: LiveStats, style: ViewStyle & { readonly height: number }): string[] {
  const { theme, width, height, verbose } = style;
  const { file, stats } = live.report;
  const { tally } = stats;
  const head = [theme.strong(pathText(file)), liveLine(live, theme), ''];
  if (tally.bits === 0) return head;
  const sections = sectionsOf(tally, { by: 'type', top: undefined, verbose });
  return [...head, ...statsTable(sections, tally.bits, theme, width).lines(style)].slice(0, height);
}

type Pair<Value> = readonly [old: Value, other: Value];

interface ComparedRow {
  readonly label: string;
  readonly depth: number;
  /** Bytes per snapshot, and their difference. */
  readonly sizes: Pair<number>;
  readonly difference: number;
  /** The average number of bits per occurrence. */
  readonly bitsEach: Pair<number | undefined>;
}

/** Smaller differences are listed only if all rows are requested. */
const minDifference = 0.005;
const isSame = ({ difference }: Pick<ComparedRow, 'difference'>) => Math.abs(difference) < minDifference;

/** Sizes are in bytes per snapshot, since the recordings may differ in length. The largest differences come first. */
export function renderStatsComparison(old: StatsReport, other: StatsReport, style: StatsStyle): string {
  const { top = Infinity, verbose } = style;
  const perSide = both([old, other], ({ stats: { tally } }) => tally.snapshots.full + tally.snapshots.deltas);
  const titles = { lines: [old, other].map((report) => titled(pathText(report.file), [headline(report)], style)) };
  if (perSide.includes(0)) {
    const lines = [...titles.lines, '  nothing to compare: a recording has no snapshots'];
    return printSections([{ lines }], style);
  }

  const all = both([old, other], ({ stats }) => sectionsOf(stats.tally, { ...style, top: Infinity }));
  const sections = pairsByLabel(all).map(([label, pair]) => {
    const rows = pairsByLabel(both(pair, (section) => section?.rows ?? []))
      .map(([name, sides]) => comparedRow(name, 1, sides, perSide))
      .filter((row) => verbose || !isSame(row))
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
    return [comparedRow(label, 0, pair, perSide), ...rows.slice(0, top)];
  });
  const sums = both(all, (some) => ({ bits: sum(some) }));
  const rows = spaced([...sections, [comparedRow('all', 0, sums, perSide)]]);

  // The first column is shortened to the width: what of it is lost decides whether another one is left out instead.
  const columns = comparedColumns(style);
  const [unshortened] = comparedColumns({ ...style, width: Infinity });
  const shortenedBy = widest(rows.map(unshortened!.cell)) - widest(rows.map(columns[0]!.cell));
  const table = tableOf(columns, rows, { spare: ['bits each'], limit: style.width, shortenedBy });
  return printSections([titles, { table }], style);
}

const both = <From, To>([old, other]: Pair<From>, of: (side: From) => To): Pair<To> => [of(old), of(other)];

/** Pairs the rows of two lists by label: one side may be missing. */
function pairsByLabel<One extends StatsRow>(lists: Pair<readonly One[]>): (readonly [string, Pair<One | undefined>])[] {
  const [old, other] = both(lists, (rows) => {
    const byLabel = new Map<string, One>();
    for (const row of rows) if (!byLabel.has(row.label)) byLabel.set(row.label, row);
    return byLabel;
  });
  return [...new Set([...old.keys(), ...other.keys()])].map((label) => [label, [old.get(label), other.get(label)]]);
}

function comparedRow(
  label: string,
  depth: number,
  [first, second]: Pair<(Pick<StatsRow, 'bits'> & Partial<Pick<StatsRow, 'sent'>>) | undefined>,
  [before, after]: Pair<number>,
): ComparedRow {
  const sizes = [(first?.bits ?? 0) / 8 / before, (second?.bits ?? 0) / 8 / after] as const;
  const bitsEach = both([first, second], (row) => (row?.sent ? row.bits / row.sent : undefined));
  return { label, depth, sizes, difference: sizes[1] - sizes[0], bitsEach };
}

/** The columns; the line between two sections is undefined. */
function comparedColumns({ theme, width }: StatsStyle): Column<ComparedRow | undefined>[] {
  const column = (head: string, text: (row: ComparedRow) => string, styleOf: (row: ComparedRow) => Style) => ({
    head,
    cell: (row: ComparedRow | undefined) => (row ? styleOf(row)(text(row)) : ''),
  });
  const ofDepth = (row: ComparedRow) => styleOf(row, theme);
  // Growth has the colour of what is removed: it is the worse.
  const ofDifference = (row: ComparedRow) => {
    if (isSame(row)) return theme.dim;
    return row.difference > 0 ? theme.removed : theme.added;
  };
  const name = ({ label, depth }: ComparedRow) =>
    '  '.repeat(depth) + shortened(escapeText(label), Math.min(30, Math.floor(0.28 * width)));
  return [
    { ...column('bytes per snapshot', name, ofDepth), align: 'left' },
    column('old', ({ sizes: [old] }) => decimals(old, 2), ofDepth),
    column('new', ({ sizes: [, now] }) => decimals(now, 2), ofDepth),
    column('difference', (row) => (isSame(row) ? '0' : signed(row.difference.toFixed(2))), ofDifference),
    column('', shareText, ofDifference),
    column('bits each', bitsText, ({ bitsEach: [first, second] }) => (first === second ? theme.dim : asIs)),
  ];
}

/** `50.9 → 52.3`, or one number if both are equal. */
function bitsText({ bitsEach }: ComparedRow): string {
  const [first, second] = both(bitsEach, (bits) => (bits === undefined ? 'none' : decimals(bits, 1)));
  if (first !== second) return `${first} → ${second}`;
  return first === 'none' ? '' : first;
}

/** `+8.4%`, or `new` if the old recording has none. */
function shareText({ sizes: [old], difference }: ComparedRow): string {
  if (isSame({ difference })) return '';
  if (old === 0) return 'new';
  const percent = (100 * difference) / old;
  return Math.abs(percent) >= 1000 ? `${signed(thousands(Math.round(percent)))}%` : `${signed(percent.toFixed(1))}%`;
}

const signed = (text: string) => (text.startsWith('-') ? text : `+${text}`);
