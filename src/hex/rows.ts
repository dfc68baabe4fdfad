import { DecodeError } from '../bytes/diagnostic.ts';
import { ByteSink } from './byte-sink.ts';
import { isBlank, linesOf } from './characters.ts';
import { isCutMark } from './cut-mark.ts';
import { type ByteString, badHex, type Form, type Reading } from './form.ts';

/** The format of a dump's rows: an address, followed by the bytes. */
export interface RowLayout {
  readonly name: string;
  /**
   * A sticky pattern that matches a row up to its first byte. Group 1 is the address, group 2 separates it from the
   * bytes.
   */
  readonly row: RegExp;
  /** The possible bases of the address, the usual one first. */
  bases(address: string): readonly number[];
  /** Appends the bytes of `text[from]` up to `text[end]`. */
  readCells(text: string, from: number, end: number, bytes: ByteSink): void;
  /**
   * Whether a row may begin at any address, so that a row that does not follow the preceding one begins another byte
   * string.
   */
  readonly isMemory?: boolean;
  /** Whether a line with only an address marks the end of the bytes. */
  readonly hasEndAddress?: boolean;
  /** A sticky pattern that matches a row with a mistake. */
  readonly brokenRow?: RegExp;
  /** A sticky pattern that matches a line such as `*`, which represents rows equal to the row above. */
  readonly repeatedRows?: RegExp;
  /** The number of bytes by which the last word may exceed the end address. */
  readonly padding?: number;
}

const bareAddress = /[ \t]*([0-9a-f]{6,12})[ \t\r]*(?=\n|$)/iy;
/** The maximum size, since `*` can represent any number of bytes. */
const maxBytes = 1 << 26;
/**
 * A memory address that is this many rows ahead or fewer means that rows are missing; a larger one belongs to another
 * variable.
 */
const missingRows = 4;

/** The form of a dump whose rows have a layout. */
export const formOfRows = (layout: RowLayout, example: string): Form => ({
  name: layout.name,
  example,
  detect: ({ text }) => rowAfter(text, layout.row, 0) !== undefined,
  read: ({ text }) => readRows(text, layout),
});

/**
 * The bytes of a dump whose rows begin with addresses; other lines are ignored. If an address cannot be distinguished
 * from a number in a sentence, a second row must follow the first: `1984: 22 people` is not a dump.
 */
export function readRows(text: string, layout: RowLayout): Reading | undefined {
  const first = rowAfter(text, layout.row, 0);
  if (!first) return undefined;
  const result = readFrom(text, layout, first.address, 0);
  if (!(result instanceof DecodeError)) {
    if (first.isSure || result.rows > 1) return { parts: result.parts, row: layout.row };
  } else if (first.isSure) throw result;
  const sure = rowAfter(text, layout.row, first.at, true);
  if (!sure) return undefined;
  const second = readFrom(text, layout, sure.address, sure.at);
  if (second instanceof DecodeError) throw second;
  return { parts: second.parts, row: layout.row };
}

interface FoundRow {
  readonly at: number;
  readonly address: string;
  /** Whether the number before the bytes can only be an address. */
  readonly isSure: boolean;
}

function rowAfter(text: string, row: RegExp, from: number, sure = false): FoundRow | undefined {
  for (const [at] of linesOf(text.slice(from))) {
    row.lastIndex = from + at;
    const found = row.exec(text);
    if (!found) continue;
    const isSure = isSureAddress(found[1]!, found[2]!);
    if (isSure || !sure) return { at: from + at, address: found[1]!, isSure };
  }
  return undefined;
}

function isSureAddress(address: string, gap: string): boolean {
  return /^0+$/.test(address) || address.length === 7 || (address.length > 7 && gap !== ' ');
}

/** Chooses the base in which each row follows the preceding one. */
function readFrom(text: string, layout: RowLayout, address: string, from: number): RowReader | DecodeError {
  let failure: DecodeError | undefined;
  for (const base of layout.bases(address)) {
    try {
      return new RowReader(text, layout, base).read(from);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      failure ??= error;
    }
  }
  return failure!;
}

/** The beginning of a part: the positions in the text and in the bytes, and the address. */
interface Part {
  readonly start: number;
  readonly from: number;
  readonly address: number;
  cutAt?: number;
}

class RowReader {
  /** The number of rows in all parts. */
  rows = 0;
  readonly #text: string;
  readonly #layout: RowLayout;
  readonly #base: number;
  readonly #bytes: ByteSink;
  readonly #starts: Part[] = [];
  #expected = -1;
  #rowLength = 0;
  #starAt = -1;
  #foldAt = -1;
  #hasEnd = false;

  constructor(text: string, layout: RowLayout, base: number) {
    this.#text = text;
    this.#layout = layout;
    this.#base = base;
    this.#bytes = new ByteSink(text.length >> 1);
  }

