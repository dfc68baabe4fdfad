import { wrap } from '../text/layout.ts';
import type { ViewStyle } from '../text/theme.ts';

const labelWidth = 12;

/** Labels with wrapped text. */
export class Rows {
  readonly lines: string[] = [];
  readonly #style: ViewStyle;

  constructor(style: ViewStyle) {
    this.#style = style;
  }

  /** Adds text that is wrapped between words. */
  put(label: string, text: string): void {
    for (const [i, line] of wrap(text.split(' '), this.#style.width - labelWidth - 4).entries()) {
      this.putWhole(i === 0 ? label : '', line);
    }
  }

  /** Adds text on one line that can be copied. */
  putWhole(label: string, text: string): void {
    this.lines.push(`    ${this.#style.theme.dim(label.padEnd(labelWidth))}${text}`);
  }
}
