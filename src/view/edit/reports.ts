import type { HeaderChange, Losses } from '../../edit/repair.ts';
import { type GameEvent, isAction } from '../../events/event.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import { columns } from '../text/columns.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { escapeText, nameText } from '../text/escape.ts';
import { clock, count, nonZero, size, thousands } from '../text/number.ts';
import { plainTheme, type Theme } from '../text/theme.ts';
import { Phrases } from '../timeline/phrases.ts';

const maxEvents = 3;

export interface WrittenDemo {
  readonly name: string;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly snapshots: number;
  readonly bytes: number;
  /** The events that selected it. */
  readonly about: readonly GameEvent[];
}

/** `frag-1.demo   0:08.00   ticks 9072 to 9472   401 snapshots   21.4 KB   stress3 killed by self with grenade` */
export function renderWritten(demos: readonly WrittenDemo[], theme: Theme): string[] {
  const rows = demos.map(({ name, firstTick, lastTick, snapshots, bytes, about }) => [
    theme.strong(name),
    theme.role.time(clock((lastTick - firstTick) / ticksPerSecond)),
    `ticks ${firstTick} to ${lastTick}`,
    count(snapshots, 'snapshot'),
    size(bytes),
    eventText(about, theme),
  ]);
  return columns(rows, ['left', 'right', 'left', 'right', 'right', 'left'], { indent: '' });
}

/** `  second.demo   from tick 11783 on`: the first tick of each demo. */
export function renderStarts(names: readonly string[], starts: readonly number[], theme: Theme): string[] {
  const rows = names.map((name, i) => [escapeText(name), theme.role.time(`from tick ${starts[i] ?? '-'} on`)]);
  return columns(rows, ['left', 'left']);
}

function eventText(events: readonly GameEvent[], theme: Theme = plainTheme): string {
  const phrases = new Phrases(theme);
  const named = events.slice(0, maxEvents).flatMap((event) => {
    const phrase = isAction(event) ? undefined : phrases.notice(event);
    return phrase ? [phrase.map(({ text, style }) => style(text)).join('')] : [];
  });
  const more = events.length - maxEvents;
  return [...named, ...nonZero([more, `${more} more`])].join(' · ');
}

export interface Changes {
  readonly stripped: ReadonlyMap<string, number>;
  readonly sentSnapshots: number;
  /** Old and new names, and the names that were not found. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  readonly notFound: readonly string[];
  /** The number of texts in messages in which a name was replaced. */
  readonly texts: number;
  readonly anonymised:
    | (Readonly<Record<'players' | 'clans' | 'unknownKept' | 'unreadable', number>> & {
        readonly unknownItems: readonly number[];
      })
    | undefined;
  readonly droppedMarkers: number;
}

/** A line for each kind of change and for the data that was not changed. */
export function renderChanges(changes: Changes): string[] {
  const { stripped, sentSnapshots, renamed, notFound, texts, anonymised, droppedMarkers } = changes;
  const byCount = [...stripped].sort(([, a], [, b]) => b - a);
  return [
    ...nonZero(
      [stripped.size, `left out: ${byCount.map(([name, times]) => count(times, name, name)).join(', ')}`],
      [sentSnapshots, `left out: ${count(sentSnapshots, 'snapshot')} that the server sent to its clients`],
    ),
    ...renamed.map(([from, to]) => `renamed: ${nameText(from)} → ${nameText(to)}`),
    ...nonZero([renamed.length, `changed: ${count(texts, 'text')} of messages`]),
    ...notFound.map((name) => `not found: no player has the name ${nameText(name)}`),
    ...(anonymised ? anonymisedLines(anonymised, texts) : []),
    ...nonZero([
      droppedMarkers,
      `left out: ${count(droppedMarkers, 'marker')}, more than 64 or less than a second apart`,
    ]),
  ];
}

function anonymisedLines(one: NonNullable<Changes['anonymised']>, texts: number): string[] {
  if (one.players === 0) return ['not found: no player has a name; nothing was anonymised'];
  const { players, clans, unknownKept, unknownItems, unreadable } = one;
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

export interface RepairReport {
  readonly from: string;
  readonly to: string;
  readonly snapshots: number;
  readonly messages: number;
  readonly losses: Losses;
  /** The announced checksums: how many are right, how many wrong, and of these the snapshots that are kept. */
  readonly checksums: { readonly matched: number; readonly mismatched: number; readonly kept: number } | undefined;
  readonly wrongSizes: number;
  readonly header: readonly HeaderChange[];
  readonly isMapDamaged: boolean;
}

/** `broken.demo → whole.demo   1,337 snapshots, 40 messages`, then what was lost and what was mended. */
export function renderRepair(report: RepairReport, theme: Theme): string[] {
  const { from, to, snapshots, messages, losses, checksums, wrongSizes, header, isMapDamaged } = report;
  const { snapshots: lost } = losses;
  const of = lost > 0 ? ` (${count(lost, 'more was', 'more were')} there)` : '';
  const lines = [
    `${escapeText(from)} → ${theme.strong(escapeText(to))}   ${count(snapshots, 'snapshot')}${of}, ${count(messages, 'message')}`,
    ...renderLosses(losses, theme),
    ...(checksums && checksums.mismatched > 0 ? [`  checksums   ${checksumsText(checksums)}`] : []),
    ...nonZero([wrongSizes, `  restored   ${count(wrongSizes, 'delta')} that had the item sizes of 0.6`]),
    ...header.map((change) => `  header   ${change.field} ${escapeText(change.from)} → ${escapeText(change.to)}`),
    ...(isMapDamaged ? [`  ${theme.error('map')}   damaged: the header names another`] : []),
  ];
  return lines.length > 1 ? lines : [...lines, '  nothing was wrong'];
}

/** `3 of 122 announced are wrong; 2 of these snapshots are kept: no checksum before them was right` */
function checksumsText({ matched, mismatched, kept }: NonNullable<RepairReport['checksums']>): string {
  const wrong = `${thousands(mismatched)} of ${thousands(matched + mismatched)} announced ${mismatched === 1 ? 'is' : 'are'} wrong`;
  return kept > 0 ? `${wrong}; ${count(kept, 'of these snapshots is', 'of these snapshots are')} kept` : wrong;
}

function ticksText(from: number, to: number): string {
  if (!Number.isFinite(to)) return `from ${from} on`;
  return from <= to ? `${from} to ${to}` : `before ${from}`;
}

const maxLosses = 50;

/** `9822 to 9886   lost   32 snapshots, goes on at 9888   huffman_no_eof at 0x1faf2: …`, and a line for all messages. */
export function renderLosses(losses: Losses, theme: Theme = plainTheme): string[] {
  const rows = losses.ranges
    .slice(0, maxLosses)
    .map(({ from, to, snapshots, cause, next }) => [
      ticksText(from, to),
      theme.error('lost'),
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
