import { type DemoHeader, isRightLength } from '../../recording/container/demo/header.ts';
import { type Ghost, hasRightTime, runTime } from '../../recording/container/ghost/ghost.ts';
import { isSkinName } from '../../recording/games/skin-names.ts';
import type { Outcome } from '../../recording/health/checksums.ts';
import type { FindingCode } from '../../recording/health/findings.ts';
import type { JudgedRange, TickJudge } from '../../recording/judge/tick-judge.ts';
import type { DatagramCounts } from '../../recording/replay/replay.ts';
import type { ConnectionStream, Direction } from '../../recording/replay/stream.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import { perSecond, type RateStretch, secondsOf } from '../../recording/summary/snapshot-rates.ts';
import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { maxItems } from '../../wire/snapshot/key.ts';
import { endText, lossTexts, type StoryPart, storyOf, timeText } from '../phrases/connection-phrases.ts';
import { countText, warningsText } from '../phrases/finding-phrases.ts';
import { doubtfulText, sumTexts, ticksText, toldRanges, trustWords, unconfirmed } from '../phrases/judge-phrases.ts';
import { isOfStory, oddCountText, storyText } from '../phrases/recording-phrases.ts';
import type { RecordingInfo } from '../results/info.ts';
import { escapeText, nameText } from '../text/escape.ts';
import { address, clock, count, nonZero, size, thousands } from '../text/number.ts';
import { commas, commasOrNone, type LabelledRow, listed, type RowPart } from '../text/rows.ts';
import { asIs, type Style, type Theme, type ViewStyle } from '../text/theme.ts';
import { contentRows } from './info-content-rows.ts';
import { playRows } from './play-rows.ts';

const maxPlaces = 3;
const maxKinds = 6;
const maxStretches = 8;

/** `client demo, version 6, 204 KB`, `pcap, 1.1 MB` */
export function kindText({ bytes, summary: { header, ghost, container } }: RecordingInfo): string {
  const version = ghost && `ghost, version ${ghost.version}`;
  const kind = header ? `${header.type || 'unknown'} demo, version ${header.version}` : (version ?? container);
  return `${escapeText(kind)}, ${size(bytes)}`;
}

/** The rows of a recording: about the whole, and about its stream if it has only one. */
export function infoRows(summary: RecordingSummary, theme: Theme): LabelledRow[] {
  const [stream, ...rest] = summary.streams;
  return [
    ...headRows(summary, theme),
    ...(stream && rest.length === 0 ? streamRows(stream, summary, { theme, verbose: false }) : []),
    ...markerRows(summary),
  ];
}

export function healthText(summary: RecordingSummary, theme: Theme): string {
  const { state, isCut } = summary.health;
  switch (state) {
    case 'healthy':
      return [theme.added(state), ...unconfirmedText(summary), ...warnings(summary, theme)].join(', ');
    case 'incomplete': {
      const why =
        countText(summary.findings, 'missing_snapshots') ??
        countText(summary.findings, 'connections_not_listed') ??
        'a limit was reached';
      return [theme.warning(`${state}: ${why}`), ...warnings(summary, theme)].join(', ');
    }
    case 'mismatched':
      return theme.error(`✗ ${countText(summary.findings, 'mismatched_snapshots')}`);
    case 'suspect':
      return theme.error(`✗ ${state}: ${suspectParts(summary).join(', ')}`);
    case 'unplayable':
      return theme.error(`✗ ${state}: ${unplayableText(summary)}`);
    case 'damaged':
      return (isCut ? theme.warning : theme.error)(damageText(summary));
    case 'unread':
      return theme.error(`✗ ${state}: of a version that is not read, and that games no longer read`);
  }
}

/** Of a demo that announces no checksums. */
const unconfirmedText = ({ header, streams }: RecordingSummary) =>
  header && streams.every(({ judge }) => judge.sums.announced === 0) ? [unconfirmed] : [];

