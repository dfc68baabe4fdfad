import type { GameEvent, GamePhase, Notice, PlayerRef, Team } from '../../events/event.ts';
import { emoticon, weapon } from '../../protocol/enums.ts';
import type { Names } from '../../protocol/meaning.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import type { Segment } from '../text/line-wrapping.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import { nameText, textInLine } from '../text/untrusted-text.ts';

/** Names in a row; the rest is counted. */
const maxNames = 10;
const maxParams = 6;

/** What happened in words: segments of one phrase. */
export type Phrase = readonly Segment[];

const plain = (text: string) => text;

/** Says what happens; text from strangers is escaped. */
export class Phrases {
  readonly theme: Theme;

  constructor(theme: Theme) {
    this.theme = theme;
  }

  /** Template of plain text and segments. */
  say(strings: TemplateStringsArray, ...values: readonly (Segment | Phrase | string)[]): Phrase {
    const phrase: Segment[] = [];
    for (const [i, text] of strings.entries()) {
      if (text !== '') phrase.push({ text, style: plain });
      const value = values[i];
      if (value === undefined || value === '') continue;
      if (typeof value === 'string') phrase.push({ text: value, style: plain });
      else if ('text' in value) phrase.push(value);
      else phrase.push(...value);
    }
    return phrase;
  }

  name({ client, name }: PlayerRef): Segment {
    const text = name === undefined || name === '' ? `player ${client}` : nameText(name);
    return { text, style: this.theme.role.identity };
  }

  names(all: readonly PlayerRef[]): Phrase {
    const shown = all.length > maxNames + 1 ? all.slice(0, maxNames) : all;
    const phrase = shown.flatMap((player, i) => [...(i > 0 ? this.say`, ` : []), this.name(player)]);
    return shown.length < all.length
      ? [...phrase, ...this.say` and ${thousands(all.length - shown.length)} more`]
      : phrase;
  }

  text(text: string): Segment {
    return { text: textInLine(text), style: this.theme.role.text };
  }

  state(text: string): Segment {
    return { text, style: this.theme.role.state };
  }

  dim(text: string): Segment {
    return { text, style: this.theme.dim };
  }

  /** Not to be broken at its blanks. */
  whole(text: string): Segment {
    return { text, style: plain, whole: true };
  }

  weapon(number: number): Segment {
    return this.state(nameOf(weapon, number, 'weapon'));
  }

  emoticon(number: number): Segment {
    return this.state(nameOf(emoticon, number, 'emoticon'));
  }

