import { ticksPerSecond } from '../../protocol/ticks.ts';
import { wrapSegments } from '../text/layout.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import type { Phrase } from './phrases.ts';

const between = '   ';
/** Indentation of continuation lines. */
const hang = 2;
const leastWidth = 24;
const leastTick = 6;

/** Formats lines with the columns tick, time and event, and keeps them until `flushLines`. */
export class TickLines {
  readonly #theme: Theme;
  readonly #width: number;
  #lines: string[] = [];
  #first: number | undefined;
  #tickWidth = leastTick;
  #timeWidth = 7;
  #headed = false;

  constructor(theme: Theme, width: number) {
    this.#theme = theme;
    this.#width = width;
  }

  /** Makes the columns wide enough for a recording of this length. */
  expect(seconds: number): void {
    this.#timeWidth = Math.max(this.#timeWidth, clock(seconds).length);
  }

  /** Sets the first tick, from which time is counted. */
  begin(tick: number): void {
    if (tick < 0 || this.#first !== undefined) return;
    this.#first = tick;
    this.#tickWidth = Math.max(leastTick, String(tick).length + 1);
  }

  /** Adds the phrases of a tick, each on a line of its own. */
  at(tick: number, paragraphs: readonly Phrase[]): void {
    const isTick = tick >= 0;
    const place = isTick ? String(tick).padStart(this.#tickWidth) : ''.padStart(this.#tickWidth);
    const time = isTick ? clock((tick - (this.#first ?? tick)) / ticksPerSecond) : '';
    const start = `${place}${between}${this.#theme.role.time(time.padStart(this.#timeWidth))}${between}`;
    for (const [i, phrase] of paragraphs.entries()) {
      this.#put(i === 0 ? start : ' '.repeat(this.#margin), this.#margin, phrase);
    }
  }

  /** Adds a phrase about a range of ticks. */
  over(from: number, to: number, phrase: Phrase): void {
    const range = `${String(from).padStart(this.#tickWidth)} … ${to}`;
    const margin = Math.max(this.#margin, range.length + between.length);
    this.#put(this.#theme.dim(range) + ' '.repeat(margin - range.length), margin, phrase);
  }

  /** Returns and removes the collected lines. */
  flushLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }

  get #margin(): number {
    return this.#tickWidth + this.#timeWidth + 2 * between.length;
  }

  #put(start: string, margin: number, phrase: Phrase): void {
    if (!this.#headed) {
      this.#headed = true;
      const head = `${'tick'.padStart(this.#tickWidth)}${between}${'time'.padStart(this.#timeWidth)}${between}what`;
      this.#lines.push(this.#theme.dim(head));
    }
    const [first = '', ...more] = wrapSegments(phrase, Math.max(leastWidth, this.#width - margin), hang);
    this.#lines.push(start + first, ...more.map((line) => ' '.repeat(margin + hang) + line));
  }
}
