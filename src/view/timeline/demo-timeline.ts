import type { Diagnostic } from '../../bytes/diagnostic.ts';
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
import { isInRange, type TickRange } from '../../protocol/ticks.ts';
import { count, thousands } from '../text/number.ts';
import { ActionBatch, eventPhrase } from './actions.ts';
import { type LineStyle, PlacedLines } from './lines.ts';
import { type Phrase, Phrases } from './phrases.ts';

export interface DemoTimelineOptions extends LineStyle {
  readonly only?: ((event: GameEvent) => boolean) | undefined;
  /** Only these ticks are shown, both inclusive. Ticks outside the range must still be added, because they set the context. */
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

/** A line for each tick with an event. Without `verbose`, actions of a second share a line, and those of many players are counted. */
export class DemoTimeline {
  readonly #options: DemoTimelineOptions;
  readonly #events: EventReader;
  readonly #phrases: Phrases;
  readonly #lines: PlacedLines;
  readonly #diagnostics = new DiagnosticCounts();
  #local: PlayerRef | undefined;
  #last = -1;
  #batch: ActionBatch | undefined;
  #isCrowd = false;
  #quiet: { readonly from: number; to: number; count: number } | undefined;

  constructor(options: DemoTimelineOptions) {
    this.#options = options;
    this.#events = new EventReader(options.protocol);
    this.#phrases = new Phrases(options.theme);
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
    this.#diagnostics.end(this.#phrases, this.#lines);
    this.#endQuiet();
    if (this.#last >= 0 && !this.#options.only) this.#lines.at(this.#last, [[this.#phrases.dim('end')]]);
    return this.#lines.flushLines();
  }

  #show({ tick, events: all }: TickEvents): void {
    this.#lines.begin(tick);
    for (const event of all) if (event.what === 'players_present') this.#local = event.local;
    const { verbose, ticks, only, record } = this.#options;
    if (ticks && tick >= 0 && !isInRange(tick, ticks)) return;
    const events = only ? all.filter(only) : all;
    if (record) {
      for (const event of events) this.#lines.event(event, { tick }, eventPhrase(event, this.#phrases));
      return;
    }
    if (tick < this.#last) {
      this.#endBatch();
      this.#endQuiet();
    }
    this.#last = tick;
    if (this.#diagnostics.isOver(tick)) this.#diagnostics.end(this.#phrases, this.#lines);
    const left = events.filter((one) => {
      return verbose || one.what !== 'diagnostic' || this.#diagnostics.add(tick, one.diagnostic);
    });
    const actions = events.filter(isAction).filter(({ what }) => verbose || what !== 'switches');
    const firstAction = left.findIndex(isAction);
    const before = this.#paragraphs(firstAction < 0 ? left : left.slice(0, firstAction));
    const after = this.#paragraphs(firstAction < 0 ? [] : left.slice(firstAction));
    if (before.length + after.length + actions.length > 0) this.#act(tick, before, after, actions);
    else if (left.length === events.length) this.#rest(tick);
    else this.#endQuiet();
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
  'more',
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
