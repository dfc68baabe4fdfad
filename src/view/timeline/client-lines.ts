import { columnsOf, wrapSegments } from '../text/line-wrapping.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import type { Phrase } from './phrases.ts';

const between = '   ';
/** Of lines that go on. */
const hang = 2;
const leastWidth = 24;
/** `127.0.0.1:8303`; the column grows with longer ones. */
const leastClient = 15;
const timeWidth = 8;

/** Puts what is told into the columns time, client and what; gathers lines until they are taken. */
export class ClientLines {
  readonly #theme: Theme;
  readonly #width: number;
  #lines: string[] = [];
  #clientWidth = leastClient;
  #headed = false;

  constructor(theme: Theme, width: number) {
    this.#theme = theme;
    this.#width = width;
  }

  /** @param seconds from the beginning; not a number where there is no time */
  put(seconds: number, client: string, phrase: Phrase): void {
    this.#clientWidth = Math.max(this.#clientWidth, columnsOf(client));
    const { dim, role } = this.#theme;
    if (!this.#headed) this.#lines.push(dim(`${this.#place('time', 'client')}what`));
    this.#headed = true;
    const time = Number.isFinite(seconds) ? clock(seconds) : '';
    const margin = this.#place(time, client).length;
    const start = `${role.time(time.padStart(timeWidth))}${between}${dim(client.padEnd(this.#clientWidth))}${between}`;
    const [first = '', ...more] = wrapSegments(phrase, Math.max(leastWidth, this.#width - margin), hang);
    this.#lines.push(start + first, ...more.map((line) => ' '.repeat(margin + hang) + line));
  }

  /** The lines so far. */
  takeLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }

  #place(time: string, client: string): string {
    return time.padStart(timeWidth) + between + client.padEnd(this.#clientWidth) + between;
  }
}
