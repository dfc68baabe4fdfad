import type { GamePhase, Notice, PlayerRef, Team } from '../../recording/events/event.ts';
import { finishInChat } from '../../recording/events/message-events.ts';
import { bestTime, type ScoreUnit } from '../../recording/events/score.ts';
import { maxAddresses } from '../../recording/replay/limits.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { emoticon, finishScore, weapon } from '../../wire/protocol/enums.ts';
import type { Names } from '../../wire/protocol/meaning.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { nameText, textInLine } from '../text/escape.ts';
import type { Segment } from '../text/layout.ts';
import { clock, count, thousands } from '../text/number.ts';
import { asIs, type Theme } from '../text/theme.ts';

/** A list shows at most this many names and the number of further ones. */
const maxNames = 10;
const maxParams = 6;

export type Phrase = readonly Segment[];

const unknownPlayer = 'somebody';

const voteKinds = { option: '', kick: ' to kick', spectate: ' to move to the spectators' } as const;

/** Describes events in words. Untrusted text is escaped. */
export class Phrases {
  readonly theme: Theme;

  readonly #line: (diagnostic: Diagnostic) => string;

  /** @param line says what a diagnostic is; the page has none among its events */
  constructor(theme: Theme, line: (diagnostic: Diagnostic) => string = ({ code }) => code) {
    this.theme = theme;
    this.#line = line;
  }

  /** Builds a phrase from a template of plain text and segments. */
  compose(strings: TemplateStringsArray, ...values: readonly (Segment | Phrase | string)[]): Phrase {
    const phrase: Segment[] = [];
    for (const [i, text] of strings.entries()) {
      if (text !== '') phrase.push({ text, style: asIs });
      const value = values[i];
      if (value === undefined || value === '') continue;
      if (typeof value === 'string') phrase.push({ text: value, style: asIs });
      else if ('text' in value) phrase.push(value);
      else phrase.push(...value);
    }
    return phrase;
  }

  name({ client, name, isAbsent }: PlayerRef): Segment {
    if (client < 0 && name === undefined) return { text: unknownPlayer, style: asIs };
    if (isAbsent) return { text: `player ${client} (not in the snapshots)`, style: this.theme.role.identity };
    const text = name === undefined || name === '' ? `player ${client}` : nameText(name);
    return { text, style: this.theme.role.identity };
  }

  names(all: readonly PlayerRef[]): Phrase {
    const shown = all.length > maxNames + 1 ? all.slice(0, maxNames) : all;
    const phrase = shown.flatMap((player, i) => [...(i > 0 ? this.compose`, ` : []), this.name(player)]);
    return shown.length < all.length
      ? [...phrase, ...this.compose` and ${thousands(all.length - shown.length)} more`]
      : phrase;
  }

  readonly text = (text: string): Segment => ({ text: textInLine(text), style: this.theme.role.text });
  readonly state = (text: string): Segment => ({ text, style: this.theme.role.state });
  readonly dim = (text: string): Segment => ({ text, style: this.theme.dim });
  readonly removed = (text: string): Segment => ({ text, style: this.theme.removed });
  /** Text that is not wrapped at its spaces. */
  readonly whole = (text: string): Segment => ({ text, style: asIs, whole: true });
  readonly weapon = (number: number): Segment => this.state(nameOf(weapon, number, 'weapon'));
  readonly emoticon = (number: number): Segment => this.state(nameOf(emoticon, number, 'emoticon'));

  /** ` (reason)`, if there is one. */
  reason(reason: string): Phrase {
    return reason === '' ? [] : this.compose` (${this.text(reason)})`;
  }

  mark(severity: Diagnostic['severity']): Segment {
    const { error, warning } = this.theme;
    return severity === 'error' ? { text: '✗', style: error } : { text: '!', style: warning };
  }

  /**
   * The phrases of the notices that are printed, each with its notices: successive ones of a kind share a phrase. A line
   * of the chat that announces a finish tells it.
   */
  groups(notices: readonly Notice[]): { readonly phrase: Phrase; readonly group: readonly Notice[] }[] {
    const isInChat = (notice: Notice) =>
      notice.what === 'finish' &&
      notices.some(
        (chat) => chat.what === 'chat' && !chat.player && finishInChat(chat.text)?.name === notice.player?.name,
      );
    return grouped(notices.filter((notice) => !isInChat(notice))).flatMap((group) => {
      const phrase = group.length > 1 ? this.#together(group as GroupedNotice[]) : this.notice(group[0]!);
      return phrase ? [{ phrase, group }] : [];
    });
  }

