import { widthOf, wrapSegments } from '../text/layout.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import type { Phrase } from './phrases.ts';

const between = '   ';
/** Indentation of continuation lines. */
const hang = 2;
const leastWidth = 24;
/** This fits `127.0.0.1:8303`; the column grows for longer addresses. */
const leastClient = 15;
const timeWidth = 8;
/** This fits `12-4000`; the column grows for longer ranges. */
const leastFrame = 7;

/** The first and last frame of a line; 0 if there is none. */
export type FrameRange = readonly [number, number];

/** Formats lines with the columns frame, time, client and event, and keeps them until `flushLines`. */
export class ClientLines {
  readonly #theme: Theme;
  readonly #width: number;
  #lines: string[] = [];
  #clientWidth = leastClient;
  #frameWidth = leastFrame;
  #hasHeading = false;

  constructor(theme: Theme, width: number) {
    this.#theme = theme;
    this.#width = width;
  }

  /** @param seconds from the beginning; NaN if there is no time */
  add(seconds: number, [first, last]: FrameRange, client: string, phrase: Phrase): void {
    const { dim, role } = this.#theme;
    const frames = first === 0 ? '' : first === last ? String(first) : `${first}-${last}`;
    this.#frameWidth = Math.max(this.#frameWidth, frames.length);
    this.#clientWidth = Math.max(this.#clientWidth, widthOf(client));
    const margin = this.#frameWidth + timeWidth + this.#clientWidth + 3 * between.length;
    // If the space next to the columns is too narrow, the event is on separate lines below them.
    const isNarrow = this.#width - margin < leastWidth;
    const place = (...[frame, time, who]: [string, string, string]) =>
      `${frame}${between}${time}${between}${who}${isNarrow ? '' : between}`;
    if (!this.#hasHeading) {
      const heading = place(
        'frame'.padStart(this.#frameWidth),
        'time'.padStart(timeWidth),
        'client'.padEnd(this.#clientWidth),
      );
      this.#lines.push(dim(isNarrow ? heading.trimEnd() : `${heading}what`));
    }
    this.#hasHeading = true;
    const time = (Number.isFinite(seconds) ? clock(seconds) : '').padStart(timeWidth);
    const who = isNarrow ? client : client.padEnd(this.#clientWidth);
    const start = place(dim(frames.padStart(this.#frameWidth)), role.time(time), dim(who));
    const indent = isNarrow ? hang : margin;
    const [head = '', ...more] = wrapSegments(phrase, Math.max(leastWidth, this.#width - indent - hang), hang);
    if (isNarrow) this.#lines.push(start, ' '.repeat(indent) + head);
    else this.#lines.push(start + head);
    this.#lines.push(...more.map((line) => ' '.repeat(indent + hang) + line));
  }

  /** Returns and removes the collected lines. */
  flushLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }
}
