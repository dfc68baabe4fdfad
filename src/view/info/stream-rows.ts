import type { ConnectionStream, Direction } from '../../recording/record.ts';
import type { RecordingSummary } from '../../recording/recording-summary.ts';
import { perSecond, type RateStretch, secondsOf } from '../../recording/snapshot-rates.ts';
import type { Outcome, StreamSummary } from '../../recording/stream-summary.ts';
import { maxItems } from '../../snapshot/key.ts';
import { commas, commasOrNone, type LabelledRow, listed } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock, size } from '../text/units.ts';
import { maxInLine, nameText, textInLine } from '../text/untrusted-text.ts';
import { serversOf } from './head-rows.ts';

/** The maximum number of listed message kinds of a connection; the others are counted. */
const maxKinds = 6;
/** The maximum number of listed rates; later ones are summarised. */
const maxStretches = 8;

const noTokens = 'none: a forged packet with a likely tick and ack cannot be recognised';

/** The rows about one stream; for a connection also how it ended. */
export function streamRows(
  one: StreamSummary,
  summary: RecordingSummary,
  theme: Theme,
  verbose: boolean,
): LabelledRow[] {
  return one.connection ? connectionRows(one, one.connection, summary, theme, verbose) : contentRows(one);
}

function contentRows(summary: StreamSummary): LabelledRow[] {
  const { snapshots, kinds, peaks, messages, messageCount, names } = summary;
  const total = (value: number) => thousands(value).padEnd(7);
  const kindsOfMessages = byCount(messages.to_client).map(([name, times]) => `${thousands(times)} ${name}`);
  return [
    [
      'snapshots',
      total(snapshots),
      `${count(kinds.snapshot, 'full', 'full')}, ${count(kinds.delta, 'delta')},`,
      `at most ${count(peaks.items, 'item')} (${thousands(maxItems)} allowed), ${size(peaks.snapshotBytes)}`,
    ],
    ['messages', total(messageCount), ...commasOrNone(kindsOfMessages)],
    ...versionRows(summary),
    ['players', ...commasOrNone([...names.seen].map(nameText))],
  ];
}

function connectionRows(
  one: StreamSummary,
  connection: ConnectionStream,
  { streams, firstTime: start }: RecordingSummary,
  theme: Theme,
  verbose: boolean,
): LabelledRow[] {
  const { outcomes, rates } = one;
  const { server, firstTime, lastTime } = connection;
  return [
    ...(connection.hasHandshake
      ? []
      : [['version', 'its handshake was not captured:', 'if the version is wrong, -p sets it'] as const]),
    ...(serversOf(streams).size > 1 ? [['server', server] as const] : []),
    ['time', `${timeText(firstTime - start)} to ${timeText(lastTime - start)},`, closeText(one)],
    ['sent', ...traffic(one, connection, 'to_server', verbose)],
    ['received', ...traffic(one, connection, 'to_client', verbose)],
    ...versionRows(one),
    ['loss', ...loss(connection, theme)],
    ...(one.snapshots > 0 && !connection.hasTokens ? [['tokens', noTokens] as const] : []),
    ['snapshots', ...snapshotParts(one)],
    ['checksums', ...commas(outcomeTexts(outcomes, theme))],
    ['rates', ...commas(rateTexts(rates.stretches))],
  ];
}

/** The messages of the other version, and how sure that is. */
function versionRows({ otherVersion, stream }: StreamSummary): LabelledRow[] {
  const { certain, likely, ambiguous, neither } = otherVersion;
  const version = stream.protocol.version === '0.7' ? '0.6' : '0.7';
  const parts = [
    ...(certain > 0 ? [`${thousands(certain)} certain`] : []),
    ...(likely > 0 ? [`${thousands(likely)} likely`] : []),
    ...(ambiguous > 0 ? [`${thousands(ambiguous)} make sense in both versions`] : []),
    ...(neither > 0 ? [`${thousands(neither)} make sense in neither`] : []),
  ];
  const total = certain + likely;
  return parts.length > 0 ? [['versions', `${count(total, 'message')} of ${version}:`, ...commas(parts)]] : [];
}