  notice(notice: Notice): Phrase | undefined {
    const phrase = this.#notice(notice);
    return phrase && notice.uncertain ? [...phrase, this.dim(' (uncertain)')] : phrase;
  }

  #notice(notice: Notice): Phrase | undefined {
    const { theme } = this;
    const compose = this.compose.bind(this);
    switch (notice.what) {
      case 'full_snapshot':
        return [this.dim(`full snapshot   ${count(notice.items, 'item')}`)];
      case 'players_present':
        return this.#playersPresent(notice);
      case 'gap':
        return [this.dim(`nothing recorded for ${(notice.ticks / ticksPerSecond).toFixed(2)} s`)];
      case 'marker':
        return [{ text: `marker ${notice.number} of ${notice.of}`, style: theme.strong }];
      case 'diagnostic':
        return compose`${this.mark(notice.diagnostic.severity)} ${this.#line(notice.diagnostic)}`;
      case 'rename':
        return compose`${this.name({ ...notice.player, name: notice.from })} is now ${this.name(notice.player)}`;
      case 'ddrace_team':
        if (notice.isSuper) return compose`${this.name(notice.player)} joins the super team`;
        return notice.team === 0
          ? compose`${this.name(notice.player)} leaves the team`
          : compose`${this.name(notice.player)} joins team ${String(notice.team)}`;
      case 'join':
      case 'leave':
      case 'change_team':
      case 'death':
      case 'kill':
        return this.#together([notice]);
      case 'team_kill':
        return compose`team ${String(notice.team)} ${this.removed('killed')}, since ${this.name(notice.victim)} died${this.#receivers(notice)}`;
      case 'chat':
        return this.#chat(notice);
      case 'announcement':
        return this.#announcement(notice);
      case 'vote': {
        const kind = notice.kind ? voteKinds[notice.kind] : '';
        const caller = notice.player ? compose`${this.name(notice.player)} calls a vote` : compose`a vote is called`;
        return compose`${caller}${kind}: ${this.text(notice.description)}${this.reason(notice.reason)}`;
      }
      case 'vote_end':
        return compose`the vote ${notice.result === 'aborted' ? 'is aborted' : (notice.result ?? 'is over')}`;
      case 'game_phase':
        return this.#gamePhase(notice);
      case 'round':
        return compose`a new round begins`;
      case 'game_message':
        return this.#gameMessage(notice);
      case 'flag_take':
        return compose`${this.name(notice.player)} takes the ${this.state(notice.flag)} flag`;
      case 'flag_drop':
        return compose`${this.name(notice.player)} drops the ${this.state(notice.flag)} flag`;
      case 'flag_return':
        return compose`the ${this.state(notice.flag)} flag returns`;
      case 'flag_capture': {
        const time = notice.ticks === undefined ? '' : ` (${(notice.ticks / ticksPerSecond).toFixed(2)} s)`;
        return compose`${this.name(notice.player)} captures the ${this.state(notice.flag)} flag${time}`;
      }
      case 'score':
        return compose`score: red ${thousands(notice.red)}, blue ${thousands(notice.blue)}`;
      case 'finish': {
        const diff = notice.diff ? ` (${difference(notice.diff)})` : '';
        const record =
          notice.record === undefined ? '' : `, ${notice.record === 'server' ? 'server record' : 'personal best'}`;
        return compose`${this.#nameOf(notice.player)} finishes in ${this.#time(notice.time)}${diff}${record}`;
      }
      case 'checkpoint':
        return compose`${this.#nameOf(notice.player)} at a checkpoint (${difference(notice.diff)})`;
      case 'best_time':
        return compose`best time ${this.#time(notice.time)}`;
      case 'connect':
        return compose`connects to ${notice.server}, ${notice.version}`;
      case 'accept': {
        const time = notice.seconds === undefined ? '' : ` in ${thousands(Math.round(1000 * notice.seconds))} ms`;
        return compose`is accepted after ${count(notice.packets, 'packet')}${time}`;
      }
      case 'enter':
        return compose`enters the game`;
      case 'refuse':
        return compose`is ${this.removed('refused')} by the server${this.reason(notice.reason)}`;
      case 'close':
        return compose`${this.removed(notice.side === 'client' ? 'leaves' : 'is closed by the server')}${this.reason(notice.reason)}`;
      case 'silence':
        return compose`the ${notice.side} says nothing for ${notice.seconds.toFixed(2)} s`;
      case 'timeout':
        return compose`the ${notice.side} is silent for the last ${notice.seconds.toFixed(1)} s (timeout)`;
      case 'flood':
        return compose`a ${this.removed('flood')}: ${floodText(notice)}`;
      case 'tune': {
        const params = notice.params.slice(0, maxParams).map(({ name, old, new: now }) => `${name} ${old} → ${now}`);
        const more = notice.params.length - params.length;
        return compose`tuning: ${params.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      }
    }
  }

  /** One phrase for notices of the same kind about several players in a tick. */
  #together(all: readonly GroupedNotice[]): Phrase {
    const compose = this.compose.bind(this);
    const [first] = all as [GroupedNotice];
    const s = all.length === 1 ? 's' : '';
    const names = this.names(all.map((notice) => ('victim' in notice ? notice.victim : notice.player)));
    switch (first.what) {
      case 'join':
        return compose`${names} ${{ text: `join${s}`, style: this.theme.added }}${first.team === undefined || first.team === 'game' ? '' : compose` the ${teamName(first.team)}`}`;
      case 'leave':
        return compose`${names} ${this.removed(`leave${s}`)}${this.reason(first.reason)}`;
      case 'change_team':
        return compose`${names} join${s} the ${teamName(first.team)}`;
      case 'death':
        return compose`${names} ${this.removed(`die${s}`)}`;
      case 'kill':
        return compose`${names} ${this.removed('killed')} by ${this.#killer(first)}${first.hadFlag ? ', flag in hand' : ''}${this.#receivers(first)}`;
    }
  }

  /** Before a text of the server, which could imitate what is after it. */
  #times({ receivers = 1 }: Notice): Phrase {
    return receivers > 1 ? [this.dim(`${receivers} × `)] : [];
  }

