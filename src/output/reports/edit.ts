import type { DemoRecorder } from '../../editing/demo-recorder.ts';
import type { DemoRepair, HeaderRepair } from '../../editing/header-repair.ts';
import type { Losses } from '../../editing/losses.ts';
import type { Anonymise, Rename } from '../../editing/rename-players.ts';
import type { Repairer } from '../../editing/repair.ts';

import type { DropSentSnapshots, Strip } from '../../editing/strip.ts';
import { type GameEvent, isAction } from '../../recording/events/event.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { diagnosticLine } from '../phrases/diagnostic-messages.ts';
import { Phrases } from '../phrases/event-phrases.ts';
import { sumTexts, ticksText } from '../phrases/judge-phrases.ts';
import { columns } from '../text/columns.ts';
import { escapeText, nameText, pathText } from '../text/escape.ts';
import { styledText } from '../text/layout.ts';
import { clock, count, nonZero, size } from '../text/number.ts';
import { rowText } from '../text/rows.ts';
import { plainTheme, type Theme } from '../text/theme.ts';
import { healthText } from './info-rows.ts';
import { playRows } from './play-rows.ts';

const maxEvents = 3;

interface WrittenDemo {
  readonly name: string;
  readonly recorder: DemoRecorder;
  readonly about: readonly GameEvent[];
}

/** `frag-1.demo   0:08.00   ticks 9072 to 9472   401 snapshots   21.4 KB   stress3 killed by self with grenade` */
export function renderWritten(demos: readonly WrittenDemo[], theme: Theme): string[] {
  const rows = demos.map(({ name, recorder: { firstTick, lastTick, snapshots, length }, about }) => [
    theme.strong(name),
    theme.role.time(clock((lastTick - firstTick) / ticksPerSecond)),
    `ticks ${firstTick} to ${lastTick}`,
    count(snapshots, 'snapshot'),
    size(length),
    eventText(about, theme),
  ]);
  return columns(rows, ['left', 'right', 'left', 'right', 'right', 'left'], { indent: '' });
}

/** `  second.demo   from tick 11783 on`: the first tick of each demo. */
export function renderStarts(names: readonly string[], starts: readonly number[], theme: Theme): string[] {
  const rows = names.map((name, i) => [pathText(name), theme.role.time(`from tick ${starts[i] ?? '-'} on`)]);
  return columns(rows, ['left', 'left']);
}

export function eventText(events: readonly GameEvent[], theme: Theme = plainTheme): string {
  const phrases = new Phrases(theme, diagnosticLine);
  const named = events.slice(0, maxEvents).flatMap((event) => {
    const phrase = isAction(event) ? undefined : phrases.notice(event);
    return phrase ? [styledText(phrase)] : [];
  });
  const more = events.length - maxEvents;
  return [...named, ...nonZero([more, `${more} more`])].join(' · ');
}

/** The edits of a demo, and how many of its markers are too many or too close to another. */
interface Edits {
  readonly strip: Strip;
  readonly sent: DropSentSnapshots;
  readonly rename: Rename;
  readonly anonymise: Anonymise | undefined;
  readonly droppedMarkers: number;
}

/** A line for each kind of change and for the data that was not changed. */
export function renderChanges({ strip, sent, rename, anonymise, droppedMarkers }: Edits): string[] {
  const byCount = [...strip.counts].sort(([, a], [, b]) => b - a);
  const renamed = [...rename.names].filter(([from]) => rename.found.has(from));
  const notFound = [...rename.names.keys()].filter((name) => !rename.found.has(name));
  const texts = rename.texts + (anonymise?.texts ?? 0);
  return [
    ...nonZero([byCount.length, `left out: ${byCount.map(([name, times]) => count(times, name, name)).join(', ')}`]),
    ...renderSent(sent.count),
    ...renamed.map(([from, to]) =>
      from === to ? `kept: ${nameText(to)}` : `renamed: ${nameText(from)} → ${nameText(to)}`,
    ),
    ...nonZero([renamed.length, `changed: ${count(texts, 'text')} of messages`]),
    ...notFound.map((name) => `not found: no player has the name ${nameText(name)}`),
    ...(anonymise ? anonymisedLines(anonymise.summary, texts) : []),
    ...nonZero([droppedMarkers, `left out: ${count(droppedMarkers, 'marker')}, over 64 or less than a second apart`]),
  ];
}

/** The snapshots that a server sent to its clients, which a changed or moved demo leaves out. */
export const renderSent = (sent: number): string[] =>
  nonZero([sent, `left out: ${count(sent, 'snapshot')} that the server sent to its clients`]);

