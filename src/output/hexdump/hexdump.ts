import type { RecordFilter } from '../../recording/replay/record.ts';
import type { Change, Content, Span } from '../../wire/annotate/span.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { foldedRows, toHex } from '../../wire/bytes/to-hex.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import type { Diagnostics } from '../../wire/payload/diagnostics.ts';
import type { EncodingLayers } from '../../wire/payload/encoding-layers.ts';
import { type BasedPayload, baseFound, type Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { emptyBaseText } from '../phrases/base-phrases.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { maxInLine, numberText, pathText, quote, valueInLine } from '../text/escape.ts';
import { shortened, titled, wrap } from '../text/layout.ts';
import { address, bitAddress, count, nonZero, thousands } from '../text/number.ts';
import { markOf, type Style, type Theme, type ViewStyle } from '../text/theme.ts';

/*
 * Bytes beside their meaning. The meaning is not found here: annotate/ gives spans, which cover the input without gap
 * or overlap, and each has a label, a value and a role. Here they become rows:
 *
 *    file  unpacked
 *     0.0  0000      00 03 00 06  ....  removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data
 *     └ bit of the   └ hex      └ the same as characters, `.` for none
 *       file           each span's bytes have the colour of its role, and so has its text
 *
 * Compressed bytes have two addresses, since a byte begins at any bit of the file (`bits`). Others have one.
 *
 *   renderRows ─▶ Rows.render ─▶ #foldAt: can rows be hidden? ─▶ #row: hex, characters, tokens ─▶ wrap to the room that is left
 *
 * The width decides how many bytes a row has; where the room beside them is too small, the values go below. Rows like
 * the one before, tables of offsets, and the end of long values are folded, unless `-v` asks for all. Values may be
 * untrusted text: `quote` escapes them.
 */

export interface HexdumpOptions extends RowOptions {
  readonly name: string;
  /** Selects items; by default all are shown. */
  readonly filter?: RecordFilter | undefined;
}

/** The annotated bytes of a payload: address, hex, ASCII, and the values that begin or continue in each row. */
export function renderHexdump(
  payload: Payload,
  spans: readonly Span[],
  options: HexdumpOptions,
  isShown?: SpanTest,
): string {
  return renderDump(payload, header(payload, options.name, options), spans, options, isShown);
}

/** The bytes of a file, decompressed if necessary, and their diagnostics. */
export interface Dumped {
  readonly layers: Pick<EncodingLayers, 'file' | 'bytes' | 'bits'>;
  readonly diagnostics: Diagnostics;
}

/** Prints the annotated bytes of any decoded input, such as a payload or a packet. */
export function renderDump(
  dumped: Dumped,
  title: string,
  spans: readonly Span[],
  options: RowOptions,
  isShown?: SpanTest,
): string {
  const { bytes, bits } = dumped.layers;
  const head = bits ? [title, '', options.theme.dim(' file  unpacked')] : [title, ''];
  const lines = [...head, ...renderRows({ bytes, bits, spans }, options, isShown), ...closing(dumped, options)];
  return `${lines.join('\n')}\n`;
}

/** The lines after the last row: the end symbol, warnings, and the error where reading stopped. */
function closing(dumped: Dumped, options: RowOptions): string[] {
  const { theme } = options;
  const lines: string[] = [];
  const { bits } = dumped.layers;
  const { warnings } = dumped.diagnostics;
  const width = bits ? bitWidth(bits) : 0;
  const end = endOfBits(dumped);
  if (end) lines.push(theme.dim(` ${bitAddress(end[0]).padStart(width)}        ${end[1]}`));
  if (warnings.length > 0) lines.push('');
  const place = ({ offset, bit, unpacked }: Diagnostic) => {
    const byte = ` ${address(unpacked ?? offset)}`;
    return bits ? ` ${bitAddress(8 * offset + (bit ?? 0)).padStart(width)} ${byte}` : byte;
  };
  lines.push(...diagnosticLines(dumped, options, place));
  return lines;
}

/** The bit of the end symbol in compressed bytes, and a note about it and the bits after it. */
export function endOfBits({
  layers: { bits, bytes, file },
  diagnostics: { error },
}: Dumped): [number, string] | undefined {
  if (!bits || error?.code === 'huffman_no_eof' || error?.code === 'huffman_output_full') return undefined;
  const eof = bits[bytes.length]!;
  return [eof, `EOF${afterEof(eof + eofBits, file.length)}`];
}

const eofBits = 15;

function afterEof(bit: number, bytes: number): string {
  const padding = -bit & 7;
  const more = bytes - Math.ceil(bit / 8);
  const notes = nonZero([padding, `${count(padding, 'bit')} of padding`], [more, count(more, 'more byte')]);
  return notes.map((note) => `, ${note}`).join('');
}

/** Rows have 8 or 16 bytes if the width permits. With `verbose`, numbers have units and equal rows are not folded. */
export interface RowOptions extends ViewStyle {
  /** The column after which a row's values continue on another line. */
  readonly wrapAt?: number;
}

/** Annotated bytes and their addresses. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly spans: readonly Span[];
  readonly address?: number;
  /** The bit of the file at which each decompressed byte begins. It is shown in a separate column. */
  readonly bits?: ArrayLike<number> | undefined;
}