  #receivers({ receivers = 1 }: Notice): Phrase {
    return receivers > 1 ? [this.dim(` (${count(receivers, 'receiver')})`)] : [];
  }

  #killer({ killer, bySelf, killerTeam, weapon: number }: Notice & { what: 'kill' }): Phrase {
    if (number === -3) return this.compose`the game`;
    if (number === -1) return this.compose`the world`;
    const unknown = killerTeam ? `${unknownPlayer} of ${killerTeam}` : unknownPlayer;
    const by = bySelf ? 'self' : killer ? this.name(killer) : unknown;
    return number === -2 ? this.compose`${by}` : this.compose`${by} with ${this.weapon(number)}`;
  }

  #playersPresent({ playing, watching, local }: Notice & { what: 'players_present' }): Phrase {
    const parts: Phrase[] = [];
    if (playing.length > 0) parts.push(this.compose`playing: ${this.names(playing)}`);
    if (watching.length > 0) parts.push(this.compose`watching: ${this.names(watching)}`);
    if (local && playing.length + watching.length > 1) parts.push(this.compose`recorded by ${this.name(local)}`);
    return this.joined(parts);
  }

  /** Phrases with ` · ` between them. */
  joined(phrases: readonly Phrase[]): Phrase {
    return phrases.flatMap((phrase, i) => (i === 0 ? phrase : [this.dim(' · '), ...phrase]));
  }

  #announcement(notice: Notice & { what: 'announcement' }): Phrase {
    const { kind, text } = notice;
    if (kind === 'rcon') return [this.dim(`console: ${textInLine(text)}`)];
    if (kind === 'map_change') return this.compose`the map changes to ${this.text(text)}`;
    const name = kind === 'motd' ? 'message of the day' : kind.replaceAll('_', ' ');
    return this.compose`${this.#times(notice)}${name}: ${this.text(text)}`;
  }

  #chat({ player, to, target, text }: Notice & { what: 'chat' }): Phrase {
    const message = this.text(text);
    if (to === 'whisper') return this.compose`${this.#nameOf(player)} → ${this.#nameOf(target)}: ${message}`;
    if (!player) return this.compose`${this.dim('***')} ${message}`;
    return this.compose`${this.name(player)}${to === 'team' ? ' (team)' : ''}: ${message}`;
  }

  #gamePhase({
    phase,
    on,
    seconds,
    ranking,
    scoreUnit = 'points',
  }: Notice & { what: 'game_phase' }): Phrase | undefined {
    const text = gamePhases[phase][on ? 0 : 1];
    if (text === '') return undefined;
    const time = seconds === undefined ? '' : ` (${Number(seconds.toFixed(1))} s)`;
    const scores = (ranking ?? []).flatMap(({ player, score }, i) => [
      ...this.compose`${i > 0 ? ', ' : ''}${this.name(player)} ${scoreText(score, scoreUnit)}`,
    ]);
    return this.compose`${{ text, style: this.theme.strong }}${time}${scores.length > 0 ? ': ' : ''}${scores}`;
  }

  #gameMessage({ name, player, team }: Notice & { what: 'game_message' }): Phrase {
    if (player) return this.compose`${this.name(player)} pauses the game`;
    if (team) return this.compose`${name === 'team_all' ? 'all players' : 'players'} move to the ${teamName(team)}`;
    return this.compose`${gameMessages[name] ?? name}`;
  }

  #nameOf(player: PlayerRef | undefined): Segment | string {
    return player ? this.name(player) : unknownPlayer;
  }

  #time(milliseconds: number): Segment {
    return { text: clock(milliseconds / 1000), style: this.theme.role.time };
  }
}