function snapshotParts({ snapshots, kinds, peaks }: StreamSummary): string[] {
  if (snapshots + kinds.empty === 0) return ['none'];
  return listed(thousands(snapshots), [
    `${thousands(kinds.snapshot)} full`,
    count(kinds.delta, 'delta'),
    ...(kinds.empty > 0 ? [`${thousands(kinds.empty)} empty besides`] : []),
    ...(peaks.items > 0 ? [`at most ${count(peaks.items, 'item')}`] : []),
    size(peaks.payloadBytes),
  ]);
}

function traffic(
  { messages }: StreamSummary,
  connection: ConnectionStream,
  direction: Direction,
  verbose: boolean,
): string[] {
  const { packets, bytes } = connection.counts(direction);
  const all = byCount(messages[direction]);
  const shown = verbose || all.length <= maxKinds + 1 ? all : all.slice(0, maxKinds);
  const names = shown.map(([name, times]) => `${thousands(times)} ${name}`);
  const more = all.length > shown.length ? [`${all.length - shown.length} more kinds`] : [];
  return listed(`${count(packets, 'packet')}, ${size(bytes)}`, [...names, ...more]);
}

function loss(connection: ConnectionStream, theme: Theme): string[] {
  const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
  const [resent, lost] = [up.resent + down.resent, up.lost + down.lost];
  const parts = [
    ...(resent > 0 ? [`${count(resent, 'chunk')} sent again`] : []),
    ...(lost > 0 ? [theme.warning(`${count(lost, 'chunk')} not captured`)] : []),
    ...(connection.setAsidePackets > 0
      ? [theme.warning(`! ${count(connection.setAsidePackets, 'packet')} set aside (forged, stray or refused)`)]
      : []),
    ...(connection.undecodable > 0 ? [theme.error(`✗ ${count(connection.undecodable, 'packet')} can't be read`)] : []),
  ];
  return parts.length > 0 ? commas(parts) : [theme.dim('none seen')];
}

const outcomeWords: Readonly<Record<Exclude<Outcome, 'ok'>, string>> = {
  mismatch: 'mismatched',
  missing_base: 'without their base',
  missing_part: 'without a part',
  damaged: 'damaged',
};

/** `444 match`, `2 without their base`; `all match` if there is no other outcome. */
export function outcomeTexts(outcomes: StreamSummary['outcomes'], theme: Theme): string[] {
  const others = (['mismatch', 'missing_base', 'missing_part', 'damaged'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => {
      const text = `${thousands(outcomes[outcome])} ${outcomeWords[outcome]}`;
      return outcome === 'mismatch' || outcome === 'damaged' ? theme.error(`✗ ${text}`) : theme.warning(text);
    });
  if (others.length > 0) return [`${thousands(outcomes.ok)} match`, ...others];
  return outcomes.ok > 0 ? [theme.added('all match')] : [];
}

/** `5/s for 1.2 s`, `25/s for 48.1 s`, `1/s for 2.0 s (recovery)` */
export function rateTexts(stretches: readonly RateStretch[]): string[] {
  const texts = stretches.slice(0, maxStretches).map((stretch) => {
    const seconds = `${perSecond(stretch)}/s for ${secondsOf(stretch).toFixed(1)} s`;
    return stretch.mode === 'recovery' ? `${seconds} (recovery)` : seconds;
  });
  const left = stretches.slice(maxStretches);
  if (left.length === 0) return texts;
  const total = left.reduce((sum, stretch) => sum + secondsOf(stretch), 0);
  const recovering = left.filter(({ mode }) => mode === 'recovery').reduce((sum, one) => sum + secondsOf(one), 0);
  return [
    ...texts,
    `and ${count(left.length, 'more change')} in ${total.toFixed(1)} s (${recovering.toFixed(1)} s recovery)`,
  ];
}

function closeText({ close }: StreamSummary): string {
  if (!close) return 'not seen to end';
  const reason = close.reason === '' ? '' : ` (${textInLine(close.reason, maxInLine)})`;
  return `closed by the ${close.direction === 'to_server' ? 'client' : 'server'}${reason}`;
}

/** A point in time of a connection; empty for a network log, which has no times. */
export const timeText = (seconds: number): string => (Number.isFinite(seconds) ? clock(seconds) : '?');

const byCount = (messages: ReadonlyMap<string, number>) => [...messages].sort((a, b) => b[1] - a[1]);
