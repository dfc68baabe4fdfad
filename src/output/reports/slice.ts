import type { GameEvent } from '../../recording/events/event.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { columns } from '../text/columns.ts';
import { clock, count, nonZero, size, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { eventText } from './edit.ts';

export interface WrittenCapture {
  readonly name: string;
  readonly packets: number;
  readonly bytes: number;
  readonly snapshots: { readonly all: number; readonly firstTick: number; readonly lastTick: number };
  readonly about?: readonly GameEvent[];
}

/** `small.pcapng   0:10.00   ticks 9072 to 9572   2,211 of 75,678 packets   446 snapshots   412.3 KB` */
export function renderCuts(written: readonly WrittenCapture[], packets: number, theme: Theme): string[] {
  const rows = written.map(({ name, packets: own, bytes, snapshots, about = [] }) => [
    theme.strong(name),
    ...ticksOf(snapshots, theme),
    `${thousands(own)} of ${count(packets, 'packet')}`,
    count(snapshots.all, 'snapshot'),
    size(bytes),
    eventText(about, theme),
  ]);
  return columns(rows, ['left', 'right', 'left', 'right', 'right', 'right', 'left'], { indent: '' });
}

const ticksOf = ({ all, firstTick, lastTick }: WrittenCapture['snapshots'], theme: Theme) =>
  all === 0
    ? ['', 'no ticks']
    : [theme.role.time(clock((lastTick - firstTick) / ticksPerSecond)), `ticks ${firstTick} to ${lastTick}`];

/** The same as one text, if there are snapshots. */
export const ticksText = (snapshots: WrittenCapture['snapshots'], theme: Theme): string[] =>
  snapshots.all === 0 ? [] : [...ticksOf(snapshots, theme), count(snapshots.all, 'snapshot')];

/** A line for each piece with snapshots that were not captured so. */
export const renderWhole = (
  cuts: readonly { readonly whole: number }[],
  written: readonly WrittenCapture[],
): string[] =>
  cuts.flatMap(({ whole }, i) =>
    nonZero([whole, `${written[i]!.name}: ${count(whole, 'snapshot')} written whole: their bases are before the cut`]),
  );

/** A line for each piece whose snapshots have bases that are not in it. */
export function renderLostBases(lost: readonly number[], written: readonly WrittenCapture[]): string[] {
  return lost.flatMap((count, i) => {
    const { name, snapshots } = written[i]!;
    return nonZero([
      count,
      `${name}: ${thousands(count)} of ${thousands(snapshots.all)} snapshots can't be rebuilt in it: their bases are before the cut`,
    ]);
  });
}
