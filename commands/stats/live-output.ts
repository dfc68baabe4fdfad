import { type LiveStats, liveLine, renderLiveStats } from '../../src/view/table/stats.ts';
import type { Io } from '../lib/io.ts';
import type { OutputStyle } from '../lib/output/output.ts';

/** The milliseconds between two screens, and between two lines. */
const [screenTime, lineTime] = [250, 1000];

/**
 * Shows the counts of a growing recording: as a screen that is redrawn on a terminal, otherwise as a line each second.
 */
export class LiveOutput {
  readonly #style: OutputStyle;
  readonly #io: Io;
  #live: LiveStats | undefined;
  /** Active while new counts have not been shown. */
  #timer: NodeJS.Timeout | undefined;
  /** The number of lines of the current screen. */
  #shown = 0;

  constructor(style: OutputStyle, io: Io) {
    this.#style = style;
    this.#io = io;
  }

  update(live: LiveStats): void {
    this.#live = live;
    this.#timer ??= setTimeout(() => this.#show(), this.#io.stdout.isTerminal ? screenTime : lineTime);
  }

  /** Removes the screen before the final table. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#io.stdout.write(this.#erased());
  }

  #show(): void {
    this.#timer = undefined;
    const { isTerminal, rows = 24 } = this.#io.stdout;
    const { theme } = this.#style;
    // The last row of the terminal stays free, since a line end in it would scroll the screen.
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
