import { bitsOfSecond } from '../../stats/tally.ts';
import { escapeText } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { clock, size } from '../text/units.ts';
import { type StatsReport, sectionsOf } from './stats-rows.ts';
import { statsTable } from './stats-table.ts';

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

export interface LiveStyle extends ViewStyle {
  /** The number of lines of the screen. */
  readonly height: number;
}

/** Returns the lines of a screen: the summary line, and as many rows of the table as fit. */
export function renderLiveStats(live: LiveStats, style: LiveStyle): string[] {
  const { theme, width, height, verbose } = style;
  const { file, stats } = live.report;
  const { tally } = stats;
  const head = [theme.strong(escapeText(file)), liveLine(live, theme), ''];
  if (tally.bits === 0) return head;
  const sections = sectionsOf(tally, { by: 'type', fields: false, top: undefined, verbose });
  return [...head, ...statsTable(sections, tally.bits, theme, width)].slice(0, height);
}