  get parts(): ByteString[] {
    return this.#starts.map(({ start, from, cutAt }, i) => ({
      start,
      bytes: this.#bytes.result(from, this.#starts[i + 1]?.from),
      ...(cutAt !== undefined && { cutAt }),
    }));
  }

  read(from: number): this {
    const { row } = this.#layout;
    for (const [line, end] of linesOf(this.#text.slice(from))) {
      const at = from + line;
      row.lastIndex = at;
      const found = row.exec(this.#text);
      if (found) this.#addRow(at, found[1]!, row.lastIndex, from + end);
      else this.#addOther(at, from + end);
    }
    this.#endPart();
    return this;
  }

  #addRow(at: number, address: string, from: number, end: number): void {
    const place = Number.parseInt(address.replace('`', ''), this.#base);
    if (this.rows === 0 || this.#beginsPart(place)) this.#beginPart(at, place);
    else this.#moveTo(place, at, address);
    const before = this.#bytes.length;
    this.#layout.readCells(this.#text, from, end, this.#bytes);
    this.rows++;
    this.#rowLength = this.#bytes.length - before;
    this.#expected = place + this.#rowLength;
  }

  #beginsPart(place: number): boolean {
    if (this.#hasEnd) return true;
    if (!this.#layout.isMemory) return place === this.#starts.at(-1)!.address;
    const gap = place - this.#expected;
    return gap < 0 || gap > missingRows * this.#rowLength;
  }

  #beginPart(start: number, address: number): void {
    if (this.rows > 0) this.#endPart();
    else if (this.#foldAt >= 0) throw badHex(this.#text, this.#foldAt, 'all rows', 'a fold: bytes are missing');
    this.#starts.push({ start, from: this.#bytes.length, address });
    this.#hasEnd = false;
  }

  /** After the last row of a part, repeated rows without their end and a fold mean that the rest was left out. */
  #endPart(): void {
    if (this.#starAt >= 0 || this.#foldAt >= 0) {
      this.#starts.at(-1)!.cutAt = this.#starAt >= 0 ? this.#starAt : this.#foldAt;
    }
    this.#starAt = -1;
    this.#foldAt = -1;
  }

  /** Adds a line that is not a row: `*`, a fold, the end address, or text. */
  #addOther(at: number, end: number): void {
    const text = this.#text;
    const { hasEndAddress, brokenRow, repeatedRows, name } = this.#layout;
    const sign = text[at];
    if (repeatedRows) repeatedRows.lastIndex = at;
    if (repeatedRows?.test(text) && this.rows > 0) this.#starAt = at;
    else if (sign === '*' && end - at === 1 && this.rows > 0) this.#starAt = at;
    // A fold changes nothing if the rows around it are consecutive.
    else if (/^(?:…|\.{3})(?:\s|$)/.test(text.slice(at, at + 4)) || isCutMark(text.slice(at, end))) this.#foldAt = at;
    else if (hasEndAddress && this.rows > 0 && !this.#hasEnd) {
      bareAddress.lastIndex = at;
      const address = bareAddress.exec(text)?.[1];
      if (address !== undefined) this.#end(Number.parseInt(address, this.#base), at, address);
      else this.#refuseBroken(at, brokenRow, name);
    } else if (this.rows > 0) this.#refuseBroken(at, brokenRow, name);
  }

  #refuseBroken(at: number, brokenRow: RegExp | undefined, name: string): void {
    if (!brokenRow) return;
    brokenRow.lastIndex = at;
    const token = brokenRow.exec(this.#text)?.[1];
    if (token === undefined) return;
    const digits = token.replace(/[^0-9a-f]/gi, '').length;
    if (/\d/.test(token) && digits * 4 >= token.length * 3) throw badHex(this.#text, at, `a row of ${name}`);
  }

  #end(place: number, at: number, address: string): void {
    const excess = this.#expected - place;
    if (this.#starAt < 0 && excess > 0 && excess <= (this.#layout.padding ?? 0)) {
      this.#bytes.drop(excess);
      this.#expected = place;
    }
    this.#moveTo(place, at, address);
    this.#hasEnd = true;
  }

  #moveTo(place: number, at: number, address: string): void {
    const gap = place - this.#expected;
    if (this.#starAt >= 0) this.#repeatRow(gap, at, address);
    else if (gap !== 0) throw this.#jump(gap, at, address);
    this.#starAt = -1;
    this.#foldAt = -1;
    this.#expected = place;
  }

  #repeatRow(gap: number, at: number, address: string): void {
    if (!(gap > 0) || gap % this.#rowLength !== 0) throw this.#jump(gap, at, address);
    if (this.#bytes.length + gap > maxBytes) {
      throw badHex(this.#text, at, `at most ${maxBytes} bytes`, `${gap} repeated bytes`);
    }
    this.#bytes.repeat(this.#rowLength, gap / this.#rowLength);
  }

  #jump(gap: number, at: number, address: string): DecodeError {
    const expected = this.#expected.toString(this.#base).padStart(address.length, '0');
    const what = gap > 0 ? `${gap} bytes are missing` : `${-gap} bytes too early`;
    return badHex(this.#text, at, `offset ${expected}`, `offset ${address}, ${what}`);
  }
}

/** The index of the first character from `at` on that is not blank. */
export function skipBlanks(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && isBlank(text.charCodeAt(next))) next++;
  return next;
}
