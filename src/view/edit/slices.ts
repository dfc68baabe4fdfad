import type { StateName } from '../../edit/state-messages.ts';
import type { GameEvent } from '../../events/event.ts';
import { isAction } from '../../events/event.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import { escapeText } from '../text/escape.ts';
import { columns } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { plainTheme, type Theme } from '../text/theme.ts';
import { clock, size } from '../text/units.ts';
import { Phrases } from '../timeline/phrases.ts';

/** The maximum number of events in one line. */
const maxNamed = 3;

/** A demo that was written. */
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

/** `restated over: tuning, motd, 9 vote options`; no line if there was nothing. */
export function renderRestated(restated: ReadonlyMap<StateName, number>): string[] {
  const parts = [...restated].filter(([, items]) => items > 0).map(([state, items]) => stateText(state, items));
  return parts.length > 0 ? [`carried over: ${parts.join(', ')}`] : [];
}

/** `  second.demo   from tick 11783 on`: the first tick of each demo. */
export function renderStarts(names: readonly string[], starts: readonly number[], theme: Theme): string[] {
  const rows = names.map((name, i) => [escapeText(name), theme.role.time(`from tick ${starts[i] ?? '-'} on`)]);
  return columns(rows, ['left', 'left']);
}

/** The name of a state, with a number if it consists of several messages. */
function stateText(state: StateName, items: number): string {
  switch (state) {
    case 'players':
      return `messages about players (${items})`;
    case 'vote options':
      return count(items, 'vote option');
    case 'commands':
      return count(items, 'command');
    default:
      return state;
  }
}

/** Events as phrases of the timeline. */
function eventText(events: readonly GameEvent[], theme: Theme = plainTheme): string {
  const phrases = new Phrases(theme);
  const named = events.slice(0, maxNamed).flatMap((event) => {
    const phrase = isAction(event) ? undefined : phrases.notice(event);
    return phrase ? [phrase.map(({ text, style }) => style(text)).join('')] : [];
  });
  const more = events.length - maxNamed;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(' · ');
}