/**
 * If fewer columns than the first number are left next to the bytes, the values are below them, indented by the second
 * number.
 */
const minValueRoom = 16;
const belowRow = 8;

const minFolded = 3;

/** Bytes of a value that are shown: more than a packet has; of those after the last field, which mean nothing, a few. */
const shownBytes = ({ label }: Span) => (label === 'rest' ? 64 : 2048);

export type SpanTest = (span: Span) => boolean;

/** The rows of all spans, or of each range of spans that are shown, which ends with their item. */
export function renderRows(source: Source, options: RowOptions, isShown?: SpanTest): string[] {
  const { spans } = source;
  const rows = new Rows(source, options);
  if (!isShown) return rows.render(0, spans.length);
  const lines: string[] = [];
  for (let first = 0; first < spans.length; ) {
    let end = first;
    while (end < spans.length && isShown(spans[end]!) && spans[end]!.item === spans[first]!.item) end++;
    if (end > first) lines.push(...rows.render(first, end));
    first = Math.max(end, first + 1);
  }
  return lines;
}

/** Tests for spans of the selected items, in a packet also of the selected messages. */
export const isSelected =
  (dumped: Payload | PacketContents, filter: RecordFilter, withMessages = true): SpanTest =>
  (span) => {
    if ('body' in dumped) {
      const { body, types } = dumped;
      const { item } = span;
      return item !== undefined && item < body.count && filter.item(types, body.type(item), body.id(item));
    }
    const entry = dumped.messages.find(({ message }) => span.start >= message.start && span.end <= message.end);
    if (!entry) return false;
    if (withMessages && filter.message(entry.message.type?.name, entry.message.uuid)) return true;
    return entry.delta !== undefined && isSelected(entry.delta.payload, filter)(span);
  };

const isOffset = ({ isOffset }: Span) => isOffset === true;

const bitWidth = (bits: ArrayLike<number>) => bitAddress(bits[bits.length - 1] ?? 0).length;

class Rows {
  readonly #source: Source;
  readonly #options: RowOptions;
  readonly #perRow: number;
  readonly #margin: string;
  readonly #addressWidth: number;
  /** The byte range of the table of item offsets. */
  readonly #offsets: { readonly start: number; readonly end: number };

  constructor(source: Source, options: RowOptions) {
    const { spans, bytes, bits, address: start = 0 } = source;
    this.#source = source;
    this.#options = options;
    this.#perRow = bytesPerRow(options.width);
    this.#addressWidth = address(start + bytes.length).length;
    this.#margin = ' '.repeat((bits ? bitWidth(bits) + 2 : 0) + this.#addressWidth + 3);
    this.#offsets = { start: spans.find(isOffset)?.start ?? 0, end: spans.findLast(isOffset)?.end ?? 0 };
  }