const warnings = ({ findings }: RecordingSummary, theme: Theme) =>
  [warningsText(findings)].flatMap((text) => (text === undefined ? [] : theme.warning(text)));

/** Why a game does not play it: what it says, or what it reads as something else. */
function unplayableText({ fault }: RecordingSummary): string {
  if (!fault) return 'the games refuse it';
  return fault.sentence ? `${fault.game} says "${fault.sentence}"` : 'item sizes of the other version';
}

/** What is no sign of damage by itself. */
const ofItsOwn: ReadonlySet<FindingCode> = new Set(['other_map', 'doubtful_ticks']);

function suspectParts({ findings, streams }: RecordingSummary): string[] {
  const wrong = findings.filter(
    (found) => found.severity === 'wrong' && !ofItsOwn.has(found.code) && !isOfStory(found),
  );
  const kinds = streams.flatMap(({ oddities }) => [...oddities.all]).filter(({ weight }) => weight === 'wrong');
  const odd = kinds.reduce((sum, kind) => sum + (isOfStory(kind.diagnostic) ? 0 : kind.count), 0);
  const signs = wrong.reduce((sum, { count }) => sum + count, 0) - odd;
  const isOtherMap = findings.some(({ code }) => code === 'other_map');
  const parts = nonZero(
    [Number(isOtherMap), "the map is not the header's"],
    ...streams.map(({ judge }) => [judge.snapshots.doubtful, doubtfulText(judge) ?? ''] as const),
    [signs, count(signs, 'sign of damage', 'signs of damage')],
    [odd, oddCountText(odd)],
  );
  // A damaged recording has odd values, too.
  const isBroken = findings.some((found) => found.severity === 'wrong' && isOfStory(found));
  return isBroken ? [...parts, storyText(parts.length === 0)] : parts;
}

function damageText({ health: { at, isCut }, header, datagrams, findings }: RecordingSummary) {
  const places = at.slice(0, maxPlaces).map((offset) => `0x${address(offset)}`);
  if (isCut) return `damaged: cut at ${places[0]}`;
  if (at.length > 0 && header && !datagrams) {
    const more = at.length > places.length ? ` and ${count(at.length - places.length, 'more place')}` : '';
    return `damaged at ${places.join(', ')}${more}`;
  }
  const counted = ['undecodable_packets', 'damaged_snapshots'] as const;
  const parts = counted.flatMap((code) => countText(findings, code) ?? []);
  return parts.length > 0 ? `✗ damaged: ${parts.join(', ')}` : 'damaged';
}

export function headRows(summary: RecordingSummary, theme: Theme): LabelledRow[] {
  const { header, ghost, datagrams, streams } = summary;
  const rows: LabelledRow[] = [];
  if (ghost) rows.push(...ghostRows(ghost, streams[0]!, theme), ...playRows(summary, theme));
  if (header) {
    const { version } = streams[0]!.stream.protocol;
    const recorded = `${headerDate(header.timestamp)} by a ${version} ${escapeText(header.type)}`;
    rows.push(['recorded', recorded, `(${escapeText(header.netVersion)})`]);
    rows.push(['map', ...mapParts(header, summary, theme)], ['time', ...timeParts(header, summary, theme)]);
    rows.push(...playRows(summary, theme));
  }
  if (datagrams) {
    const servers = serversOf(streams);
    const to = servers.size === 1 ? `all to ${[...servers][0]}` : `to ${servers.size} servers`;
    rows.push(['recorded', dateOf(summary.firstTime)]);
    rows.push(['datagrams', ...listed(thousands(datagrams.total), unconnectedParts(datagrams))]);
    rows.push(...serverInfoRows(datagrams, theme));
    rows.push(['connections', ...listed(thousands(streams.length), servers.size === 0 ? [] : [to])]);
  }
  return rows;
}

const noSkin = ', which is no name of a file: DDNet shows default';

