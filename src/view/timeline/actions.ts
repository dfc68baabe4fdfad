import { getOr } from '../../bytes/get-or.ts';
import { type Action, type GameEvent, isAction, type PlayerRef } from '../../events/event.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import type { Phrase, Phrases } from './phrases.ts';

interface ActionCount {
  action: Action;
  times: number;
  /** The health and armor lost in all hits. */
  health: number;
  armor: number;
}

/** If more players than this act in one batch, their actions are counted together instead of listed by player. */
const crowdSize = 6;

export class ActionBatch {
  readonly from: number;
  to: number;
  readonly #players = new Map<number, Map<string, ActionCount>>();

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  /** Whether all actions are movements or shots. */
  get isRoutine(): boolean {
    return [...this.#players.values()].every(isRoutine);
  }

  get isCrowded(): boolean {
    return this.#players.size > crowdSize;
  }

  add(tick: number, actions: readonly Action[]): void {
    this.to = tick;
    for (const action of actions) {
      const ofPlayer = getOr(this.#players, action.player.client, () => new Map<string, ActionCount>());
      const counted = getOr(ofPlayer, keyOf(action), () => ({ action, times: 0, health: 0, armor: 0 }));
      counted.action = action;
      counted.times++;
      if (action.what !== 'hit') continue;
      counted.health += action.health;
      counted.armor += action.armor;
    }
  }

  /** One phrase per player: `brownbear jumps, fires gun 3 times`. */
  phrases(phrases: Phrases, only?: PlayerRef): Phrase[] {
    const players = only ? [this.#players.get(only.client)] : [...this.#players.values()];
    return players.flatMap((actionCounts) => (actionCounts ? [playerPhrase(phrases, actionCounts)] : []));
  }

  /** The number of actions of all players except `but`: `12 others: 20 jumps, 31 shots (gun 24, hammer 7)`. */
  crowd(phrases: Phrases, but?: PlayerRef): Phrase | undefined {
    const counts = new Map<string, number>();
    const weapons = new Map<number, number>();
    let players = 0;
    for (const [client, actionCounts] of this.#players) {
      if (client === but?.client) continue;
      players++;
      for (const { action, times } of actionCounts.values()) {
        const what = action.what === 'air_jumps' ? 'jumps' : action.what;
        counts.set(what, (counts.get(what) ?? 0) + times);
        if (action.what === 'fires') weapons.set(action.weapon, (weapons.get(action.weapon) ?? 0) + times);
      }
    }
    const list = nouns.flatMap(([what, noun, plural]) => {
      const times = counts.get(what) ?? 0;
      if (times === 0) return [];
      const kinds = [...weapons]
        .sort((a, b) => b[1] - a[1])
        .map(([number, shots]) => `${phrases.weapon(number).text} ${thousands(shots)}`);
      return [`${count(times, noun, plural)}${what === 'fires' ? ` (${kinds.join(', ')})` : ''}`];
    });
    if (list.length === 0) return undefined;
    const counted = but && players < this.#players.size ? count(players, 'other') : count(players, 'player');
    return [phrases.dim(`${counted}: ${list.join(', ')}`)];
  }
}

/** The phrase of an event alone; empty if it is not printed. */
export function eventPhrase(event: GameEvent, phrases: Phrases): Phrase {
  if (!isAction(event)) return phrases.notice(event) ?? [];
  const batch = new ActionBatch(0);
  batch.add(0, [event]);
  return batch.phrases(phrases)[0]!;
}

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

const isRoutine = (actionCounts: ReadonlyMap<string, ActionCount>) =>
  [...actionCounts.values()].every(({ action }) => routine.has(action.what));

function keyOf(action: Action): string {
  if (action.what === 'fires') return `fires ${action.weapon}`;
  if (action.what === 'hooks') return `hooks ${action.target.client}`;
  if (action.what === 'picks_up') return `picks_up ${action.pickup}`;
  return action.what === 'emoticon' ? `emoticon ${action.emoticon}` : action.what;
}

function playerPhrase(phrases: Phrases, actionCounts: ReadonlyMap<string, ActionCount>): Phrase {
  const all = [...actionCounts.values()];
  const name = phrases.name(all[0]!.action.player);
  const actions = all.flatMap((actionCount, i) => {
    const phrase = phrases.compose`${i > 0 ? ', ' : ' '}${verb(phrases, actionCount)}`;
    return routine.has(actionCount.action.what) ? phrase.map(({ text }) => phrases.dim(text)) : phrase;
  });
  return [isRoutine(actionCounts) ? phrases.dim(name.text) : name, ...actions];
}

const plainVerbs = {
  jumps: 'jumps',
  air_jumps: 'air-jumps',
  spawns: 'spawns',
  thawed: 'thaws',
  starts_race: 'starts the race',
} as const;

function verb(phrases: Phrases, { action, times, health, armor }: ActionCount): Phrase {
  const often = times === 1 ? '' : times === 2 ? ' twice' : ` ${thousands(times)} times`;
  const compose = phrases.compose.bind(phrases);
  switch (action.what) {
    case 'jumps':
    case 'air_jumps':
    case 'spawns':
    case 'thawed':
    case 'starts_race':
      return compose`${plainVerbs[action.what]}${often}`;
    case 'frozen':
      return compose`${phrases.state('is frozen')}${often}`;
    case 'fires':
      return compose`${action.weapon === 0 || action.weapon === 5 ? 'swings' : 'fires'} ${phrases.weapon(action.weapon)}${often}`;
    case 'switches':
      return compose`switches to ${phrases.weapon(action.weapon)}`;
    case 'hooks':
      return compose`hooks ${phrases.name(action.target)}${often}`;
    case 'hit': {
      const lost = nonZero([health, `-${health} health`], [armor, `-${armor} armor`]);
      const left = action.left === undefined ? '' : `, ${action.left} left`;
      return compose`is ${{ text: 'hit', style: phrases.theme.removed }}${often} ${phrases.whole(`(${lost.join(' ')}${left})`)}`;
    }
    case 'picks_up':
      return compose`picks up ${phrases.state(action.pickup)}${often}`;
    case 'emoticon':
      return compose`shows ${phrases.emoticon(action.emoticon)}${often}`;
    case 'moves_on':
      return compose`moves on after ${action.seconds.toFixed(0)} s`;
    case 'watches':
      return action.target ? compose`watches ${phrases.name(action.target)}` : compose`looks around`;
    case 'afk':
      return compose`${action.on ? 'is away' : 'is back'}`;
  }
}
