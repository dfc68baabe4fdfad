import { type Broadcast, Broadcasts, isBroadcast } from '../../recording/events/broadcast.ts';
import {
  type Action,
  type GameEvent,
  isAction,
  type Notice,
  type PlayerRef,
  type TickEvents,
} from '../../recording/events/event.ts';
import { type EventInput, EventReader } from '../../recording/events/events.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { isInRange, type TickRange } from '../../wire/protocol/ticks.ts';
import { diagnosticLine } from '../phrases/diagnostic-messages.ts';
import { type Phrase, Phrases } from '../phrases/event-phrases.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import { type LineStyle, PlacedLines } from './lines.ts';

/*
 * A demo as lines that people read. Events come from events/, one list for each tick; here they are put together,
 * because a match has thousands of jumps and shots and one kill.
 *
 *   notices     kills, chat, joins, votes …     a line at once; those with untrusted text have one of their own
 *   actions     jumps, shots, hooks …           collected in an `ActionBatch`, one phrase a player: "brownbear jumps, fires gun 3 times"
 *   nothing     a quiet range                   one line for it, if it is long enough
 *   damage      the same code again and again   three lines, then a count (`DiagnosticCounts`)
 *   broadcasts  the same text again and again   one line, which waits until another is printed; those after it are one more
 *
 * A batch ends after a second, or after three if it has only movements and shots. It also ends when a notice comes, so
 * that lines stay in the order of time. With more than six players it is a crowd: actions are counted over ten seconds,
 * notices don't end it, and its line has a range of ticks.
 *
 *   add ─▶ EventReader ─▶ #show ─┬▶ #act: notices and actions     ─▶ #endBatch, #endQuiet ─▶ PlacedLines
 *                                └▶ #rest: one more quiet tick
 *
 * `-v` prints each tick by itself.
 */

interface ActionCount {
  action: Action;
  times: number;
  /** The health and armor lost in all hits. */
  health: number;
  armor: number;
}

/** If more players than this act in one batch, their actions are counted together instead of listed by player. */
const crowdSize = 6;

