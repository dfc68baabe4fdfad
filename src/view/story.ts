import { type Happening, isDeed, type Moment, type News, type Who } from '../annotate/happening.ts';
import { Story, type StoryRecord } from '../annotate/story.ts';
import type { Protocol } from '../protocol/registry.ts';
import { flow } from './flow.ts';
import { clock } from './measure.ts';
import { count } from './number.ts';
import { crowdSize, Deeds } from './story-deeds.ts';
import { type Phrase, type Together, togetherKey, Words } from './story-words.ts';
import type { Theme } from './theme.ts';

export interface StoryOptions {
  readonly theme: Theme;
  readonly width: number;
  /** Every deed at its tick. Else those of about a second are told together, and those of many players are counted. */
  readonly verbose?: boolean;
  /** Only these ticks are shown; both are inclusive. */
  readonly ticks?: { readonly from: number; readonly to: number };
  /** Where no header will be taken. */
  readonly protocol?: Protocol;
}

/** Ticks whose deeds are told together, of few and of many players. */
const beat = 50;
const crowdBeat = 250;
/** After so many ticks without a deed what follows is told for itself. */
const calm = 25;
/** Quiet runs of fewer ticks are not mentioned. */
const longQuiet = 50;
const gap = 3;

/** A recording as a story: a line for each tick in which something happens. Takes records, returns lines as they are ready. */
export class StoryView {
  readonly #options: StoryOptions;
  readonly #story: Story;
  readonly #words: Words;
  #lines: string[] = [];
  #begun = false;
  #first: number | undefined;
  #tickWidth = 6;
  #timeWidth = 7;
  #local: Who | undefined;
  #deeds: Deeds | undefined;
  #crowded = false;
  #quiet: { readonly from: number; to: number; ticks: number } | undefined;

  constructor(options: StoryOptions) {
    this.#options = options;
    this.#story = new Story(options.protocol);
    this.#words = new Words(options.theme);
  }

  take(record: StoryRecord): string {
    if (record.record === 'header') this.#timeWidth = Math.max(7, clock(record.header.length).length);
    const moment = this.#story.take(record);
    if (moment) this.#tell(moment);
    return this.#text();
  }

  /** The recording has ended. */
  finish(): string {
    const moment = this.#story.finish();
    if (moment) this.#tell(moment);
    this.#flush();
    this.#fold();
    return this.#text();
  }

  #text(): string {
    if (this.#lines.length === 0) return '';
    return `${this.#lines.splice(0).join('\n')}\n`;
  }

  #tell({ tick, happenings }: Moment): void {
    if (tick >= 0 && this.#first === undefined) {
      this.#first = tick;
      this.#tickWidth = Math.max(6, String(tick).length + 1);
    }
    for (const happening of happenings) if (happening.what === 'cast') this.#local = happening.local;
    const { from, to } = this.#options.ticks ?? { from: -1, to: Number.POSITIVE_INFINITY };
    if (tick > to || (tick < from && tick >= 0)) return;
    const { verbose = false } = this.#options;
    const deeds = happenings.filter(isDeed).filter(({ what }) => verbose || what !== 'switches');
    const paragraphs = this.#paragraphs(happenings);
    if (deeds.length + paragraphs.length === 0) {
      this.#rest(tick);
      return;
    }
    if (this.#isLong(this.#quiet)) this.#flush();
    this.#fold();
    if (this.#deeds && tick - this.#deeds.from >= (this.#crowded ? crowdBeat : beat)) this.#flush();
    const aside = this.#crowded || (!verbose && new Set(deeds.map(({ who }) => who.client)).size > crowdSize);
    if (paragraphs.length > 0) {
      if (!this.#crowded) this.#flush();
      // Few deeds go with the news of their tick.
      if (!aside && deeds.length > 0) {
        const phrases = gathered(tick, deeds).phrases(this.#words);
        paragraphs.push(phrases);
      }
      this.#print(tick, paragraphs);
      if (!aside) return;
    }
    if (deeds.length === 0) return;
    this.#deeds ??= new Deeds(tick);
    for (const deed of deeds) this.#deeds.add(tick, deed);
    if (this.#deeds.size > crowdSize && !verbose) this.#crowded = true;
    if (verbose) this.#flush();
  }
}
