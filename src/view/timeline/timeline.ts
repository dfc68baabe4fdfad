import {
  type Action,
  type GameEvent,
  isAction,
  type Notice,
  type PlayerRef,
  type TickEvents,
} from '../../events/event.ts';
import { type EventInput, EventReader } from '../../events/events.ts';
import type { Protocol } from '../../protocol/registry.ts';
import { count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { ActionBatch } from './action-batch.ts';
import { TimelineLines } from './demo-lines.ts';
import { DiagnosticCounts } from './diagnostic-counts.ts';
import { type GroupedNotice, groupKey, type Phrase, Phrases } from './phrases.ts';

export interface TimelineOptions {
  readonly theme: Theme;
  readonly width: number;
  /** Every deed at its tick. Else those of a second are told together, and those of many players counted. */
  readonly verbose?: boolean;
  /** Only these ticks are shown, both inclusive; the others are to be taken as well, for what they tell of these. */
  readonly ticks?: { readonly from: number; readonly to: number };
  /** Where no header will be taken. */
  readonly protocol?: Protocol;
}

/** Ticks whose deeds are told together: where something matters among them, where it doesn't, and of many players. */
const beatTicks = 50;
const routineTicks = 150;
const crowdTicks = 500;
/** After so many ticks without a deed the next begins a line of its own. */
const calmTicks = 50;
/** Quiet runs over fewer ticks are not mentioned; of those that are told one by one, runs of fewer snapshots. */
const quietTicks = 75;
const quietSnapshots = 3;

/** A recording as a story: a line for each tick in which something happens. Takes records, returns lines as they are ready. */
export class Timeline {
  readonly #options: TimelineOptions;
  readonly #story: EventReader;
  readonly #words: Phrases;
  readonly #lines: TimelineLines;
  readonly #findings = new DiagnosticCounts();
  #local: PlayerRef | undefined;
  #last = -1;
  #beat: ActionBatch | undefined;
  #isCrowd = false;
  #quiet: { readonly from: number; to: number; count: number } | undefined;

  constructor(options: TimelineOptions) {
    this.#options = options;
    this.#story = new EventReader(options.protocol);
    this.#words = new Phrases(options.theme);
    this.#lines = new TimelineLines(options.theme, options.width);
  }

  add(record: EventInput): string {
    if (record.record === 'header') this.#lines.expect(record.header.length);
    const moment = this.#story.add(record);
    if (!moment) return '';
    this.#tell(moment);
    return this.#lines.takeLines();
  }

  /** The recording has ended. */
  finish(): string {
    const moment = this.#story.finish();
    if (moment) this.#tell(moment);
    this.#endBeat();
    this.#endFindings();
    this.#endQuiet();
    if (this.#last >= 0) this.#lines.at(this.#last, [[this.#words.dim('end')]]);
    return this.#lines.takeLines();
  }

  #tell({ tick, events }: TickEvents): void {
    this.#lines.begin(tick);
    for (const event of events) if (event.what === 'cast') this.#local = event.local;
    const { verbose, ticks } = this.#options;
    if (ticks && tick >= 0 && (tick < ticks.from || tick > ticks.to)) return;
    if (tick < this.#last) this.#endBeat();
    if (tick < this.#last) this.#endQuiet();
    this.#last = tick;
    if (this.#findings.isOver(tick)) this.#endFindings();
    const isTold = (one: GameEvent) => verbose || one.what !== 'finding' || this.#findings.add(tick, one.finding);
    const left = events.filter(isTold);
    const news = this.#paragraphs(left);
    const deeds = events.filter(isAction).filter(({ what }) => verbose || what !== 'switches');
    if (news.isAny || deeds.length > 0) this.#act(tick, news, deeds);
    else if (left.length === events.length) this.#rest(tick);
    else this.#endQuiet();
  }

  #rest(tick: number): void {
    if (tick < 0) return;
    this.#quiet ??= { from: tick, to: tick, count: 0 };
    this.#quiet.to = tick;
    this.#quiet.count++;
    const beat = this.#beat;
    if (beat && tick >= (this.#isCrowd ? beat.from + crowdTicks : beat.to + calmTicks)) this.#endBeat();
  }

  #act(tick: number, { first, joined, own, isAny }: Paragraphs, deeds: readonly Action[]): void {
    if (this.#isLongQuiet) this.#endBeat();
    this.#endQuiet();
    const here = new ActionBatch(tick);
    here.add(tick, deeds);
    const beat = this.#beat;
    if (beat && tick - beat.from >= this.#longestBeat(beat.isRoutine && here.isRoutine)) this.#endBeat();

    const { verbose = false } = this.#options;
    const isTold = verbose || isAny;
    // What a crowd does goes on beside the news.
    const isAside = !verbose && (this.#isCrowd || here.isCrowded);
    if (isTold) {
      if (!this.#isCrowd) this.#endBeat();
      const line = this.#words.joined([...joined, ...(isAside ? [] : here.phrases(this.#words))]);
      this.#lines.at(tick, [...first, ...(line.length > 0 ? [line] : []), ...own]);
    }
    if (deeds.length === 0 || (isTold && !isAside)) return;
    this.#beat ??= new ActionBatch(tick);
    this.#beat.add(tick, deeds);
    this.#isCrowd ||= this.#beat.isCrowded;
  }

  #longestBeat(isRoutine: boolean): number {
    if (this.#isCrowd) return crowdTicks;
    return isRoutine ? routineTicks : beatTicks;
  }

  get #isLongQuiet(): boolean {
    if (!this.#quiet) return false;
    const { from, to, count: ticks } = this.#quiet;
    return this.#options.verbose ? ticks >= quietSnapshots : to - from >= quietTicks;
  }

  #endFindings(): void {
    const counted = this.#findings.end(this.#words);
    if (counted) this.#lines.over(counted.from, counted.to, counted.phrase);
  }

  #endQuiet(): void {
    if (this.#quiet && this.#isLongQuiet) {
      const { from, to, count: ticks } = this.#quiet;
      this.#lines.over(from, to, [this.#words.dim(count(ticks, 'quiet tick'))]);
    }
    this.#quiet = undefined;
  }

  #endBeat(): void {
    const beat = this.#beat;
    if (!beat) return;
    const wasCrowd = this.#isCrowd;
    this.#beat = undefined;
    this.#isCrowd = beat.isCrowded;
    if (!wasCrowd) {
      this.#lines.at(beat.from, [this.#words.joined(beat.phrases(this.#words))]);
      return;
    }
    // News may have been told since it began.
    const phrases = beat.isCrowded ? this.#crowd(beat) : beat.phrases(this.#words);
    if (phrases.length > 0) this.#lines.over(beat.from, beat.to, this.#words.joined(phrases));
  }

  /** The local player in full, the others in numbers. */
  #crowd(beat: ActionBatch): Phrase[] {
    const local = this.#local;
    const crowd = beat.crowd(this.#words, local);
    return [...(local ? beat.phrases(this.#words, local) : []), ...(crowd ? [crowd] : [])];
  }

  /** The news of a tick: what begins it, what goes on one line, and what takes a line for itself. */
  #paragraphs(events: readonly GameEvent[]): Paragraphs {
    const [first, joined, own]: [Phrase[], Phrase[], Phrase[]] = [[], [], []];
    for (const [one, ...others] of grouped(events.filter((event) => !isAction(event)))) {
      const phrase =
        others.length > 0 ? this.#words.together([one, ...others] as GroupedNotice[]) : this.#words.news(one!);
      if (phrase) (beginnings.has(one!.what) ? first : loners.has(one!.what) ? own : joined).push(phrase);
    }
    return { first, joined, own, isAny: first.length + joined.length + own.length > 0 };
  }
}

/** Those that can be told together, each group where its first one stands. */
export function grouped(news: readonly Notice[]): Iterable<readonly Notice[]> {
  const groups = new Map<string | Notice, Notice[]>();
  for (const one of news) {
    const key = groupKey(one) ?? one;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups.values();
}

interface Paragraphs {
  readonly first: readonly Phrase[];
  readonly joined: readonly Phrase[];
  readonly own: readonly Phrase[];
  readonly isAny: boolean;
}

const beginnings: ReadonlySet<Notice['what']> = new Set(['full_snapshot', 'cast', 'gap', 'marker']);
/** Text from strangers could look like what stands beside it. */
const loners: ReadonlySet<Notice['what']> = new Set(['chat', 'says', 'vote', 'finding', 'more']);
