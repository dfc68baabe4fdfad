import type { Span } from '../annotate/span.ts';
import type { Finding } from '../model/findings.ts';
import type { Payload } from '../model/payload.ts';
import { findingLines, header } from './header.ts';
import { address, thousands } from './number.ts';
import type { Theme } from './theme.ts';
import { token } from './token.ts';
import { wrap } from './wrap.ts';

export interface HexdumpOptions {
  readonly name: string;
  readonly theme: Theme;
  /** Columns; the rows grow to 8 and 16 bytes where there is room. */
  readonly width: number;
  /** Units beside the numbers, too. */
  readonly verbose: boolean;
}

/** Rows of one long value or gap that are shown at its begin and at its end; those between are folded. */
const shownRows = 4;

/** The annotated bytes of a payload: address, hex, ASCII, and the values that begin or go on in each row. */
export function renderHexdump(payload: Payload, spans: readonly Span[], options: HexdumpOptions): string {
  const { theme } = options;
  const lines = [header(payload, options.name, theme), ''];
  if (payload.layers.bits) lines.push(theme.dim(' file  unpacked'));
  new Rows(payload, spans, options).render(lines);
  lines.push(...closing(payload, theme));
  return `${lines.join('\n')}\n`;
}

class Rows {
  readonly #bytes: Uint8Array;
  readonly #bits: Uint32Array | undefined;
  readonly #spans: readonly Span[];
  readonly #options: HexdumpOptions;
  readonly #perRow: number;
  readonly #margin: string;

  constructor(payload: Payload, spans: readonly Span[], options: HexdumpOptions) {
    this.#bytes = payload.layers.bytes;
    this.#bits = payload.layers.bits;
    this.#spans = spans;
    this.#options = options;
    this.#perRow = bytesPerRow(options.width);
    this.#margin = this.#bits ? '              ' : '       ';
  }

  render(lines: string[]): void {
    const spans = this.#spans;
    let first = 0;
    for (let start = 0; start < this.#bytes.length; start += this.#perRow) {
      const end = Math.min(start + this.#perRow, this.#bytes.length);
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
  }

  /** Where the rows that show nothing new end: inside one long span. */
  #foldedUpTo(span: Span, start: number): number {
    const perRow = this.#perRow;
    if (start - span.start < shownRows * perRow) return start;
    const rest = Math.floor((span.end - start) / perRow) - 1;
    return rest > shownRows ? start + rest * perRow : start;
  }

  #row(start: number, end: number, spans: readonly Span[], lines: string[]): void {
    const { theme, width, verbose } = this.#options;
    let hex = '';
    let ascii = '';
    let hexLength = 0;
    for (const span of spans) {
      const style = theme.role[span.role];
      const from = Math.max(start, span.start);
      const to = Math.min(end, span.end);
      const digits = [...this.#bytes.subarray(from, to)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
      hex += (from > start ? ' ' : '') + style(digits);
      ascii += style(Array.from(this.#bytes.subarray(from, to), printable).join(''));
      hexLength += digits.length + (from > start ? 1 : 0);
    }
    const left = `${this.#address(start)}  ${hex}${' '.repeat(3 * this.#perRow - 1 - hexLength)}  ${ascii}${' '.repeat(this.#perRow - (end - start))}`;
    const leftWidth = this.#margin.length + 4 * this.#perRow + 1;
    const tokens = spans.map((span) => ({ text: token(span, verbose), style: theme.role[span.role] }));
    const [head = '', ...more] = wrap(tokens, Math.max(24, width - leftWidth - 2));
    lines.push(`${left}  ${head}`);
    for (const line of more) lines.push(`${' '.repeat(leftWidth + 2)}${line}`);
  }

  #address(start: number): string {
    const { dim } = this.#options.theme;
    const unpacked = dim(address(start).padStart(5));
    if (!this.#bits) return unpacked;
    const bit = this.#bits[start]!;
    return `${dim(`${bit >>> 3}.${bit & 7}`.padStart(6))} ${unpacked}`;
  }
}

/** What comes behind the last row: the end symbol, warnings, and the error where reading stopped. */
function closing(payload: Payload, theme: Theme): string[] {
  const lines: string[] = [];
  const { bits, bytes, file } = payload.layers;
  const { error, warnings } = payload.findings;
  if (bits && !(error?.code === 'huffman_no_eof' || error?.code === 'huffman_output_full')) {
    const bit = bits[bytes.length]!;
    lines.push(theme.dim(`${`${bit >>> 3}.${bit & 7}`.padStart(6)}        EOF, ${afterEof(bit + 15, file.length)}`));
  }
  if (warnings.length > 0) lines.push('');
  const place = ({ offset, bit, unpacked }: Finding) => {
    const byte = address(unpacked ?? offset).padStart(5);
    return bits ? `${`${offset}.${bit ?? 0}`.padStart(6)} ${byte}` : byte;
  };
  lines.push(...findingLines(payload, theme, place));
  return lines;
}

function afterEof(bit: number, bytes: number): string {
  const padding = -bit & 7;
  const more = bytes - Math.ceil(bit / 8);
  const bits = padding === 1 ? '1 bit of padding' : `${padding} bits of padding`;
  return more > 0 ? `${bits}, ${more} more byte${more === 1 ? '' : 's'}` : bits;
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

function bytesPerRow(width: number): number {
  if (width >= 220) return 16;
  return width >= 140 ? 8 : 4;
}