  /** One piece of news; undefined where it goes without saying. */
  news(news: Notice): Phrase | undefined {
    const { theme } = this;
    const say = this.say.bind(this);
    switch (news.what) {
      case 'full_snapshot':
        return [this.dim(`full snapshot   ${count(news.items, 'item')}`)];
      case 'players_present':
        return this.#cast(news);
      case 'gap':
        return [this.dim(`nothing recorded for ${(news.ticks / ticksPerSecond).toFixed(2)} s`)];
      case 'marker':
        return [{ text: `marker ${news.number} of ${news.of}`, style: theme.strong }];
      case 'diagnostic': {
        const mark =
          news.diagnostic.severity === 'error'
            ? { text: '✗', style: theme.error }
            : { text: '!', style: theme.warning };
        return say`${mark} ${diagnosticLine(news.diagnostic)}`;
      }
      case 'more':
        return [this.dim(`${count(news.count, 'more event')} in this tick`)];
      case 'renamed':
        return say`${this.name({ ...news.player, name: news.from })} is now ${this.name(news.player)}`;
      case 'ddrace_team':
        if (news.isSuper) return say`${this.name(news.player)} joins the super team`;
        return news.team === 0
          ? say`${this.name(news.player)} leaves the team`
          : say`${this.name(news.player)} joins team ${String(news.team)}`;
      case 'joined':
      case 'left':
      case 'changed_team':
      case 'died':
      case 'killed':
        return this.together([news]);
      case 'team_killed':
        return say`team ${String(news.team)} ${this.#killed} with ${this.name(news.player)}`;
      case 'chat':
        return this.#chat(news);
      case 'announcement':
        return this.#announced(news);
      case 'vote': {
        const kind = news.kind === 'kick' ? ' to kick' : news.kind === 'spectate' ? ' to move to the spectators' : '';
        const caller = news.player ? say`${this.name(news.player)} calls a vote` : say`a vote is called`;
        const reason = news.reason === '' ? '' : say` (${this.text(news.reason)})`;
        return say`${caller}${kind}: ${this.text(news.description)}${reason}`;
      }
      case 'vote_over':
        return say`the vote ${news.result === 'aborted' ? 'is aborted' : (news.result ?? 'is over')}`;
      case 'game_phase':
        return this.#gamePhase(news);
      case 'round':
        return say`a new round begins`;
      case 'game_message':
        return this.#gameMessage(news);
      case 'flag_taken':
        return say`${this.name(news.player)} takes the ${this.state(news.flag)} flag`;
      case 'flag_dropped':
        return say`${this.name(news.player)} drops the ${this.state(news.flag)} flag`;
      case 'flag_returned':
        return say`the ${this.state(news.flag)} flag returns`;
      case 'flag_captured': {
        const time = news.ticks === undefined ? '' : ` (${(news.ticks / ticksPerSecond).toFixed(2)} s)`;
        return say`${this.name(news.player)} captures the ${this.state(news.flag)} flag${time}`;
      }
      case 'score':
        return say`score: red ${thousands(news.red)}, blue ${thousands(news.blue)}`;
      case 'finished': {
        const diff = news.diff ? ` (${difference(news.diff)})` : '';
        const record =
          news.record === undefined ? '' : `, ${news.record === 'server' ? 'server record' : 'personal best'}`;
        return say`${this.#racer(news.player)} finishes in ${this.#time(news.time)}${diff}${record}`;
      }
      case 'checkpoint':
        return say`${this.#racer(news.player)} at a checkpoint (${difference(news.diff)})`;
      case 'best_time':
        return say`best time ${this.#time(news.time)}`;
      case 'tuned': {
        const params = news.params
          .slice(0, maxParams)
          .map(({ name, old, new: now }) => `${name} ${old === undefined ? '' : `${old} → `}${now}`);
        const more = news.params.length - params.length;
        return say`tuning: ${params.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      }
    }
  }

  /** Several who did the same in a tick. */
  together(all: readonly GroupedNotice[]): Phrase {
    const say = this.say.bind(this);
    const [first] = all as [GroupedNotice];
    const s = all.length === 1 ? 's' : '';
    const names = this.names(all.map(({ player }) => player));
    switch (first.what) {
      case 'joined':
        return say`${names} ${{ text: `join${s}`, style: this.theme.added }}${first.team === undefined || first.team === 'game' ? '' : say` the ${teamName(first.team)}`}`;
      case 'left': {
        const reason = first.reason === '' ? '' : say` (${this.text(first.reason)})`;
        return say`${names} ${{ text: `leave${s}`, style: this.theme.removed }}${reason}`;
      }
      case 'changed_team':
        return say`${names} join${s} the ${teamName(first.team)}`;
      case 'died':
        return say`${names} ${{ text: `die${s}`, style: this.theme.removed }}`;
      case 'killed':
        return say`${names} ${this.#killed} by ${this.#killer(first)}${first.hadFlag ? ', flag in hand' : ''}`;
    }
  }

  get #killed(): Segment {
    return { text: 'killed', style: this.theme.removed };
  }

  #killer({ player, killer, killerTeam, weapon: number }: Notice & { what: 'killed' }): Phrase {
    const say = this.say.bind(this);
    if (number === -3) return say`the game`;
    if (number === -1) return say`the world`;
    const by =
      killer?.client === player.client
        ? say`self`
        : killer
          ? [this.name(killer)]
          : say`${killerTeam ? `somebody of ${killerTeam}` : 'somebody'}`;
    return number === -2 ? by : say`${by} with ${this.weapon(number)}`;
  }