/** What the header of a ghost says, and whether its characters agree. */
function ghostRows(ghost: Ghost, { firstTick, lastTick }: StreamSummary, theme: Theme): LabelledRow[] {
  const { owner, skin, mapName, mapCrc = 0, mapSha256, characters, time, found, steps } = ghost;
  const says = (value: string, isRight: boolean) => {
    if (characters === 0 && time === 0) return 'header says nothing';
    return `header says ${value} ${isRight ? theme.added('✓') : theme.warning('!')}`;
  };
  const hash = mapSha256 ? `sha256 ${mapSha256.slice(0, 8)}…` : `crc ${mapCrc.toString(16).padStart(8, '0')}`;
  const most = [...steps].sort((a, b) => b[1] - a[1]).slice(0, maxStretches);
  const ticks = firstTick < 0 ? ['no ticks,'] : [clock(runTime(ghost) / 1000), `ticks ${firstTick} to ${lastTick},`];
  return [
    ['player', `${nameText(owner)},`, `skin ${nameText(skin)}${isSkinName(skin) ? '' : noSkin}`],
    ['map', `${escapeText(mapName)},`, hash],
    ['time', ...ticks, says(`${thousands(time)} ms`, hasRightTime(ghost))],
    ['characters', `${thousands(found)},`, says(thousands(characters), characters === found)],
    ['steps', ...commasOrNone(most.map(([step, times]) => `${thousands(times)} of ${count(step, 'tick')}`))],
  ];
}

function markerRows({ header, streams, markers: all }: RecordingSummary): LabelledRow[] {
  if (!header) return [];
  const { firstTick } = streams[0]!;
  const markers = all.map((tick) => `${tick} (${clock((tick - firstTick) / ticksPerSecond)})`);
  return [['markers', ...commasOrNone(markers)]];
}

const serversOf = (streams: readonly StreamSummary[]) => new Set(streams.map(({ stream }) => stream.server));

function mapParts(header: DemoHeader, { map }: RecordingSummary, theme: Theme): string[] {
  const crc = header.mapCrc.toString(16).padStart(8, '0');
  const name = `${escapeText(header.mapName)},`;
  if (!map) return [name, 'not in the file,', `crc ${crc}`];
  const ok = (right: boolean, found: string) => (right ? theme.added('✓') : theme.error(`✗ found ${found}`));
  const parts = [
    name,
    `${count(map.bytes, 'byte')},`,
    `crc ${crc} ${ok(map.crc === header.mapCrc, map.crc.toString(16))}`,
  ];
  const { sha256 } = header;
  if (sha256 === undefined) return parts;
  return [...parts, `sha256 ${sha256.slice(0, 8)}… ${ok(sha256 === map.sha256, `${map.sha256.slice(0, 8)}…`)}`];
}

function timeParts({ length }: DemoHeader, { streams, seconds }: RecordingSummary, theme: Theme): string[] {
  const { firstTick, lastTick } = streams[0]!;
  if (firstTick < 0) return ['no ticks'];
  if (lastTick < firstTick) return [`ticks ${firstTick} to ${lastTick}, which go back`];
  const parts = [clock(seconds), `ticks ${firstTick} to ${lastTick},`];
  if (length === 0) return [...parts, 'header says nothing'];
  const mark = isRightLength(length, seconds) ? theme.added('✓') : theme.warning('!');
  return [...parts, `header says ${length} s ${mark}`];
}

/** `2026-11-20_11-08-13` in the usual notation. */
function headerDate(timestamp: string): string {
  const match = /^(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)$/.exec(timestamp);
  return match ? `${match[1]} ${match[2]}:${match[3]}:${match[4]}` : escapeText(timestamp) || 'at an unknown time';
}

function dateOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function unconnectedParts({ connless, handshakes, dropped, other, copies }: DatagramCounts): string[] {
  const tooMany = `${thousands(dropped.packets)} of ${count(dropped.connections, 'connection')} too many, which are not shown`;
  return nonZero(
    [connless, `${thousands(connless)} connectionless`],
    [handshakes, `${thousands(handshakes)} of handshakes without a connection`],
    [dropped.connections, tooMany],
    [other, `${thousands(other)} of something else`],
    [copies, `${thousands(copies)} more recorded at another interface, too`],
  );
}

/** `3 asked, 2 answered, 1 unanswered, 22 players missing`: requests for server information. */
function serverInfoRows({ serverInfo }: DatagramCounts, theme: Theme): LabelledRow[] {
  const { asked, answered, otherToken, otherServer, announced, unasked } = serverInfo;
  const { incomplete, missingPlayers, tooLarge, foreignToken } = serverInfo;
  const unanswered = asked - answered;
  const parts = nonZero(
    [asked, `${thousands(asked)} asked`],
    [asked, `${thousands(answered)} answered`],
    [unanswered, theme.warning(`${thousands(unanswered)} unanswered`)],
    [foreignToken, theme.warning(`${thousands(foreignToken)} of them with the token of another server`)],
    [announced, `${thousands(announced)} announced to players`],
    [unasked, `${count(unasked, 'answer')} that nobody was seen to ask for`],
    [otherToken, theme.warning(`${count(otherToken, 'answer')} with another token`)],
    [otherServer, theme.warning(`${count(otherServer, 'answer')} with the token of another server`)],
    [tooLarge, theme.error(`${count(tooLarge, 'answer')} over 1,400 bytes, of which no more arrives`)],
    [incomplete, theme.warning(`${count(incomplete, 'answer')} without all parts`)],
    [missingPlayers, theme.warning(`${count(missingPlayers, 'player')} missing`)],
  );
  return parts.length > 0 ? [['server info', ...commas(parts)]] : [];
}

const noTokens = 'none: a forged packet with a likely tick and ack cannot be recognised';

/** The rows about one stream; for a connection also how it ended. */
export function streamRows(stream: StreamSummary, summary: RecordingSummary, style: RowStyle): LabelledRow[] {
  const { theme } = style;
  if (stream.connection) return connectionRows(stream, stream.connection, summary, style);
  if (summary.container === 'ghost') return [];
  const { snapshots, kinds, peaks, messages, messageCount } = stream;
  const total = (value: number) => ({ total: thousands(value), width: 7 });
  const about = [
    total(snapshots),
    `${count(kinds.snapshot, 'full', 'full')}, ${count(kinds.delta, 'delta')},`,
    `at most ${count(peaks.items, 'item')} (${thousands(maxItems)} allowed), ${size(peaks.snapshotBytes)}`,
  ];
  return [
    ['snapshots', ...(snapshots > 0 ? about : ['none'])],
    ...judgeRows(stream.judge, theme),
    ...seekingRows(stream, summary),
    ['messages', total(messageCount), ...commasOrNone(countedKinds(messages.to_client))],
    ...contentRows(stream, summary, theme),
    ['players', ...commasOrNone(playersText(stream))],
    ...finishRows(stream),
  ];
}

/** The one who records first. */
function playersText({ names: { seen }, player }: StreamSummary): string[] {
  const others = [...seen].filter((name) => name !== player).map(nameText);
  return player !== undefined && seen.has(player) ? [`${nameText(player)} (records)`, ...others] : others;
}

const trustStyle: Readonly<Record<JudgedRange['trust'], (theme: Theme) => Style>> = {
  confirmed: ({ added }) => added,
  plain: () => asIs,
  doubtful: ({ warning }) => warning,
  lost: ({ error }) => error,
};

/** The announced checksums of a demo, and what is known of which ticks. */
function judgeRows(judge: TickJudge, theme: Theme): LabelledRow[] {
  const sums = sumTexts(judge.sums);
  const ranges = toldRanges(judge);
  const texts = ranges.slice(0, maxStretches).map(({ trust, from, to }) => {
    return `${ticksText(from, to)} ${trustStyle[trust](theme)(trustWords[trust])}`;
  });
  const more = ranges.length - maxStretches;
  return [
    ...(sums.length > 0 ? [['checksums', ...commas(sums)] as LabelledRow] : []),
    ...(texts.length > 0 ? [['ticks', ...commas([...texts, ...nonZero([more, `${more} more`])])] as LabelledRow] : []),
  ];
}