/** `10.0.0.1:8303 gets 300 requests to connect in 2.99 s, from 12 addresses` */
function floodText({ server, requests, addresses, seconds }: Notice & { what: 'flood' }): string {
  const asked = `${count(requests, 'request')} to connect in ${seconds.toFixed(2)} s`;
  const more = addresses < maxAddresses ? '' : ' or more';
  return `${server} gets ${asked}, from ${count(addresses, 'address', 'addresses')}${more}`;
}

const gamePhases: Readonly<Record<GamePhase, readonly [on: string, off: string]>> = {
  warmup: ['warmup', 'the warmup is over'],
  startcountdown: ['countdown', 'the game starts'],
  paused: ['the game is paused', 'the game goes on'],
  suddendeath: ['sudden death', ''],
  roundover: ['the round is over', ''],
  gameover: ['game over', ''],
};

const gameMessages: Readonly<Record<string, string>> = {
  team_swap: 'the teams are swapped',
  team_shuffle: 'the teams are shuffled',
  team_balance: 'the teams are balanced',
  spec_invalidid: 'nobody to watch there',
};

const teamName = (team: Team) => (team === 'red' || team === 'blue' ? `${team} team` : team);

const nameOf = (names: Names, number: number, noun: string) => names[number] ?? `${noun} ${number}`;

const difference = (milliseconds: number) => `${milliseconds > 0 ? '+' : ''}${(milliseconds / 1000).toFixed(2)} s`;

/** Notices that are combined if they concern several players in a tick. */
type GroupedNotice = Notice & { what: 'join' | 'leave' | 'change_team' | 'death' | 'kill' };

function groupKey(event: Notice): string | undefined {
  if (event.uncertain) return undefined;
  switch (event.what) {
    case 'join':
    case 'change_team':
      return `${event.what} ${event.team}`;
    case 'leave':
      return `left ${event.reason}`;
    case 'death':
      return 'death';
    case 'kill':
      return event.weapon === -3 ? `killed ${event.receivers}` : undefined;
    default:
      return undefined;
  }
}

function grouped(notices: readonly Notice[]): readonly (readonly Notice[])[] {
  const groups: Notice[][] = [];
  let last: string | undefined;
  for (const notice of notices) {
    const key = groupKey(notice);
    if (key !== undefined && key === last) groups.at(-1)!.push(notice);
    else groups.push([notice]);
    last = key;
  }
  return groups;
}

/** In whole seconds, as the games show it: `1:23`. */
export const secondsText = (seconds: number) => clock(seconds).replace(/\.\d+$/, '');

/** `7`, `1:23` or `1:23.45` for the best time of a race, `no time`. */
export function scoreText(score: number, unit: ScoreUnit): string {
  // Servers before the item that tells the unit send times, too.
  if (unit === 'points') return score in finishScore ? 'no time' : thousands(score);
  const seconds = bestTime(score, unit);
  if (seconds === undefined) return 'no time';
  return unit === 'seconds' ? secondsText(seconds) : clock(seconds);
}
