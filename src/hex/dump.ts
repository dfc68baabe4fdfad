import { DecodeError } from '../bytes/diagnostic.ts';
import { ByteSink, badHex, type HexForm, type HexText, hexDigit, isBlank, lineEnd } from './text.ts';

interface Shape {
  readonly form: HexForm;
  /** From a line's start to its first byte, where `lastIndex` is then; the groups are the offset and what parts it from the bytes. */
  readonly row: RegExp;
  /** Two spaces end the bytes, for the text behind them may look like more; elsewhere a sign does: `|` or `>`. */
  readonly gapEnds: boolean;
  readonly radixes: readonly number[];
  /** Lines that are no rows mean nothing. */
  readonly hasProse: boolean;
  /** An offset of 0 begins a further packet. */
  readonly hasPackets: boolean;
}

/**
 *     12:00:00.000000 IP 127.0.0.1.8303 > 127.0.0.1.40012: UDP, length 43
 *     	0x0000:  4500 0047 0000 4000  E..G..@.
 */
const TCPDUMP: Shape = {
  form: 'tcpdump',
  row: /[ \t]*0x([0-9a-f]{4,8})(:[ \t]+)(?=\S)/iy,
  gapEnds: true,
  radixes: [16],
  hasProse: true,
  hasPackets: true,
};

/**
 *     00000000: 0003 0006 0000 0100  ........
 *
 * `xxd -e` looks the same with its groups turned round, and can't be told apart.
 */
const XXD: Shape = {
  form: 'xxd',
  row: /[ \t]*([0-9a-f]{4,12})(:[ \t]+)(?=[0-9a-f]{2,}(?:\s|$))/iy,
  gapEnds: true,
  radixes: [16, 10],
  hasProse: false,
  hasPackets: false,
};

/**
 *     00000000  00 03 00 06 00 00 01 00  00 00 0a 00 9b 13 90 0c  |................|
 *     000000 00 03 00 06 00 00 01 00 00 00 0a 00 9b 13 90 0c  >................<      od -A x -t x1z
 */
const HEXDUMP: Shape = {
  form: 'hexdump',
  row: /[ \t]*([0-9a-f]{6,12})([ \t]+)(?=[0-9a-f]{2}(?:\s|$))/iy,
  gapEnds: false,
  radixes: [16],
  hasProse: false,
  hasPackets: false,
};

/**
 *      file  unpacked
 *       0.0  0000  00 03 00 06  ....  removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data
 *
 * Wireshark's `0000   45 00 00 47  E..G` is read on the way.
 */
const TW_SNAP: Shape = {
  form: 'tw-snap',
  row: /[ \t]*(?:[\d,]{1,12}\.\d[ \t]+)?([0-9a-f]{4,8})( {2,}|\t)(?=[0-9a-f]{2}(?:\s|$))/iy,
  gapEnds: true,
  radixes: [16],
  hasProse: true,
  hasPackets: false,
};

/**
 * Plain `hexdump` and `od` print words in the byte order of the machine they ran on, which the text doesn't tell: refused.
 *
 *     0000000 0300 0600
 */
const WORDS = /[ \t]*(?:[0-9a-f]{7}|0{6})[ \t]+[0-9a-f]{3,16}(?:\s|$)/iy;
/** Seven digits are od's, octal unless it was asked for decimal ones. */
const OD_RADIXES = [8, 10];
const BARE_OFFSET = /[ \t]*([0-9a-f]{6,12})[ \t\r]*(?=\n|$)/iy;
/** The lines with text that may stand above the first row: enough for a header, too few for an article with a dump in it. */
const HEADER_LINES = 4;
/** `*` can ask for any number of bytes. */
const MOST_BYTES = 1 << 26;

/** A dump in rows that begin with an offset; undefined when the text is none. */
export function readDump(text: string): HexText | undefined {
  return (
    readShape(text, TCPDUMP, HEADER_LINES) ??
    readShape(text, XXD, 0) ??
    readShape(text, HEXDUMP, 0) ??
    refuseWords(text) ??
    readShape(text, TW_SNAP, HEADER_LINES)
  );
}

