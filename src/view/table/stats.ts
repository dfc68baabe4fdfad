import { maxItems, maxSnapshotBytes } from '../../snapshot/key.ts';
import type { RecordingStats } from '../../stats/recording-stats.ts';
import { bitsOfSecond, type Peak, partBytes, type SecondTally } from '../../stats/tally.ts';
import { escapeText } from '../text/escape.ts';
import { commas, type LabelledRow, rowLines } from '../text/layout.ts';
import { clock, count, type Point, size, sparkline, thousands } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { type Shown, type StatsReport, sectionsOf } from './stats-rows.ts';
import { secondTable, statsTable } from './stats-table.ts';

export type StatsStyle = Shown & ViewStyle;

const labelWidth = 11;

/** Renders the sizes of the parts of one recording. */
export function renderStats(report: StatsReport, style: StatsStyle): string {
  const { theme, width, by, top } = style;
  const { tally } = report.stats;
  const file = escapeText(report.file);
  const about = headline(report);
  const between = file.length + 3 + about.length > width ? '\n  ' : '   ';
  const title = `${theme.strong(file)}${between}${about}`;
  if (tally.bits === 0) return `${title}\n  nothing to count\n`;
  const rows =
    by === 'second'
      ? secondTable(tally.seconds.all, theme, width, top ?? Infinity)
      : statsTable(sectionsOf(tally, style), tally.bits, theme, width);
  return `${[title, '', ...rows, '', ...summary(report, theme, width)].join('\n')}\n`;
}

/** `pcap, 28,540 bytes in 786 packets, 0:18.89, 446 snapshots` */
export function headline({ container, fileBytes, stats }: StatsReport): string {
  const { bytes, seconds, tally } = stats;
  const snapshots = count(tally.snapshots.full + tally.snapshots.deltas, 'snapshot');
  if (!stats.hasPackets) {
    const of = bytes === fileBytes ? '' : ` of ${thousands(fileBytes)}`;
    return `${container}, ${thousands(bytes)}${of} bytes, ${clock(seconds)}, ${snapshots}`;
  }
  const { to_client: down, to_server: up, other } = stats.packets;
  const packets = count(down.count + up.count + other.count, 'packet');
  return `${container}, ${thousands(bytes)} bytes in ${packets}, ${clock(seconds)}, ${snapshots}`;
}

/** Returns the lines after the table: rates over time, and the largest snapshots in relation to the limits. */
function summary({ stats }: StatsReport, theme: Theme, width: number): string[] {
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
  const kinds = stats.tally.items.all;
  const real = kinds.reduce((sum, item) => sum + item.bits, 0);
  const estimate = kinds.reduce((sum, item) => sum + item.estimate, 0);
  if (real > 0) {
    rows.push([
      'estimate',
      `${thousands(Math.round(estimate / 8))} bytes for the items`,
      "by the games' own measure,",
      `${(estimate / real).toFixed(2)} times what they took`,
    ]);
  }
  return [...overTime(stats, theme, width), ...rowLines(rows, theme, width, labelWidth)];
}

/** Returns sparklines of the bytes, snapshots and items per second. */
function overTime({ tally, seconds: length }: StatsReport['stats'], theme: Theme, width: number): string[] {
  const seconds = tally.seconds.all;
  if (seconds.length < 2) return [];
  const room = Math.max(10, Math.min(80, width - labelWidth - 46));
  const line = (label: string, value: (second: SecondTally) => number, words: (points: Point[]) => string) => {
    const points = seconds.map((one) => ({ second: one.second, value: value(one) }));
    const blocks = sparkline(points, room, label === 'items' ? 'highest' : 'average');
    return `  ${theme.dim(label.padEnd(labelWidth))}  ${theme.role.position(blocks)}  ${words(points)}`;
  };
  const maximum = (points: readonly Point[]) => {
    const { second, value } = points.reduce((a, b) => (b.value > a.value ? b : a));
    return `${thousands(Math.round(value))} at ${minutes(second)}`;
  };
  const averageAndMaximum = (points: readonly Point[]) => {
    const sum = points.reduce((all, { value }) => all + value, 0);
    return `${thousands(Math.round(sum / Math.max(1, length)))} on average, ${maximum(points)}`;
  };
  const bytes = line('bytes/s', (one) => bitsOfSecond(one) / 8, averageAndMaximum);
  if (!tally.peaks.items) return [bytes];
  return [
    bytes,
    line('snapshots/s', ({ snapshots }) => snapshots, averageAndMaximum),
    line(
      'items',
      ({ items }) => items,
      (points) => `at most ${maximum(points)}`,
    ),
  ];
}

const place = ({ tick, client }: Peak) => `at tick ${tick}${client === undefined ? '' : ` of ${client}`}`;

function packetText({ packets }: RecordingStats): string[] {
  const { to_client: down, to_server: up, other } = packets;
  const words = (one: typeof down, to: string) =>
    one.count > 0 ? [`${thousands(one.count)} ${to} (${count(one.bytes, 'byte')})`] : [];
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

/** `0:31`, `1:02:03` */
const minutes = (second: number) => clock(second).replace(/\.00$/, '');

/** The counts of a recording that is still being written. */
export interface LiveStats {
  readonly report: StatsReport;
  readonly clients: number;
  readonly mismatched: number;
}

/** `0:31.20   3 clients   75 snapshots/s   26 items   12.3 KB/s   0 mismatched`; rates are from the last whole second. */
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
  const head = [theme.strong(escapeText(file)), liveLine(live, theme), ''];
  if (tally.bits === 0) return head;
  const sections = sectionsOf(tally, { by: 'type', fields: false, top: undefined, verbose });
  return [...head, ...statsTable(sections, tally.bits, theme, width)].slice(0, height);
}