class ActionBatch {
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
        const what = action.what === 'air_jump' ? 'jump' : action.what;
        counts.set(what, (counts.get(what) ?? 0) + times);
        if (action.what === 'fire') weapons.set(action.weapon, (weapons.get(action.weapon) ?? 0) + times);
      }
    }
    const list = nouns.flatMap(([what, noun, plural]) => {
      const times = counts.get(what) ?? 0;
      if (times === 0) return [];
      const kinds = [...weapons]
        .sort((a, b) => b[1] - a[1])
        .map(([number, shots]) => `${phrases.weapon(number).text} ${thousands(shots)}`);
      return [`${count(times, noun, plural)}${what === 'fire' ? ` (${kinds.join(', ')})` : ''}`];
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
  ['start_race', 'race start'],
  ['spawn', 'spawn'],
  ['hit', 'hit'],
  ['freeze', 'frozen', 'frozen'],
  ['thaw', 'thawed', 'thawed'],
  ['hook', 'hooked', 'hooked'],
  ['fire', 'shot'],
  ['pick_up', 'pickup'],
  ['jump', 'jump'],
  ['emoticon', 'emoticon'],
];

const routine: ReadonlySet<Action['what']> = new Set(['jump', 'air_jump', 'fire', 'switch', 'move_on']);

const isRoutine = (actionCounts: ReadonlyMap<string, ActionCount>) =>
  [...actionCounts.values()].every(({ action }) => routine.has(action.what));

function keyOf(action: Action): string {
  if (action.what === 'fire') return `fire ${action.weapon}`;
  if (action.what === 'hook') return `hook ${action.target.client}`;
  if (action.what === 'pick_up') return `pick_up ${action.pickup}`;
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
  jump: 'jumps',
  air_jump: 'air-jumps',
  spawn: 'spawns',
  thaw: 'thaws',
  start_race: 'starts the race',
} as const;

function verb(phrases: Phrases, { action, times, health, armor }: ActionCount): Phrase {
  const often = times === 1 ? '' : times === 2 ? ' twice' : ` ${thousands(times)} times`;
  const compose = phrases.compose.bind(phrases);
  switch (action.what) {
    case 'jump':
    case 'air_jump':
    case 'spawn':
    case 'thaw':
    case 'start_race':
      return compose`${plainVerbs[action.what]}${often}`;
    case 'freeze':
      return compose`${phrases.state('is frozen')}${often}`;
    case 'fire':
      return compose`${action.weapon === 0 || action.weapon === 5 ? 'swings' : 'fires'} ${phrases.weapon(action.weapon)}${often}`;
    case 'switch':
      return compose`switches to ${phrases.weapon(action.weapon)}`;
    case 'hook':
      return compose`hooks ${phrases.name(action.target)}${often}`;
    case 'hit': {
      const lost = nonZero([health, `-${health} health`], [armor, `-${armor} armor`]);
      const left = action.left === undefined ? '' : `, ${action.left} left`;
      return compose`is ${{ text: 'hit', style: phrases.theme.removed }}${often} ${phrases.whole(`(${lost.join(' ')}${left})`)}`;
    }
    case 'pick_up':
      return compose`picks up ${phrases.state(action.pickup)}${often}`;
    case 'emoticon':
      return compose`shows ${phrases.emoticon(action.emoticon)}${often}`;
    case 'move_on':
      return compose`moves on after ${action.seconds.toFixed(0)} s`;
    case 'watch':
      return action.target ? compose`watches ${phrases.name(action.target)}` : compose`looks around`;
    case 'afk':
      return compose`${action.on ? 'is away' : 'is back'}`;
  }
}

export interface DemoTimelineOptions extends LineStyle {
  readonly only?: ((event: GameEvent) => boolean) | undefined;
  /** Whether a kind of events is searched, which is then found also where another event tells it. */
  readonly withTold?: boolean;
  /**
   * Only these ticks are shown, both inclusive. Ticks outside the range must still be added, because they set the
   * context.
   */
  readonly ticks?: TickRange;
  /** Needed if no header will be added. */
  readonly protocol?: Protocol;
}

/** The longest batches in ticks: by default, if all actions are routine, and for many players. */
const batchTicks = 50;
const routineTicks = 150;
const crowdTicks = 500;
/** After this many ticks without an action, the next action begins a new line. */
const calmTicks = 50;
/** Shorter quiet ranges are not printed. The second limit, in snapshots, applies if every action has a line. */
const quietTicks = 75;
const quietSnapshots = 3;

/**
 * A line for each tick with an event. Without `verbose`, actions of a second share a line, and those of many players
 * are counted.
 */
export class DemoTimeline {
  readonly #options: DemoTimelineOptions;
  readonly #events: EventReader;
  readonly #phrases: Phrases;
  readonly #lines: PlacedLines;
  readonly #diagnostics = new DiagnosticCounts();
  readonly #broadcasts = new Broadcasts<number>();
  /** Whether a broadcast waits for its repetitions: nothing was printed since. */
  #isHeld = false;
  #local: PlayerRef | undefined;
  #last = -1;
  #batch: ActionBatch | undefined;
  #isCrowd = false;
  #quiet: { readonly from: number; to: number; count: number } | undefined;

  constructor(options: DemoTimelineOptions) {
    this.#options = options;
    this.#events = new EventReader(options.protocol, { withTold: options.withTold === true });
    this.#phrases = new Phrases(options.theme, diagnosticLine);
    this.#lines = new PlacedLines(options, true);
  }

  add(record: EventInput): string {
    if (record.record === 'header') this.#lines.expect(record.header.length);
    const tickEvents = this.#events.add(record);
    if (!tickEvents) return '';
    this.#show(tickEvents);
    return this.#lines.flushLines();
  }

  finish(): string {
    for (const tickEvents of this.#events.finish()) this.#show(tickEvents);
    this.#endBatch();
    this.#release();
    this.#diagnostics.end(this.#phrases, this.#lines);
    this.#endQuiet();
    this.#endBroadcast();
    if (this.#last >= 0 && !this.#options.only) this.#lines.at(this.#last, [[this.#phrases.dim('end')]]);
    return this.#lines.flushLines();
  }

  #show({ tick, events: all }: TickEvents): void {
    this.#lines.clock.begin(tick);
    for (const event of all) if (event.what === 'players_present') this.#local = event.local;
    const { verbose, ticks, only, record } = this.#options;
    if (ticks && tick >= 0 && !isInRange(tick, ticks)) return;
    const selected = only ? all.filter(only) : all;
    if (record) {
      for (const event of selected) this.#lines.event(event, tick, eventPhrase(event, this.#phrases));
      return;
    }
    if (tick < this.#last) {
      this.#endBatch();
      this.#endQuiet();
      this.#endBroadcast();
    }
    this.#last = tick;
    if (this.#diagnostics.isOver(tick)) {
      this.#release();
      this.#diagnostics.end(this.#phrases, this.#lines);
    }
    const isTicking = tick >= 0 && !verbose;
    const events = isTicking ? selected.filter((event) => !this.#broadcasts.again(event, tick)) : selected;
    // The line of a broadcast that waits covers the quiet ticks between.
    if (this.#isHeld && events.length < selected.length) this.#quiet = undefined;
    const left = events.filter((event) => {
      return verbose || event.what !== 'diagnostic' || this.#diagnostics.add(tick, event.diagnostic);
    });
    const actions = events.filter(isAction).filter(({ what }) => verbose || what !== 'switch');
    const broadcasts = isTicking ? left.filter(isBroadcast) : [];
    if (broadcasts.length > 0) {
      if (this.#isLongQuiet) this.#endBatch();
      this.#endQuiet();
      this.#endBroadcast();
    }
    if (broadcasts.length > 0 && left.length === 1) {
      this.#hold(tick, broadcasts[0]!);
      return;
    }
    for (const broadcast of broadcasts) this.#broadcasts.begin(broadcast, tick, true);
    const firstAction = left.findIndex(isAction);
    const before = this.#paragraphs(firstAction < 0 ? left : left.slice(0, firstAction));
    const after = this.#paragraphs(firstAction < 0 ? [] : left.slice(firstAction));
    if (before.length + after.length + actions.length > 0) this.#act(tick, before, after, actions);
    else if (left.length === events.length) this.#rest(tick);
    else this.#endQuiet();
  }

  /** Begins the line of a broadcast that is all that happens in a tick. It is printed when another line is. */
  #hold(tick: number, notice: Broadcast): void {
    this.#endBatch();
    this.#endQuiet();
    this.#broadcasts.begin(notice, tick, false);
    this.#isHeld = true;
  }

  #release(): void {
    if (this.#isHeld) this.#endBroadcast();
  }

  /** Prints the line of a broadcast that waits, or of those that came after the line of the first. */
  #endBroadcast(): void {
    this.#isHeld = false;
    const repeated = this.#broadcasts.take();
    if (!repeated) return;
    const phrase = this.#phrases.notice(repeated.notice) ?? [];
    if (repeated.from === repeated.to) this.#lines.at(repeated.from, [phrase]);
    else this.#lines.over(repeated.from, repeated.to, phrase);
  }

  #rest(tick: number): void {
    if (tick < 0) return;
    this.#quiet ??= { from: tick, to: tick, count: 0 };
    this.#quiet.to = tick;
    this.#quiet.count++;
    const batch = this.#batch;
    if (batch && tick >= (this.#isCrowd ? batch.from + crowdTicks : batch.to + calmTicks)) this.#endBatch();
  }

  /** @param before the notices before the first action of the tick */
  #act(tick: number, before: readonly Paragraph[], after: readonly Paragraph[], actions: readonly Action[]): void {
    if (this.#isLongQuiet) this.#endBatch();
    this.#endQuiet();
    const here = new ActionBatch(tick);
    here.add(tick, actions);
    const batch = this.#batch;
    const usual = batch?.isRoutine && here.isRoutine ? routineTicks : batchTicks;
    if (batch && tick - batch.from >= (this.#isCrowd ? crowdTicks : usual)) this.#endBatch();

    const { verbose } = this.#options;
    const isShown = verbose || before.length + after.length > 0;
    // Notices do not end a batch of many players; the batch is printed later on its own line.
    const isAside = !verbose && (this.#isCrowd || here.isCrowded);
    if (isShown) {
      if (!this.#isCrowd) this.#endBatch();
      const phrases = isAside ? [] : here.phrases(this.#phrases);
      const done = phrases.map((phrase) => ({ phrase, hasOwnLine: false }));
      this.#release();
      this.#lines.at(tick, this.#joined([...before, ...done, ...after]));
    }
    if (actions.length === 0 || (isShown && !isAside)) return;
    this.#batch ??= new ActionBatch(tick);
    this.#batch.add(tick, actions);
    this.#isCrowd ||= this.#batch.isCrowded;
  }

  get #isLongQuiet(): boolean {
    if (!this.#quiet || this.#options.only) return false;
    const { from, to, count: ticks } = this.#quiet;
    return this.#options.verbose ? ticks >= quietSnapshots : to - from >= quietTicks;
  }

  #endQuiet(): void {
    if (this.#quiet && this.#isLongQuiet) {
      const { from, to, count: ticks } = this.#quiet;
      this.#release();
      this.#lines.over(from, to, [this.#phrases.dim(count(ticks, 'quiet tick'))]);
    }
    this.#quiet = undefined;
  }

  #endBatch(): void {
    const batch = this.#batch;
    if (!batch) return;
    const wasCrowd = this.#isCrowd;
    this.#batch = undefined;
    this.#isCrowd = batch.isCrowded;
    const all = wasCrowd && batch.isCrowded ? this.#crowd(batch) : batch.phrases(this.#phrases);
    const phrase = this.#phrases.joined(all);
    // Notices may have been printed since the batch of a crowd began, so its line shows a range of ticks.
    if (all.length > 0) this.#release();
    if (!wasCrowd) this.#lines.at(batch.from, [phrase]);
    else if (all.length > 0) this.#lines.over(batch.from, batch.to, phrase);
  }

  #crowd(batch: ActionBatch): Phrase[] {
    const local = this.#local;
    const crowd = batch.crowd(this.#phrases, local);
    return [...(local ? batch.phrases(this.#phrases, local) : []), ...(crowd ? [crowd] : [])];
  }

  #paragraphs(events: readonly GameEvent[]): Paragraph[] {
    const groups = this.#phrases.groups(events.filter((event) => !isAction(event)));
    return groups.map(({ phrase, group }) => ({ phrase, hasOwnLine: ownLine.has(group[0]!.what) }));
  }

  /** The lines of a tick in the order of its events. */
  #joined(paragraphs: readonly Paragraph[]): Phrase[] {
    const lines: Phrase[][] = [];
    let last: Paragraph | undefined;
    for (const paragraph of paragraphs) {
      if (!last || last.hasOwnLine || paragraph.hasOwnLine) lines.push([paragraph.phrase]);
      else lines.at(-1)!.push(paragraph.phrase);
      last = paragraph;
    }
    return lines.map((line) => this.#phrases.joined(line));
  }
}

interface Paragraph {
  readonly phrase: Phrase;
  readonly hasOwnLine: boolean;
}

/** Notices on separate lines. Most contain untrusted text, which could imitate other notices on the same line. */
const ownLine: ReadonlySet<Notice['what']> = new Set([
  'full_snapshot',
  'players_present',
  'gap',
  'marker',
  'chat',
  'announcement',
  'vote',
  'diagnostic',
]);

/** Each code has at most this many lines; further diagnostics with the code are counted. */
const maxShown = 3;
/** After this many ticks without a diagnostic, the next ones have their own lines again. */
const calmAfterDamage = 50;

/** Counts repeated diagnostics, because damage can cause the same diagnostic in every later snapshot. */
class DiagnosticCounts {
  readonly #times = new Map<string, number>();
  readonly #notShown = new Map<string, number>();
  #hasError = false;
  #from = 0;
  #to = Number.NEGATIVE_INFINITY;

  /** Adds a diagnostic and returns whether it has its own line. */
  add(tick: number, { code, severity }: Diagnostic): boolean {
    this.#to = tick;
    const before = this.#times.get(code) ?? 0;
    this.#times.set(code, before + 1);
    if (before < maxShown) return true;
    if (this.#notShown.size === 0) this.#from = tick;
    this.#notShown.set(code, (this.#notShown.get(code) ?? 0) + 1);
    this.#hasError ||= severity === 'error';
    return false;
  }

  isOver(tick: number): boolean {
    return this.#times.size > 0 && Math.abs(tick - this.#to) > calmAfterDamage;
  }

  /** Adds a line for the diagnostics without their own lines, and resets the counts. */
  end(phrases: Phrases, lines: PlacedLines): void {
    const more = [...this.#notShown].map(([code, times]) => `${thousands(times)} more ${code}`);
    const mark = phrases.mark(this.#hasError ? 'error' : 'warning');
    if (more.length > 0) lines.over(this.#from, this.#to, phrases.compose`${mark} ${more.join(', ')}`);
    this.#times.clear();
    this.#notShown.clear();
    this.#hasError = false;
  }
}