function refuseWords(text: string): undefined {
  WORDS.lastIndex = 0;
  if (WORDS.test(text)) throw badHex(text, 0, 'single bytes, as of hexdump -C or xxd', 'words of unknown byte order');
}

function readShape(text: string, shape: Shape, header: number): HexText | undefined {
  const first = findRow(text, shape.row, header);
  if (!first) return undefined;
  const isSure = isSureOffset(first[1]!, first[2]!);
  const result = tryRadixes(text, shape, shape === HEXDUMP && first[1]!.length === 7 ? OD_RADIXES : shape.radixes);
  if (result instanceof DecodeError) {
    if (isSure) throw result;
    return undefined;
  }
  return isSure || result.rows > 1 ? result.hex : undefined;
}

function findRow(text: string, row: RegExp, header: number): RegExpExecArray | undefined {
  let lines = 0;
  for (let at = 0; at < text.length && lines <= header; ) {
    row.lastIndex = at;
    const found = row.exec(text);
    if (found) return found;
    const end = lineEnd(text, at);
    while (at < end && isBlank(text.charCodeAt(at))) at++;
    if (at < end) lines++;
    at = end + 1;
  }
  return undefined;
}

/** Whether a number before bytes must be an offset; else the next row has to follow on it. `1984: 22 people` does not. */
function isSureOffset(offset: string, gap: string): boolean {
  return /^0+$/.test(offset) || offset.length === 7 || (offset.length > 7 && gap !== ' ');
}

/** Offsets are hex mostly, but decimal with `xxd -d`: what counts is the base in which the rows follow on each other. */
function tryRadixes(text: string, shape: Shape, radixes: readonly number[]): Dump | DecodeError {
  let failure: DecodeError | undefined;
  for (const radix of radixes) {
    try {
      const dump = new Dump(text, shape, radix);
      dump.read();
      return dump;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      failure ??= error;
    }
  }
  return failure!;
}

class Dump {
  rows = 0;
  private readonly text: string;
  private readonly shape: Shape;
  private readonly radix: number;
  private readonly bytes: ByteSink;
  private further = 0;
  private expected = -1;
  private rowLength = 0;
  private starAt = -1;
  private foldAt = -1;

  constructor(text: string, shape: Shape, radix: number) {
    this.text = text;
    this.shape = shape;
    this.radix = radix;
    this.bytes = new ByteSink(text.length >> 1);
  }

  get hex(): HexText {
    return { bytes: this.bytes.result(), form: this.shape.form, more: this.further };
  }

  read(): void {
    const { text } = this;
    for (let at = 0; at < text.length; ) {
      const end = lineEnd(text, at);
      this.takeLine(at, end);
      at = end + 1;
    }
    if (this.starAt >= 0) throw badHex(text, this.starAt, 'the offset where the repeated rows end', '*');
    if (this.foldAt >= 0) throw badHex(text, this.foldAt, 'all rows', 'a fold: bytes are missing');
  }

  private takeLine(at: number, end: number): void {
    let start = at;
    while (start < end && isBlank(this.text.charCodeAt(start))) start++;
    if (start === end) return;
    const { row } = this.shape;
    row.lastIndex = at;
    const found = row.exec(this.text);
    if (found) this.takeRow(start, found[1]!, row.lastIndex, end);
    else if (this.shape.hasProse) this.takeProse(start);
    else this.takeMark(start, end);
  }

  private takeRow(at: number, offset: string, from: number, end: number): void {
    const place = Number.parseInt(offset, this.radix);
    if (this.shape.hasPackets && this.rows > 0 && place === 0) this.further++;
    if (this.further > 0) return;
    this.moveTo(place, at, offset);
    const before = this.bytes.length;
    this.readBytes(from, end);
    this.rows++;
    this.rowLength = this.bytes.length - before;
    this.expected = place + this.rowLength;
  }