  #cast({ playing, watching, local }: Notice & { what: 'players_present' }): Phrase {
    const say = this.say.bind(this);
    const parts: Phrase[] = [];
    if (playing.length > 0) parts.push(say`playing: ${this.names(playing)}`);
    if (watching.length > 0) parts.push(say`watching: ${this.names(watching)}`);
    if (local && playing.length + watching.length > 1) parts.push(say`recorded by ${this.name(local)}`);
    return this.joined(parts);
  }

  /** Phrases with ` · ` between them. */
  joined(phrases: readonly Phrase[]): Phrase {
    return phrases.flatMap((phrase, i) => (i === 0 ? phrase : [this.dim(' · '), ...phrase]));
  }

  #chat({ player, to, target, text }: Notice & { what: 'chat' }): Phrase {
    const speaker = player ? [this.name(player)] : to === 'whisper' ? this.say`somebody` : [this.dim('***')];
    const said = this.text(text);
    if (to === 'whisper') return this.say`${speaker} → ${target ? this.name(target) : 'somebody'}: ${said}`;
    if (!player) return this.say`${speaker} ${said}`;
    return this.say`${speaker}${to === 'team' ? ' (team)' : ''}: ${said}`;
  }

  #announced({ kind, text }: Notice & { what: 'announcement' }): Phrase {
    switch (kind) {
      case 'map_change':
        return this.say`the map changes to ${this.text(text)}`;
      case 'rcon':
        return [this.dim(`console: ${textInLine(text)}`)];
      default:
        return this.say`${kind === 'motd' ? 'message of the day' : kind.replaceAll('_', ' ')}: ${this.text(text)}`;
    }
  }

  #gamePhase({ phase, on, seconds, ranking }: Notice & { what: 'game_phase' }): Phrase | undefined {
    const text = gamePhases[phase][on ? 0 : 1];
    if (text === '') return undefined;
    const time = seconds === undefined ? '' : ` (${Number(seconds.toFixed(1))} s)`;
    const scores = (ranking ?? []).flatMap(({ player, score }, i) => [
      ...this.say`${i > 0 ? ', ' : ''}${this.name(player)} ${thousands(score)}`,
    ]);
    return this.say`${{ text, style: this.theme.strong }}${time}${scores.length > 0 ? ': ' : ''}${scores}`;
  }

  #gameMessage({ name, player, team }: Notice & { what: 'game_message' }): Phrase {
    if (player) return this.say`${this.name(player)} pauses the game`;
    if (team) return this.say`${name === 'team_all' ? 'all players' : 'players'} move to the ${teamName(team)}`;
    return this.say`${gameMessages[name] ?? name}`;
  }

  #racer(player: PlayerRef | undefined): Phrase {
    return player ? [this.name(player)] : this.say`somebody`;
  }

  #time(milliseconds: number): Segment {
    return { text: clock(milliseconds / 1000), style: this.theme.role.time };
  }
}

/** What many may do at once. */
export type GroupedNotice = Notice & { what: 'joined' | 'left' | 'changed_team' | 'died' | 'killed' };

/** The same for those who can be named together. */
export function groupKey(event: GameEvent): string | undefined {
  switch (event.what) {
    case 'joined':
    case 'changed_team':
      return `${event.what} ${event.team}`;
    case 'left':
      return `left ${event.reason}`;
    case 'died':
      return 'died';
    case 'killed':
      return event.weapon === -3 ? 'killed' : undefined;
    default:
      return undefined;
  }
}

/** Notices that can be reported together, each group at the place of its first one. */
export function grouped(notices: readonly Notice[]): Iterable<readonly Notice[]> {
  const groups = new Map<string | Notice, Notice[]>();
  for (const one of notices) {
    const key = groupKey(one) ?? one;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups.values();
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

/** Milliseconds as `-0.02 s`. */
const difference = (milliseconds: number) => `${milliseconds > 0 ? '+' : ''}${(milliseconds / 1000).toFixed(2)} s`;
