import { type Phrase, Phrases } from '../../output/phrases/event-phrases.ts';
import { asIs, plainTheme, type Theme } from '../../output/text/theme.ts';
import {
  type EventGroup,
  eventGroups,
  type GameEvent,
  isAction,
  type Notice,
  type TuneChange,
} from '../../recording/events/event.ts';
import type { Role } from '../../wire/annotate/span.ts';
import { weapon as weapons } from '../../wire/protocol/enums.ts';

export const topics = ['chat', 'deaths', 'others'] as const;
export type Topic = (typeof topics)[number];

/** Somebody to whom an event happens. */
export interface Actor {
  readonly client: number;
  readonly dies: boolean;
}

/** A line of the event list. Each part of its text has the name of a style. */
export interface EventLine {
  readonly tick: number;
  /** Of what comes before the first snapshot in a capture: the seconds to that, negative. */
  readonly seconds?: number;
  readonly topic: Topic;
  /** The kind of the first of its events. */
  readonly what: Notice['what'];
  /** Whom to watch in the picture, the most interesting first; undefined for events that show nothing, such as chat. */
  readonly actors?: readonly Actor[] | undefined;
  /** Of a kill with a weapon: its name. */
  readonly weapon?: string | undefined;
  /** The tune params that change. */
  readonly tuned?: readonly TuneChange[] | undefined;
  readonly parts: readonly { readonly text: string; readonly style: string }[];
}

/** Formats the events of a tick as lines. The actions of players are left out. */
export function eventLinesOf(
  tick: number,
  events: readonly GameEvent[],
): (EventLine & { readonly at?: number | undefined })[] {
  const notices = events
    .filter((event): event is Notice => !isAction(event) && event.what !== 'full_snapshot')
    .map(withoutReceivers);
  return phrases.groups(notices).map(({ phrase, group }) => {
    const [first] = group;
    const { what, at } = first! as Notice & Pick<GameEvent, 'at'>;
    const line = { tick, at, topic: topicOf(first!), what, actors: actorsOf(group), parts: partsOf(phrase) };
    if (first!.what === 'tune') return { ...line, tuned: first!.params };
    const weapon = first!.what === 'kill' ? weapons[first!.weapon as keyof typeof weapons] : undefined;
    return weapon === undefined ? line : { ...line, weapon };
  });
}

/** A server tells each player of a kill: to whom watches a match, their number says nothing. */
const withoutReceivers = (notice: Notice): Notice =>
  notice.what === 'kill' || notice.what === 'team_kill' ? { ...notice, receivers: 1 } : notice;

/** Who kills comes before those who die. */
function actorsOf(group: readonly Notice[]): Actor[] | undefined {
  const actors = group.map((notice): Actor[] | undefined => {
    switch (notice.what) {
      case 'kill': {
        const { killer, victim } = notice;
        const dies = { client: victim.client, dies: true };
        return killer ? [{ client: killer.client, dies: false }, dies] : [dies];
      }
      case 'death':
      case 'team_kill':
        return [{ client: notice.victim.client, dies: true }];
      case 'finish':
      case 'flag_take':
      case 'flag_drop':
      case 'flag_capture':
        return notice.player ? [{ client: notice.player.client, dies: false }] : [];
      case 'flag_return':
        return [];
      default:
        return undefined;
    }
  });
  return actors.some((ofNotice) => !ofNotice) ? undefined : actors.flatMap((ofNotice) => ofNotice!);
}

function topicOf({ what }: Notice): Topic {
  if (what === 'chat') return 'chat';
  return (eventGroups as Readonly<Record<string, EventGroup>>)[what] === 'death' ? 'deaths' : 'others';
}

type Style = Theme['dim'];

/** A style with a name, which leaves the text unchanged, because the page applies styles by class. */
const marker = (name: string): Style => Object.defineProperty((text: string) => text, 'name', { value: name });

const roles = Object.keys(plainTheme.role) as Role[];

const phrases = new Phrases({
  role: Object.fromEntries(roles.map((role) => [role, marker(role)])) as Record<Role, Style>,
  dim: marker('dim'),
  strong: marker('strong'),
  error: marker('error'),
  warning: marker('warning'),
  added: marker('added'),
  removed: marker('removed'),
});

const partsOf = (phrase: Phrase) =>
  phrase.map(({ text, style }) => ({ text, style: style === asIs ? '' : style.name }));
