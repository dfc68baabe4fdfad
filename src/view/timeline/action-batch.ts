import type { Action, PlayerRef } from '../../events/event.ts';
import { count, thousands } from '../text/number.ts';
import type { Phrase, Phrases } from './phrases.ts';

/** What one player did how often. */
interface Tally {
  deed: Action;
  times: number;
  /** Of all hits or pickups. */
  health: number;
  armor: number;
}

/** More who do something in a beat are a crowd: it is counted, not named. */
const crowdSize = 6;

/** What players did in some ticks, gathered. */
export class ActionBatch {
  readonly from: number;
  to: number;
  readonly #players = new Map<number, Map<string, Tally>>();

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  /** Whether nothing but moving about and shooting is in it. */
  get isRoutine(): boolean {
    return [...this.#players.values()].every(isRoutine);
  }

  get isCrowded(): boolean {
    return this.#players.size > crowdSize;
  }

  add(tick: number, deeds: readonly Action[]): void {
    this.to = tick;
    for (const deed of deeds) this.#add(deed);
  }

  #add(deed: Action): void {
    let tallies = this.#players.get(deed.who.client);
    if (!tallies) {
      tallies = new Map();
      this.#players.set(deed.who.client, tallies);
    }
    const key = keyOf(deed);
    const tally = tallies.get(key) ?? { deed, times: 0, health: 0, armor: 0 };
    tally.deed = deed;
    tally.times++;
    if (deed.what === 'hit') {
      tally.health += deed.health;
      tally.armor += deed.armor;
    }
    tallies.set(key, tally);
  }

  /** Player by player: `brownbear jumps, fires gun 3 times`. */
  phrases(words: Phrases, only?: PlayerRef): Phrase[] {
    const told = only ? [this.#players.get(only.client)] : [...this.#players.values()];
    return told.flatMap((tallies) => (tallies ? [said(words, tallies)] : []));
  }

  /** All but one in numbers: `12 others: 20 jumps, 31 shots (gun 24, hammer 7)`. */
  crowd(words: Phrases, but?: PlayerRef): Phrase | undefined {
    const counts = new Map<string, number>();
    const weapons = new Map<number, number>();
    let players = 0;
    for (const [client, tallies] of this.#players) {
      if (client === but?.client) continue;
      players++;
      for (const { deed, times } of tallies.values()) {
        const what = deed.what === 'air_jumps' ? 'jumps' : deed.what;
        counts.set(what, (counts.get(what) ?? 0) + times);
        if (deed.what === 'fires') weapons.set(deed.weapon, (weapons.get(deed.weapon) ?? 0) + times);
      }
    }
    const list = nouns.flatMap(([what, noun, plural]) => {
      const times = counts.get(what) ?? 0;
      if (times === 0) return [];
      const kinds = [...weapons]
        .sort((a, b) => b[1] - a[1])
        .map(([number, shots]) => `${words.weapon(number).text} ${thousands(shots)}`);
      return [`${count(times, noun, plural)}${what === 'fires' ? ` (${kinds.join(', ')})` : ''}`];
    });
    if (list.length === 0) return undefined;
    const who = but && players < this.#players.size ? count(players, 'other') : count(players, 'player');
    return [words.dim(`${who}: ${list.join(', ')}`)];
  }
}

/** How a crowd's deeds are counted, in this order. */
const nouns: readonly (readonly [what: Action['what'], noun: string, plural?: string])[] = [
  ['starts_race', 'race start'],
  ['spawns', 'spawn'],
  ['hit', 'hit'],
  ['frozen', 'frozen', 'frozen'],
  ['thawed', 'thawed', 'thawed'],
  ['hooks', 'hooked', 'hooked'],
  ['fires', 'shot'],
  ['picks_up', 'pickup'],
  ['jumps', 'jump'],
  ['emoticon', 'emoticon'],
];

const routine: ReadonlySet<Action['what']> = new Set(['jumps', 'air_jumps', 'fires', 'switches', 'moves_on']);

const isRoutine = (tallies: ReadonlyMap<string, Tally>) =>
  [...tallies.values()].every(({ deed }) => routine.has(deed.what));

function keyOf(deed: Action): string {
  switch (deed.what) {
    case 'fires':
      return `fires ${deed.weapon}`;
    case 'hooks':
      return `hooks ${deed.target.client}`;
    case 'picks_up':
      return `picks_up ${deed.thing}`;
    case 'emoticon':
      return `emoticon ${deed.emoticon}`;
    default:
      return deed.what;
  }
}

function said(words: Phrases, tallies: ReadonlyMap<string, Tally>): Phrase {
  const all = [...tallies.values()];
  const name = words.name(all[0]!.deed.who);
  const deeds = all.flatMap((tally, i) => {
    const phrase = words.say`${i > 0 ? ', ' : ' '}${verb(words, tally)}`;
    return routine.has(tally.deed.what) ? phrase.map(({ text }) => words.dim(text)) : phrase;
  });
  return [isRoutine(tallies) ? words.dim(name.text) : name, ...deeds];
}

function verb(words: Phrases, { deed, times, health, armor }: Tally): Phrase {
  const often = times === 1 ? '' : times === 2 ? ' twice' : ` ${thousands(times)} times`;
  const say = words.say.bind(words);
  switch (deed.what) {
    case 'jumps':
      return say`jumps${often}`;
    case 'air_jumps':
      return say`air-jumps${often}`;
    case 'spawns':
      return say`spawns${often}`;
    case 'frozen':
      return say`${words.state('is frozen')}${often}`;
    case 'thawed':
      return say`thaws${often}`;
    case 'starts_race':
      return say`starts the race${often}`;
    case 'fires':
      return say`${deed.weapon === 0 || deed.weapon === 5 ? 'swings' : 'fires'} ${words.weapon(deed.weapon)}${often}`;
    case 'switches':
      return say`switches to ${words.weapon(deed.weapon)}`;
    case 'hooks':
      return say`hooks ${words.name(deed.target)}${often}`;
    case 'hit': {
      const lost = [health > 0 ? `-${health} health` : '', armor > 0 ? `-${armor} armor` : ''].filter(
        (part) => part !== '',
      );
      const left = deed.left === undefined ? '' : `, ${deed.left} left`;
      return say`is ${{ text: 'hit', style: words.theme.removed }}${often} ${words.whole(`(${lost.join(' ')}${left})`)}`;
    }
    case 'picks_up':
      return say`picks up ${words.state(deed.thing)}${often}`;
    case 'emoticon':
      return say`shows ${words.emoticon(deed.emoticon)}${often}`;
    case 'moves_on':
      return say`moves on after ${deed.seconds.toFixed(0)} s`;
    case 'watches':
      return deed.target ? say`watches ${words.name(deed.target)}` : say`looks around`;
    case 'afk':
      return say`${deed.on ? 'is away' : 'is back'}`;
  }
}
