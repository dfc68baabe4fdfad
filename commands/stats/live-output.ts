import { type LiveStats, liveLine, renderLiveStats } from '../../src/view/table/live-stats.ts';
import type { Io } from '../lib/io.ts';
import type { OutputStyle } from '../lib/output/output.ts';

/** Milliseconds between two screens, and between two lines. */
const [screenTime, lineTime] = [250, 1000];

/** Shows the counts of a recording that goes on: a screen that is drawn again on a terminal, a line each second elsewhere. */
export class LiveOutput {
  readonly #style: OutputStyle;
  readonly #io: Io;
  #live: LiveStats | undefined;
  /** Runs while counts wait to be shown. */
  #timer: NodeJS.Timeout | undefined;
  /** Lines of the screen that is shown. */
  #shown = 0;

  constructor(style: OutputStyle, io: Io) {
    this.#style = style;
    this.#io = io;
  }

  update(live: LiveStats): void {
    this.#live = live;
    this.#timer ??= setTimeout(() => this.#show(), this.#io.stdout.isTerminal ? screenTime : lineTime);
  }

  /** Takes the screen away: the final table comes. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#io.stdout.write(this.#erased());
  }

  #show(): void {
    this.#timer = undefined;
    const { isTerminal, rows = 24 } = this.#io.stdout;
    const { theme } = this.#style;
    // The last row of the terminal stays free: a line end in it would move the screen.
    const style = { ...this.#style, height: rows - 1 };
    const lines = isTerminal ? renderLiveStats(this.#live!, style) : [liveLine(this.#live!, theme)];
    const erased = this.#erased();
    if (isTerminal) this.#shown = lines.length;
    void this.#io.stdout.write(`${erased}${lines.join('\n')}\n`);
  }

  #erased(): string {
    return this.#shown > 0 ? `\u001b[${this.#shown}A\r\u001b[J` : '';
  }
}
