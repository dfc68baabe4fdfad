import type { RecordingSummary } from '../../recording/recording-summary.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import { columns, commas, wrap } from '../text/layout.ts';
import { thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { textInLine } from '../text/untrusted-text.ts';
import { outcomeTexts, rateTexts, timeText } from './stream-rows.ts';

const maxNameWidth = 15;
/** The width from which all columns fit. */
const fullWidth = 100;

/** The connections of a capture, one row each, with notes below. */
export function connectionTable({ streams, firstTime }: RecordingSummary, theme: Theme, width: number): string[] {
  const isNarrow = width < fullWidth;
  const head = [
    'client',
    'player',
    ...(isNarrow ? [] : ['version', 'from']),
    'to',
    'sent',
    'received',
    'lost',
    'snapshots',
  ];
  const rows = streams.flatMap(({ connection, player = '', snapshots }) => {
    if (!connection) return [];
    const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
    return [
      [
        theme.strong(connection.client),
        theme.role.identity(textInLine(player, maxNameWidth)),
        ...(isNarrow ? [] : [connection.version ?? '?', timeText(connection.firstTime - firstTime)]),
        timeText(connection.lastTime - firstTime),
        thousands(up.packets),
        thousands(down.packets),
        thousands(up.lost + down.lost),
        thousands(snapshots),
      ],
    ];
  });
  const align = head.map((_, i) => (i < (isNarrow ? 2 : 3) ? 'left' : 'right'));
  const [first, ...lines] = columns([head.map(theme.dim), ...rows], align);
  return [
    first!,
    ...lines.flatMap((line, i) => [line, ...notes(streams[i]!, theme, width)]),
    theme.dim('  -v shows more of each'),
  ];
}

/** The rates, and the mismatched checksums. */
function notes({ outcomes, rates }: StreamSummary, theme: Theme, width: number): string[] {
  const { mismatch, missing_base, missing_part, damaged } = outcomes;
  const isWrong = mismatch + missing_base + missing_part + damaged > 0;
  const words = [...commas(rateTexts(rates.stretches)), ...(isWrong ? commas(outcomeTexts(outcomes, theme)) : [])];
  const style = (word: string) => theme.dim(word);
  return wrap(
    words.map((text) => ({ text, style })),
    width - 6,
  ).map((line) => `      ${line}`);
}