function anonymisedLines(summary: Anonymise['summary'], texts: number): string[] {
  if (summary.players === 0) return ['not found: no player has a name; nothing was anonymised'];
  const { players, clans, unknownKept, unknownItems, unreadable } = summary;
  const names = nonZero([players, count(players, 'player')], [clans, count(clans, 'clan')]).join(', ');
  const kept = nonZero(
    [1, 'skins, colours and countries; chat, except for names (--strip chat)'],
    [unknownKept, count(unknownKept, 'unknown message')],
    [unknownItems.length, `unknown items of type ${unknownItems.join(', ')}`],
  );
  return nonZero(
    [1, `anonymised: ${names}; names replaced in ${count(texts, 'text')} of messages`],
    [unreadable, `left out: ${count(unreadable, 'message')} with a name in a field that is not text`],
    [1, `not touched: ${kept.join('; ')}`],
  );
}

/** `broken.demo → whole.demo   1,337 snapshots, 40 messages`, what was lost and mended, and the games that play it. */
export function renderRepair(
  from: string,
  to: Pick<WrittenDemo, 'name' | 'recorder'> & { readonly written: RecordingSummary },
  { repairer, header, hadNoKeyframe }: DemoRepair,
  theme: Theme,
): string[] {
  const { snapshots, messages } = to.recorder;
  const { losses } = repairer.losses;
  const { wrongSizes } = repairer;
  const of = losses.snapshots > 0 ? ` (${count(losses.snapshots, 'more was', 'more were')} there)` : '';
  const lines = [
    `${pathText(from)} → ${theme.strong(to.name)}   ${count(snapshots, 'snapshot')}${of}, ${count(messages, 'message')}`,
    ...renderLosses(losses, theme),
    ...checksumLines(repairer),
    ...nonZero([wrongSizes, `  restored   ${count(wrongSizes, 'delta')} that had the item sizes of 0.6`]),
    ...(hadNoKeyframe ? ['  restored   the first tick is marked as a keyframe; none was'] : []),
    ...header.changes.map(
      ({ field, ...change }) => `  header   ${field} ${escapeText(change.from)} → ${escapeText(change.to)}`,
    ),
    ...(header.isMapWrong ? [mapLine(header, theme)] : []),
  ];
  const played = playRows(to.written, theme).map(([label, ...parts]) => `  ${label}   ${rowText(parts)}`);
  // What is not played has its rows.
  const { state } = to.written.health;
  const still = state === 'healthy' || state === 'unplayable' ? [] : [`  still   ${healthText(to.written, theme)}`];
  const isWhole = lines.length === 1 && state === 'healthy';
  return [...lines, ...(isWhole ? ['  nothing was wrong'] : []), ...still, ...played];
}

/** `map   left out: its crc is 8cc399d3, the header names 9735c643; the demo plays where that map is` */
function mapLine({ mapSums: { found, expected } }: HeaderRepair, theme: Theme): string {
  return `  ${theme.error('map')}   left out: its crc is ${found}, the header names ${expected}; the demo plays where that map is at hand`;
}

/** `120 of 122 announced match, 2 mismatched; 2 of these snapshots are kept: none before them was right` */
function checksumLines({ sums, keptMismatches: kept }: Repairer): string[] {
  const left = kept > 0 ? `; ${count(kept, 'snapshot is', 'snapshots are')} kept: no checksum before was right` : '';
  return nonZero([sums.announced - sums.matched, `  checksums   ${sumTexts(sums).join(', ')}${left}`]);
}

const maxLosses = 50;

/**
 * `9822 to 9886   lost   32 snapshots, goes on at 9888   huffman_no_eof at 0x1faf2: …`, and a line for all messages.
 */
export function renderLosses(losses: Losses, theme: Theme = plainTheme): string[] {
  const rows = losses.ranges
    .slice(0, maxLosses)
    .map(({ from, to, snapshots, cause, next }) => [
      ticksText(from, to),
      cause?.severity === 'warning' ? theme.warning('in doubt') : theme.error('lost'),
      nonZero(
        [snapshots, count(snapshots, 'snapshot')],
        [1, next === undefined ? 'nothing follows' : `goes on at ${next}`],
      ).join(', '),
      cause ? diagnosticLine(cause) : '',
    ]);
  const more = losses.count - maxLosses;
  return [
    ...columns(rows, ['left', 'left', 'left', 'left']),
    ...nonZero(
      [more, `  ${count(more, 'more range')}`],
      [losses.messages, `  ${theme.error('lost')}   ${count(losses.messages, 'message')} that can't be read`],
    ),
  ];
}
