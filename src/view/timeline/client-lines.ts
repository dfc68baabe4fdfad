import { columnsOf, wrapSegments } from '../text/line-wrapping.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import type { Phrase } from './phrases.ts';

const between = '   ';
/** Indentation of continuation lines. */
const hang = 2;
const leastWidth = 24;
/** `127.0.0.1:8303`; the column grows with longer ones. */
const leastClient = 15;
const timeWidth = 8;

/** Lays out lines in the columns time, client and event; keeps them until `takeLines`. */
export class ClientLines {
  readonly #theme: Theme;
  readonly #width: number;
  #lines: string[] = [];
  #clientWidth = leastClient;
  #hasHeading = false;

  constructor(theme: Theme, width: number) {
    this.#theme = theme;
    this.#width = width;
  }

  /** @param seconds from the beginning; NaN if there is no time */
  add(seconds: number, client: string, phrase: Phrase): void {
    this.#clientWidth = Math.max(this.#clientWidth, columnsOf(client));
    const { dim, role } = this.#theme;
    if (!this.#hasHeading) this.#lines.push(dim(`${this.#columns('time', 'client')}what`));
    this.#hasHeading = true;
    const time = Number.isFinite(seconds) ? clock(seconds) : '';
    const margin = this.#columns(time, client).length;
    const start = `${role.time(time.padStart(timeWidth))}${between}${dim(client.padEnd(this.#clientWidth))}${between}`;
    const [first = '', ...more] = wrapSegments(phrase, Math.max(leastWidth, this.#width - margin), hang);
    this.#lines.push(start + first, ...more.map((line) => ' '.repeat(margin + hang) + line));
  }

  /** Returns and removes the lines so far. */
  takeLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }

  #columns(time: string, client: string): string {
    return time.padStart(timeWidth) + between + client.padEnd(this.#clientWidth) + between;
  }
}
