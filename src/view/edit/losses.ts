import type { Loss } from '../../edit/losses.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { columns } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { plainTheme, type Theme } from '../text/theme.ts';

/** The maximum number of listed losses; the rest is counted. */
const maxNamed = 50;

/** `9822 to 9886   lost   32 snapshots, goes on at 9888   huffman_no_eof at 0x1faf2: …` */
export function renderLosses(losses: readonly Loss[], theme: Theme = plainTheme): string[] {
  const rows = losses
    .slice(0, maxNamed)
    .map(({ from, to, snapshots, cause, next }) => [
      Number.isFinite(to) ? `${from} to ${to}` : `from ${from} on`,
      theme.error('lost'),
      [
        ...(snapshots > 0 ? [count(snapshots, 'snapshot')] : []),
        next === undefined ? 'nothing follows' : `goes on at ${next}`,
      ].join(', '),
      cause ? diagnosticLine(cause) : '',
    ]);
  const more = losses.length - maxNamed;
  return [...columns(rows, ['left', 'left', 'left', 'left']), ...(more > 0 ? [`  ${count(more, 'more range')}`] : [])];
}