  /** A fold is harmless when the rows around it follow on each other. */
  private takeProse(at: number): void {
    if (this.text[at] === '…' || this.text.startsWith('...', at)) this.foldAt = at;
  }

  /** What may stand between the rows of xxd and hexdump: `*`, the last offset, a comment, the next prompt. */
  private takeMark(at: number, end: number): void {
    const { text } = this;
    const line = text.slice(at, Math.min(end, at + 3)).trimEnd();
    if (line === '*' && this.rows > 0) {
      this.starAt = at;
      return;
    }
    if (line.startsWith('#') || line.startsWith('//') || /^\$(?:\s|$)/.test(line)) return;
    BARE_OFFSET.lastIndex = at;
    const offset = this.rows > 0 ? BARE_OFFSET.exec(text)?.[1] : undefined;
    if (offset === undefined) throw badHex(text, at, `a row of ${this.shape.form}`);
    this.moveTo(Number.parseInt(offset, this.radix), at, offset);
  }

  private moveTo(place: number, at: number, offset: string): void {
    if (this.rows === 0) {
      if (this.foldAt >= 0) throw badHex(this.text, this.foldAt, 'all rows', 'a fold: bytes are missing');
      return;
    }
    const gap = place - this.expected;
    if (this.starAt >= 0) this.repeatRow(gap, at, offset);
    else if (gap !== 0) throw this.jump(gap, at, offset);
    this.starAt = -1;
    this.foldAt = -1;
    this.expected = place;
  }

  private repeatRow(gap: number, at: number, offset: string): void {
    if (!(gap > 0) || gap % this.rowLength !== 0) throw this.jump(gap, at, offset);
    if (this.bytes.length + gap > MOST_BYTES) {
      throw badHex(this.text, at, `at most ${MOST_BYTES} bytes`, `${gap} repeated bytes`);
    }
    this.bytes.repeat(this.rowLength, gap / this.rowLength);
  }

  private jump(gap: number, at: number, offset: string): DecodeError {
    const expected = this.expected.toString(this.radix).padStart(offset.length, '0');
    const what = gap > 0 ? `${gap} bytes are missing` : `${-gap} bytes too early`;
    return badHex(this.text, at, `offset ${expected}`, `offset ${offset}, ${what}`);
  }

  private readBytes(from: number, end: number): void {
    const { text } = this;
    let at = from;
    while (at < end) {
      const start = at;
      while (at < end && hexDigit(text.charCodeAt(at)) >= 0) at++;
      this.takeRun(start, at);
      const gap = at;
      while (at < end && isBlank(text.charCodeAt(at))) at++;
      if (at === end || this.endsBytes(gap, at)) return;
      if (at === gap) throw badHex(text, start, 'hex digits');
    }
  }

  /** Bytes are pairs; only xxd and tcpdump group them. */
  private takeRun(start: number, end: number): void {
    const { text } = this;
    const length = end - start;
    const groups = this.shape === XXD || this.shape === TCPDUMP;
    if (length === 0) throw badHex(text, start, 'hex digits');
    if (length % 2 !== 0 || (length > 2 && !groups)) {
      throw badHex(text, start, groups ? 'an even number of hex digits' : 'two hex digits for each byte');
    }
    for (let at = start; at < end; at += 2) {
      this.bytes.push((hexDigit(text.charCodeAt(at)) << 4) | hexDigit(text.charCodeAt(at + 1)));
    }
  }

  private endsBytes(gap: number, at: number): boolean {
    const { text } = this;
    const isWide = at - gap > 1 || text.charCodeAt(gap) === 0x09;
    if (this.shape.gapEnds && isWide) return true;
    const sign = text[at]!;
    if (sign === '#' || text.startsWith('//', at)) return true;
    return !this.shape.gapEnds && (sign === '|' || sign === '>');
  }
}
