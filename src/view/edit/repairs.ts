import type { Loss } from '../../edit/losses.ts';
import type { HeaderChange } from '../../edit/repair.ts';
import { escapeText } from '../text/escape.ts';
import { count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { renderLosses } from './losses.ts';

/** The result of a repair. */
export interface RepairReport {
  readonly from: string;
  readonly to: string;
  readonly snapshots: number;
  readonly messages: number;
  readonly losses: readonly Loss[];
  readonly lostMessages: number;
  /** The number of snapshots with wrong sizes. */
  readonly wrongSizes: number;
  readonly header: readonly HeaderChange[];
  readonly isMapDamaged: boolean;
}

/**
 * `broken.demo → whole.demo   1,337 snapshots, 40 messages`, then lines for the lost ranges of ticks, the corrected
 * header fields and the snapshots that were read with other sizes.
 */
export function renderRepair(report: RepairReport, theme: Theme): string[] {
  const { from, to, snapshots, messages, losses, lostMessages, wrongSizes, header, isMapDamaged } = report;
  const lost = losses.reduce((sum, one) => sum + one.snapshots, 0);
  const of = lost > 0 ? ` (${count(lost, 'more was', 'more were')} there)` : '';
  const lines = [
    `${escapeText(from)} → ${theme.strong(escapeText(to))}   ${count(snapshots, 'snapshot')}${of}, ${count(messages, 'message')}`,
    ...renderLosses(losses, theme),
  ];
  if (lostMessages > 0) lines.push(`  ${theme.error('lost')}   ${count(lostMessages, 'message')} that can't be read`);
  if (wrongSizes > 0) lines.push(`  restored   ${count(wrongSizes, 'delta')} that had the item sizes of 0.6`);
  for (const change of header) {
    lines.push(`  header   ${change.field} ${escapeText(change.from)} → ${escapeText(change.to)}`);
  }
  if (isMapDamaged) lines.push(`  ${theme.error('map')}   damaged: the header names another`);
  if (lines.length === 1) lines.push('  nothing was wrong');
  return lines;
}