/** Seconds before the end of a demo in which a finish is told apart from the end. */
const nearEnd = 1;

/** The last finish: replays of a run may end with it, so that its time is never seen. */
function finishRows({ lastFinish = -1, firstTick, lastTick }: StreamSummary): LabelledRow[] {
  if (lastFinish < 0) return [];
  const left = (lastTick - lastFinish) / ticksPerSecond;
  const end = left > nearEnd ? [] : [left > 0 ? `${left.toFixed(2)} s before the end` : 'with which the demo ends'];
  return [['finish', ...commas([clock((lastFinish - firstTick) / ticksPerSecond), `tick ${lastFinish}`, ...end])]];
}

/** Games write a keyframe every five seconds. Beyond this, in ticks, a jump takes noticeably longer. */
const usualReplay = 10 * ticksPerSecond;

/** What a player replays who jumps to a moment, if that is more than usual: games go on from the keyframe before it. */
function seekingRows({ kinds, longestReplay, snapshots }: StreamSummary, { header }: RecordingSummary): LabelledRow[] {
  if (!header || kinds.snapshot === 0 || snapshots < 2) return [];
  const replay = clock(longestReplay / ticksPerSecond);
  if (kinds.snapshot === 1) return [['seeking', '1 keyframe:', 'each jump replays from the beginning']];
  if (longestReplay <= usualReplay) return [];
  return [['seeking', `keyframes up to ${replay} apart:`, 'a jump replays as much']];
}

type RowStyle = Pick<ViewStyle, 'theme' | 'verbose'>;

function connectionRows(
  stream: StreamSummary,
  connection: ConnectionStream,
  summary: RecordingSummary,
  { theme, verbose }: RowStyle,
): LabelledRow[] {
  const { server, firstTime, lastTime } = connection;
  const { streams, firstTime: start } = summary;
  const traffic = (direction: Direction) => trafficParts(stream, connection, direction, verbose);

  const rows: LabelledRow[] = [];
  if (!connection.hasHandshake)
    rows.push(['version', 'its handshake was not captured:', 'if the version is wrong, -p sets it']);
  if (serversOf(streams).size > 1) rows.push(['server', server]);
  rows.push(
    ['time', `${timeText(firstTime - start)} to ${timeText(lastTime - start)},`, endText(connection, start)],
    ['sent', ...traffic('to_server')],
    ['received', ...traffic('to_client')],
    ...contentRows(stream, summary, theme),
    ['loss', ...loss(connection, theme)],
  );
  if (verbose) rows.push(...storyRows(connection, stream, start, theme));
  if (stream.snapshots > 0 && !connection.hasTokens) rows.push(['tokens', ...noTokens.split(' ')]);
  rows.push(
    ['snapshots', ...snapshotParts(stream)],
    ['checksums', ...commas(outcomeTexts(stream.outcomes, theme))],
    ['rates', ...commas(rateTexts(stream.rates.stretches))],
  );
  return rows;
}

/** `1,203 packets, 84 KB, 1,203 input, 3 more kinds`: what one end has sent. */
function trafficParts(stream: StreamSummary, connection: ConnectionStream, direction: Direction, verbose: boolean) {
  const { packets, bytes } = connection.counts(direction);
  const all = countedKinds(stream.messages[direction]);
  // A line that says "1 more kind" would be as long as the kind.
  const shown = verbose || all.length <= maxKinds + 1 ? all : all.slice(0, maxKinds);
  const more = all.length - shown.length;
  return listed(`${count(packets, 'packet')}, ${size(bytes)}`, [...shown, ...nonZero([more, `${more} more kinds`])]);
}

