import type { Role } from '../annotate/span.ts';
import { type GameEvent, isAction, type Notice } from '../events/event.ts';
import type { Theme } from '../view/text/theme.ts';
import { type GroupedNotice, grouped, type Phrase, Phrases } from '../view/timeline/phrases.ts';

/** What a line of the story is about. */
export type Topic = 'chat' | 'deaths' | 'others';
export const topicTitles: Readonly<Record<Topic, string>> = { chat: 'chat', deaths: 'kills', others: 'others' };

/** A line of the story: text in pieces of a style each. */
export interface Told {
  readonly tick: number;
  readonly topic: Topic;
  readonly parts: readonly { readonly text: string; readonly style: string }[];
}

/** What happened at a tick, in lines. What players do all the time is left out. */
export function tell(tick: number, events: readonly GameEvent[]): Told[] {
  const news = events.filter((one): one is Notice => !isAction(one) && one.what !== 'full_snapshot');
  return [...grouped(news)].flatMap(([one, ...others]) => {
    const phrase = others.length > 0 ? words.together([one, ...others] as GroupedNotice[]) : words.news(one!);
    return phrase ? [{ tick, topic: topicOf(one!), parts: partsOf(phrase) }] : [];
  });
}

function topicOf({ what }: Notice): Topic {
  if (what === 'chat') return 'chat';
  return what === 'killed' || what === 'died' || what === 'team_killed' ? 'deaths' : 'others';
}

type Style = Theme['dim'];

/** Styles that do nothing but are known by their identity. */
const classes = new Map<Style, string>();

function marker(name: string): Style {
  const style: Style = (text) => text;
  classes.set(style, name);
  return style;
}

const roles: readonly Role[] = [
  'structure',
  'identity',
  'position',
  'time',
  'state',
  'number',
  'text',
  'unknown',
  'gap',
  'error',
];

const words = new Phrases({
  role: Object.fromEntries(roles.map((role) => [role, marker(role)])) as Record<Role, Style>,
  dim: marker('dim'),
  strong: marker('strong'),
  error: marker('error'),
  warning: marker('odd'),
  added: marker('added'),
  removed: marker('removed'),
});

const partsOf = (phrase: Phrase) => phrase.map(({ text, style }) => ({ text, style: classes.get(style) ?? '' }));
