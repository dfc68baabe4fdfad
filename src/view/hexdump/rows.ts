import type { Span } from '../../annotate/span.ts';
import { foldedRows } from '../../hex/forms/tw-snap.ts';
import { wrap } from '../text/layout.ts';
import { address, bitAddress, thousands } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { token } from './token.ts';

/** Rows have 8 or 16 bytes if the width permits. With `verbose`, numbers have units and equal rows are not folded. */
export interface RowOptions extends ViewStyle {
  /** The column after which a row's values continue on another line. */
  readonly wrapAt?: number;
}

/** Annotated bytes and their addresses. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly spans: readonly Span[];
  /** The address of the first byte. */
  readonly address?: number;
  /** The bit of the file at which each decompressed byte begins. It is shown in a separate column. */
  readonly bits?: ArrayLike<number> | undefined;
}

/** If fewer columns than the first number are left next to the bytes, the values are below them, indented by the second number. */
const [leastRoom, belowRow] = [16, 8];

/** Fewer rows than this are not folded. */
const leastFolded = 3;

/** Rows of address, hex, ASCII, and the values that begin or continue in each row. */
export function renderRows(source: Source, options: RowOptions): string[] {
  return new Rows(source, options).render();
}

const isOffset = ({ isOffset }: Span) => isOffset === true;

/** Spaces as wide as the address columns. */
function margin({ address: first = 0, bytes, bits }: Source): string {
  return ' '.repeat((bits ? bitWidth(bits) + 2 : 0) + addressWidth(first + bytes.length) + 3);
}

/** The width of the largest bit position in columns. */
export const bitWidth = (bits: ArrayLike<number>) => bitAddress(bits[bits.length - 1] ?? 0).length;

/** The width of the largest address in columns. */
const addressWidth = (end: number) => address(end).length;

interface Fold {
  readonly end: number;
  readonly text: string;
}

class Rows {
  readonly #source: Source;
  readonly #options: RowOptions;
  readonly #perRow: number;
  readonly #margin: string;
  readonly #addressWidth: number;
  /** The byte range of the table of item offsets. */
  readonly #offsets: { readonly start: number; readonly end: number };

  constructor(source: Source, options: RowOptions) {
    this.#source = source;
    this.#options = options;
    this.#perRow = bytesPerRow(options.width);
    this.#addressWidth = addressWidth((source.address ?? 0) + source.bytes.length);
    this.#margin = margin(source);
    const [first, last] = [source.spans.find(isOffset), source.spans.findLast(isOffset)];
    this.#offsets = { start: first?.start ?? 0, end: last?.end ?? 0 };
  }

  render(): string[] {
    const { bytes, spans } = this.#source;
    const lines: string[] = [];
    let first = 0;
    for (let start = 0; start < bytes.length; start += this.#perRow) {
      const end = Math.min(start + this.#perRow, bytes.length);
      while (spans[first]!.end <= start) first++;
      const folded = this.#foldAt(spans[first]!, start);
      if (folded) {
        const hidden = thousands(folded.end - start);
        lines.push(this.#options.theme.dim(`${this.#margin}… ${hidden} bytes ${folded.text}`));
        start = folded.end - this.#perRow;
        continue;
      }
      let last = first;
      while (last + 1 < spans.length && spans[last + 1]!.start < end) last++;
      this.#row(start, end, spans.slice(first, last + 1), lines);
    }
    return lines;
  }

  /** Finds whole rows from `start` on that can be hidden: rows of one span that equal the previous row, and item offsets. */
  #foldAt(span: Span, start: number): Fold | undefined {
    const perRow = this.#perRow;
    if (this.#options.verbose) return undefined;
    const isTable = span.isOffset && start - perRow >= this.#offsets.start;
    if (!isTable && start - perRow < span.start) return undefined;
    let end = start;
    if (isTable) end += perRow * Math.floor((this.#offsets.end - start) / perRow);
    else while (end + perRow <= span.end && this.#isAsBefore(end)) end += perRow;
    if (end - start < leastFolded * perRow) return undefined;
    return { end, text: isTable ? 'of offsets of items (-v)' : foldedRows };
  }

  /** Whether a row has the same bytes as the previous row. */
  #isAsBefore(start: number): boolean {
    const { bytes } = this.#source;
    for (let at = start; at < start + this.#perRow; at++) if (bytes[at] !== bytes[at - this.#perRow]) return false;
    return true;
  }

  #row(start: number, end: number, spans: readonly Span[], lines: string[]): void {
    const { theme, width, wrapAt = width, verbose } = this.#options;
    const { bytes } = this.#source;
    let hex = '';
    let ascii = '';
    let hexLength = 0;
    for (const span of spans) {
      const style = styleOf(span, theme);
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
      style: styleOf(span, theme),
    }));
    const room = wrapAt - leftWidth - 2;
    if (room < leastRoom) {
      lines.push(left.trimEnd());
      for (const line of wrap(tokens, Math.max(leastRoom, wrapAt - belowRow))) lines.push(' '.repeat(belowRow) + line);
      return;
    }
    const [head = '', ...more] = wrap(tokens, room);
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

/** Values that a delta leaves unchanged are dim; values that it changes are strong. */
function styleOf({ role, change }: Span, theme: Theme): (text: string) => string {
  if (!change) return theme.role[role];
  return change.old === change.new ? theme.dim : (text) => theme.strong(theme.role[role](text));
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

function bytesPerRow(width: number): number {
  if (width >= 220) return 16;
  return width >= 140 ? 8 : 4;
}
