import type { Span } from '../../annotate/span.ts';
import { address, bitAddress, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { token } from './token.ts';
import { wrap } from './wrap.ts';

export interface RowOptions {
  readonly theme: Theme;
  /** Columns; the rows grow to 8 and 16 bytes where there is room. */
  readonly width: number;
  /** Columns behind which a row's values go on in a further line. */
  readonly wrapAt?: number;
  /** Units beside the numbers, too. */
  readonly verbose: boolean;
}

/** Annotated bytes, and where they come from. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly spans: readonly Span[];
  /** Address of the first byte. */
  readonly address?: number;
  /** Of decompressed bytes: the bit of the file where each begins; it gets a column of its own. */
  readonly bits?: ArrayLike<number> | undefined;
}

/** Rows of one long value or gap that are shown at its begin; those behind are folded, but for the last. */
const shownRows = 4;

/** Text is shown whole, unless it is longer than what people say. */
const isShortText = ({ role, start, end }: Span) => role === 'text' && end - start <= 128;

/** Address, hex, ASCII, and the values that begin or go on in each row. */
export function renderRows(source: Source, options: RowOptions): string[] {
  return new Rows(source, options).render();
}

/** Blanks under the address columns. */
function margin({ address: first = 0, bytes, bits }: Source): string {
  return ' '.repeat((bits ? bitWidth(bits) + 2 : 0) + addressWidth(first + bytes.length) + 3);
}

/** Columns that the largest bit position takes. */
export const bitWidth = (bits: ArrayLike<number>) => bitAddress(bits[bits.length - 1] ?? 0).length;

/** Columns that the largest address takes. */
const addressWidth = (end: number) => address(end).length;

class Rows {
  readonly #source: Source;
  readonly #options: RowOptions;
  readonly #perRow: number;
  readonly #margin: string;
  readonly #addressWidth: number;

  constructor(source: Source, options: RowOptions) {
    this.#source = source;
    this.#options = options;
    this.#perRow = bytesPerRow(options.width);
    this.#addressWidth = addressWidth((source.address ?? 0) + source.bytes.length);
    this.#margin = margin(source);
  }

  render(): string[] {
    const { bytes, spans } = this.#source;
    const lines: string[] = [];
    let first = 0;
    for (let start = 0; start < bytes.length; start += this.#perRow) {
      const end = Math.min(start + this.#perRow, bytes.length);
      while (spans[first]!.end <= start) first++;
      const folded = this.#foldedUpTo(spans[first]!, start);
      if (folded > start) {
        lines.push(this.#options.theme.dim(`${this.#margin}… ${thousands(folded - start)} more bytes of the same`));
        start = folded - this.#perRow;
        continue;
      }
      let last = first;
      while (last + 1 < spans.length && spans[last + 1]!.start < end) last++;
      this.#row(start, end, spans.slice(first, last + 1), lines);
    }
    return lines;
  }

  /** Where the rows that show nothing new end: inside one long span. */
  #foldedUpTo(span: Span, start: number): number {
    const perRow = this.#perRow;
    if (start - span.start < shownRows * perRow || isShortText(span)) return start;
    const rest = Math.floor((span.end - start) / perRow) - 1;
    return rest > shownRows ? start + rest * perRow : start;
  }

  #row(start: number, end: number, spans: readonly Span[], lines: string[]): void {
    const { theme, width, wrapAt = width, verbose } = this.#options;
    const { bytes } = this.#source;
    let hex = '';
    let ascii = '';
    let hexLength = 0;
    for (const span of spans) {
      const style = theme.role[span.role];
      const from = Math.max(start, span.start);
      const to = Math.min(end, span.end);
      const digits = [...bytes.subarray(from, to)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
      hex += (from > start ? ' ' : '') + style(digits);
      ascii += style(Array.from(bytes.subarray(from, to), printable).join(''));
      hexLength += digits.length + (from > start ? 1 : 0);
    }
    const left = `${this.#address(start)}  ${hex}${' '.repeat(3 * this.#perRow - 1 - hexLength)}  ${ascii}${' '.repeat(this.#perRow - (end - start))}`;
    const leftWidth = this.#margin.length + 4 * this.#perRow + 1;
    const tokens = spans.map((span) => ({
      text: token(span, verbose, span.start < start),
      style: theme.role[span.role],
    }));
    const [head = '', ...more] = wrap(tokens, Math.max(24, wrapAt - leftWidth - 2));
    lines.push(`${left}  ${head}`);
    for (const line of more) lines.push(`${' '.repeat(leftWidth + 2)}${line}`);
  }

  #address(start: number): string {
    const { dim } = this.#options.theme;
    const { bits, address: first = 0 } = this.#source;
    const unpacked = dim(` ${address(first + start).padStart(this.#addressWidth)}`);
    if (!bits) return unpacked;
    return `${dim(` ${bitAddress(bits[start]!).padStart(bitWidth(bits))}`)} ${unpacked}`;
  }
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

function bytesPerRow(width: number): number {
  if (width >= 220) return 16;
  return width >= 140 ? 8 : 4;
}