function snapshotParts({ snapshots, kinds, peaks, connection }: StreamSummary): RowPart[] {
  if (snapshots + kinds.empty === 0) return ['none'];
  return listed(thousands(snapshots), [
    `${thousands(kinds.snapshot)} full`,
    count(kinds.delta, 'delta'),
    ...nonZero(
      [kinds.empty, `plus ${thousands(kinds.empty)} empty`],
      [connection?.lateSnapshots ?? 0, `${thousands(connection?.lateSnapshots ?? 0)} late, which the client drops`],
      [peaks.items, `at most ${count(peaks.items, 'item')}`],
    ),
    size(peaks.payloadBytes),
  ]);
}

function loss(connection: ConnectionStream, theme: Theme): string[] {
  const texts = lossTexts(connection);
  return texts.length > 0 ? commas(styled(texts, theme)) : [theme.dim('none seen')];
}

const outcomeWords = {
  mismatched: 'mismatched',
  missing_base: 'without their base',
  missing_part: 'without a part',
  damaged: 'damaged',
} as const satisfies Partial<Record<Outcome, string>>;

/** `✗ 1 mismatched`, `2 without their base`: how many snapshots do not match, and why. */
export const failureTexts = (counts: Readonly<Record<Outcome, number>>, theme: Theme, mark = '✗ '): string[] =>
  Object.entries(outcomeWords).flatMap(([outcome, words]) => {
    const times = counts[outcome as keyof typeof outcomeWords];
    if (times === 0) return [];
    const isWrong = outcome === 'mismatched' || outcome === 'damaged';
    return (isWrong ? theme.error : theme.warning)(`${isWrong ? mark : ''}${thousands(times)} ${words}`);
  });

/** `444 match`, `2 without their base`; `all match` if there is no other outcome. */
export function outcomeTexts(counts: Readonly<Record<Outcome, number>>, theme: Theme): string[] {
  const others = failureTexts(counts, theme);
  if (others.length > 0) return [`${thousands(counts.matched)} match`, ...others];
  return counts.matched > 0 ? [theme.added('all match')] : [];
}

/** `5/s for 1.2 s`, `25/s for 48.1 s`, `1/s for 2.0 s (recovery)` */
function rateTexts(stretches: readonly RateStretch[]): string[] {
  const texts = stretches.slice(0, maxStretches).map((stretch) => {
    const seconds = `${perSecond(stretch)}/s for ${secondsOf(stretch).toFixed(1)} s`;
    return stretch.mode === 'recovery' ? `${seconds} (recovery)` : seconds;
  });
  const left = stretches.slice(maxStretches);
  if (left.length === 0) return texts;
  const total = (all: typeof left) => `${all.reduce((sum, stretch) => sum + secondsOf(stretch), 0).toFixed(1)} s`;
  const recovering = total(left.filter(({ mode }) => mode === 'recovery'));
  return [...texts, `and ${count(left.length, 'more change')} in ${total(left)} (${recovering} recovery)`];
}

/** What became of the vital chunks, how late things came, and how it began. The time has how it ended. */
const storyRows = (connection: ConnectionStream, stream: StreamSummary, start: number, theme: Theme): LabelledRow[] =>
  storyOf(connection, stream.lag, start).flatMap(({ label, texts }): LabelledRow[] =>
    label === 'end' || label === 'loss' ? [] : [[label, ...commas(styled(texts, theme))]],
  );

const styled = (texts: StoryPart['texts'], theme: Theme) =>
  texts.map(({ text, isWrong, isUnread }) => {
    if (isUnread) return theme.error(`✗ ${text}`);
    return isWrong ? theme.warning(`! ${text}`) : text;
  });

/** `1,203 input`: the kinds of messages, the most frequent first. */
const countedKinds = (messages: ReadonlyMap<string, number>) =>
  [...messages].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${thousands(times)} ${name}`);