  /** The rows of the spans from `from` up to `to`. */
  render(from: number, to: number): string[] {
    const { spans } = this.#source;
    const lines: string[] = [];
    const bytesEnd = spans[to - 1]?.end ?? 0;
    let first = from;
    for (let start = spans[from]?.start ?? 0; start < bytesEnd; start += this.#perRow) {
      const end = Math.min(start + this.#perRow, bytesEnd);
      while (spans[first]!.end <= start) first++;
      const folded = this.#foldAt(spans[first]!, start);
      if (folded) {
        const hidden = thousands(folded.end - start);
        lines.push(this.#options.theme.dim(`${this.#margin}… ${hidden} bytes ${folded.text}`));
        start = folded.end - this.#perRow;
        continue;
      }
      let last = first;
      while (last + 1 < to && spans[last + 1]!.start < end) last++;
      this.#row(start, end, spans.slice(first, last + 1), lines);
    }
    return lines;
  }

  /**
   * Finds whole rows from `start` on that can be hidden: rows of one span that equal the previous row, item offsets,
   * and what follows in a span that is longer than `shownBytes`.
   */
  #foldAt(span: Span, start: number) {
    const perRow = this.#perRow;
    if (this.#options.verbose) return undefined;
    const isTable = span.isOffset && start - perRow >= this.#offsets.start;
    if (!isTable && start - perRow < span.start) return undefined;
    if (!isTable && Math.min(start - span.start, span.end - start) >= shownBytes(span)) {
      return { end: start + perRow * Math.floor((span.end - start) / perRow), text: 'of the same value (-v)' };
    }
    let end = start;
    if (isTable) end += perRow * Math.floor((this.#offsets.end - start) / perRow);
    else while (end + perRow <= span.end && this.#isAsBefore(end)) end += perRow;
    if (end - start < minFolded * perRow) return undefined;
    return { end, text: isTable ? 'of offsets of items (-v)' : foldedRows };
  }

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
    const tokens: { readonly text: string; readonly style: Style }[] = [];
    for (const span of spans) {
      const style = styleOf(span, theme);
      // A value that ends in the next row is told once, unless it fills that row.
      if (span.start >= start || spans.length === 1)
        tokens.push({ text: token(span, verbose, span.start < start), style });
      const from = Math.max(start, span.start);
      const to = Math.min(end, span.end);
      const digits = toHex(bytes, from, to);
      hex += (from > start ? ' ' : '') + style(digits);
      ascii += style(asciiOf(bytes, from, to));
      hexLength += digits.length + (from > start ? 1 : 0);
    }
    const left = `${this.#address(start)}  ${hex}${' '.repeat(3 * this.#perRow - 1 - hexLength)}  ${ascii}${' '.repeat(this.#perRow - (end - start))}`;
    const leftWidth = this.#margin.length + 4 * this.#perRow + 1;
    const room = wrapAt - leftWidth - 2;
    if (room < minValueRoom) {
      lines.push(left.trimEnd());
      for (const line of wrap(tokens, Math.max(minValueRoom, wrapAt - belowRow)))
        lines.push(' '.repeat(belowRow) + line);
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
function styleOf({ role, change }: Span, theme: Theme): Style {
  if (!change) return theme.role[role];
  return change.old === change.new ? theme.dim : (text) => theme.strong(theme.role[role](text));
}

/** Bytes as characters, `.` for those without one. */
function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let ascii = '';
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return ascii;
}

const bytesPerRow = (width: number) => (width >= 220 ? 16 : width >= 140 ? 8 : 4);

/** Longer tokens are shown only by name in the further rows that they cover. */
const shortToken = 24;

/** A span as text in the dump: `type=6 obj_game_data`, `weapon=1 (gun)`, `x=6 (784 → 790)`; in later rows `name …`. */
export function token(span: Span, units: boolean, isContinued = false): string {
  const text = wholeToken(span, units);
  return isContinued && text.length > shortToken && span.role !== 'gap' ? `${span.label} …` : text;
}

function wholeToken(span: Span, units: boolean): string {
  const { label, value, names, change } = span;
  if (span.role === 'gap') return label === 'gap' ? '(unclaimed)' : `(${label})`;
  if (span.role === 'error') return '(cut)';
  const content =
    typeof value === 'string' ? (span.role === 'text' ? quotedValue(value, units) : value) : valueText(span);
  const meaning = change ? changeText(change) : inParentheses(span.symbol, units ? span.quantity : undefined);
  return `${label}=${content}${names === undefined ? '' : ` ${names}`}${meaning}`;
}

/**
 * A number as text; a difference has a sign: `784`, `+784`, `-110`. The text is `…` if the bytes do not contain the
 * value.
 */
export function valueText({ value, isDifference }: Pick<Span, 'value' | 'isDifference'>): string {
  return `${isDifference && typeof value === 'number' && value >= 0 ? '+' : ''}${numberText(value)}`;
}

/** The text in quotes. It is shortened unless `whole` is set, because the ASCII column shows the rest. */
function quotedValue(text: string, whole: boolean): string {
  const shown = whole ? text : shortened(text, maxInLine);
  return shown === text ? quote(text) : `${quote(shown.slice(0, -1))}…`;
}

function inParentheses(...parts: (string | undefined)[]): string {
  const known = parts.filter((part) => part !== undefined);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

function changeText({ old, new: now, oldSymbol, newSymbol }: Change): string {
  const is = valueWithSymbol(now, newSymbol);
  return old === now ? ` (${is})` : ` (${valueWithSymbol(old, oldSymbol)} → ${is})`;
}

function valueWithSymbol(content: Content, symbol: string | undefined): string {
  const value = valueInLine(content);
  return symbol === undefined ? value : `${value} ${symbol}`;
}

/**
 * `first.huff   huffman · delta · 0.7   25 bytes → 43 bytes → 37 ints   0 removed, 3 items`, on two lines if it is too
 * long.
 */
export function header(payload: Payload, name: string, { theme, width }: { theme: Theme; width: number }): string {
  const { encoding, file, bytes, ints } = payload.layers;
  const sizes = [count(file.length, 'byte')];
  if (bytes.length !== file.length || encoding === 'huffman') sizes.push(count(bytes.length, 'byte'));
  sizes.push(count(ints.length, 'int'));
  return titled(pathText(name), [reading(payload), sizes.join(' → '), contentText(payload)], { theme, width });
}

/** `huffman · delta · 0.7` */
export const reading = ({ layers, kind, types }: Payload): string =>
  [layers.encoding, kind, types.protocol.version].join(' · ');

/** `packet · 0.7` */
export const packetReading = ({ kind, protocol }: PacketContents): string => `${kind} · ${protocol.version}`;

/** `2 removed, 3 items`, and of a delta without a base whether its values are differences. */
export function contentText(payload: BasedPayload): string {
  const { body } = payload;
  const items = count(body.count, 'item');
  if (body instanceof Delta) return `${thousands(body.removedCount)} removed, ${items}${baseNote(payload)}`;
  return `${items}, checksum ${body.checksum()}`;
}

function baseNote(payload: BasedPayload): string {
  const found = baseFound(payload);
  if (found === 'empty') return `, ${emptyBaseText}`;
  if (payload.baseTick !== undefined) return `, from tick ${payload.baseTick}`;
  return found === 'unknown' && payload.body.count > 0 ? ', values are differences' : '';
}

/** Warnings and errors, one per line. `place` returns the address columns. */
export function diagnosticLines(
  { diagnostics: { all, more, error, otherErrors } }: Pick<Payload, 'diagnostics'>,
  { theme, limit = Number.POSITIVE_INFINITY }: Pick<ViewStyle, 'theme' | 'limit'>,
  place: (diagnostic: Diagnostic) => string,
): string[] {
  const lines = all.map((diagnostic) => {
    const at = place(diagnostic);
    const words = [`${theme.strong(diagnostic.code)}:`, ...diagnosticMessage(diagnostic).split(' ')];
    const text = wrap(words, limit - at.length - 4).join(`\n${' '.repeat(at.length + 4)}`);
    return `${theme.dim(at)}  ${markOf(diagnostic.severity, theme)} ${text}`;
  });
  const errors = error ? 1 + otherErrors.length : 0;
  if (more > 0) lines.splice(lines.length - errors, 0, theme.dim(`  … ${count(more, 'more warning')}`));
  return lines;
}
