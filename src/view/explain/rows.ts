import { wrap } from '../hexdump/wrap.ts';
import type { Theme } from '../text/theme.ts';

const labelWidth = 12;

interface ExplainStyle {
  readonly theme: Theme;
  readonly width: number;
}

/** Labels with wrapped text. */
export class Rows {
  readonly lines: string[] = [];
  readonly #style: ExplainStyle;

  constructor(style: ExplainStyle) {
    this.#style = style;
  }

  /** Adds text that is wrapped between words. */
  put(label: string, text: string): void {
    for (const [i, line] of wrap(wordsOf(text), this.#style.width - labelWidth - 4).entries()) {
      this.putWhole(i === 0 ? label : '', line);
    }
  }

  /** Adds text on one line that can be copied. */
  putWhole(label: string, text: string): void {
    this.lines.push(`    ${this.#style.theme.dim(label.padEnd(labelWidth))}${text}`);
  }
}

/** The words of a text, for {@link wrap}. */
export const wordsOf = (text: string) => text.split(' ').map((word) => ({ text: word, style: (one: string) => one }));
