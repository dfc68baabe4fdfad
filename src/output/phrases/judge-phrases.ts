import type { JudgedRange, TickJudge } from '../../recording/judge/tick-judge.ts';
import { count, nonZero, thousands } from '../text/number.ts';

export const trustWords: Readonly<Record<JudgedRange['trust'], string>> = {
  confirmed: 'confirmed',
  plain: 'plain',
  doubtful: 'in doubt',
  lost: 'lost',
};

/** `2179 to 2331`, `2179`, `from 2179 on`; `before 12` for damage whose tick is after the next one. */
export function ticksText(from: number, to: number): string {
  if (!Number.isFinite(to)) return `from ${from} on`;
  if (from === to) return `${from}`;
  return from < to ? `${from} to ${to}` : `before ${from}`;
}

/** What is said of a healthy demo that announces no checksums. */
export const unconfirmed = 'no checksum confirms it';

/** `26 of 103 announced match`, `77 are announced for 1 tick earlier`; empty if none is announced. */
export function sumTexts({ announced, matched, mismatched, shifted, other, missing }: TickJudge['sums']): string[] {
  if (announced === 0) return [];
  const moved = [...shifted].map(([distance, times]) => {
    const way = distance > 0 ? 'earlier' : 'later';
    return `${thousands(times)} ${times === 1 ? 'is' : 'are'} announced for ${count(Math.abs(distance), 'tick')} ${way}`;
  });
  return [
    `${thousands(matched)} of ${thousands(announced)} announced match`,
    ...nonZero([mismatched, `${thousands(mismatched)} mismatched`]),
    ...moved,
    ...nonZero(
      [other, `${thousands(other)} of another tick than the snapshot beside them`],
      [missing, `${thousands(missing)} without a snapshot`],
    ),
  ];
}

/** The ranges of a demo, unless the same is known of all that is there. */
export const toldRanges = ({ ranges }: TickJudge): readonly JudgedRange[] =>
  ranges.some(({ trust }) => trust === 'doubtful' || trust === 'lost') ? ranges : [];

/** `77 of 103 snapshots in doubt`; undefined without any. */
export function doubtfulText({ snapshots }: TickJudge): string | undefined {
  const { confirmed, plain, doubtful } = snapshots;
  const of = count(confirmed + plain + doubtful, 'snapshot');
  return doubtful > 0 ? `${thousands(doubtful)} of ${of} in doubt` : undefined;
}

/** What `checksum` says of a demo: `26 of 103 announced match, 77 …; 77 of 103 snapshots in doubt`. */
export const checkedText = (judge: TickJudge): string =>
  [sumTexts(judge.sums).join(', ') || unconfirmed, ...[doubtfulText(judge)].filter(Boolean)].join('; ');
