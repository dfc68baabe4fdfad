import { type DemoHeader, netVersions, teeworldsVersion } from '../../recording/container/demo/header.ts';
import { lastDdnet } from '../../recording/games/demo-rules.ts';
import type { GamePlay, Play } from '../../recording/playback/plays.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { escapeText } from '../text/escape.ts';
import { address, clock } from '../text/number.ts';
import type { LabelledRow } from '../text/rows.ts';
import type { Theme } from '../text/theme.ts';

/** `DDNet 16.4 to 20.1 ✓`, `DDNet from 19.2 ✗ refuses it: "Error scanning demo file"`: the games that play a recording. */
export function playRows({ plays, header, streams }: RecordingSummary, theme: Theme): LabelledRow[] {
  if (plays.length === 0) return [];
  const firstTick = streams[0]!.firstTick;
  const parts = plays.flatMap((verdict, i) => {
    const isFirst = plays[i - 1]?.game !== verdict.game;
    const texts = verdictTexts(verdict, { header, firstTick }, theme);
    texts[0] = `${verdict.game} ${versionsText(verdict, isFirst)} ${texts[0]}`;
    if (i < plays.length - 1) texts.push(`${texts.pop()},`);
    return texts;
  });
  return [['plays in', ...parts]];
}

/** `16.0 to 20.1`, `before 19.2`, `from 19.2`: the versions of a game that have one verdict. */
function versionsText({ game, from, before }: GamePlay, isFirst: boolean): string {
  if (before) return `before ${before}`;
  if (!isFirst) return `from ${from}`;
  const last = game === 'DDNet' ? lastDdnet : from;
  return from === last ? from : `${from} to ${last}`;
}

interface PlayedDemo {
  /** Undefined for a ghost. */
  readonly header: DemoHeader | undefined;
  readonly firstTick: number;
}

/** `✗ stops at tick 420 (0:04.36), 0x5ec2:`, `"Error during network decompression"`: parts that may be wrapped. */
function verdictTexts(verdict: GamePlay, demo: PlayedDemo, theme: Theme): string[] {
  const { play, code, sentence, seeks } = verdict;
  const why = code ? ` (${code})` : '';
  const map = code ? 'the right map' : 'the map';
  const deeds: Readonly<Record<Play, string>> = {
    plays: theme.added('✓'),
    needs_map: `if ${map} ${escapeText(demo.header?.mapName ?? '')} is at hand${why}`,
    stops: theme.error(`✗ stops ${placeText(verdict, demo)}`),
    crashes: theme.error(`✗ crashes ${placeText(verdict, demo)}`),
    unknown: theme.warning(`! not known from ${placeText(verdict, demo).replace(/^at /, '')}`),
    misread: theme.error(`✗ misreads it${why}`),
    refused: theme.error('✗ refuses it'),
  };
  const parts = sentence
    ? [`${deeds[play]}:`, play === 'unknown' ? sentence : `"${escapeText(sentence)}"`]
    : [deeds[play]];
  if (demo.header && remedyOf(verdict, demo.header)) parts.push('(edit --demo-version 4 mends that)');
  return seeks ? parts : [...parts, theme.error('and crashes when jumping')];
}

/** `at tick 420 (0:04.36), 0x5ec2` */
function placeText({ tick = -1, offset = 0 }: GamePlay, { firstTick }: PlayedDemo): string {
  if (tick < 0) return `at 0x${address(offset)}`;
  const time = firstTick < 0 || tick < firstTick ? '' : ` (${clock((tick - firstTick) / ticksPerSecond)})`;
  return `at tick ${tick}${time}, 0x${address(offset)}`;
}

/** Teeworlds plays its own version of the format only, to which a demo can be changed. */
const remedyOf = ({ game, play }: GamePlay, { version, netVersion }: DemoHeader) =>
  game === 'Teeworlds' && play === 'refused' && version > teeworldsVersion && netVersion === netVersions['0.7'];
