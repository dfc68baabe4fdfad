import { readPlain } from './plain.ts';
import { ByteSink, badHex, hexDigit, isDecimal, isSpace, skipSpace } from './text.ts';

/** As far as a list's bracket may be from the start of the text, or of the value that is assigned. */
const HEAD = 300;
const CODE = /^[\w\s:*<>&,;.![\]()=$]*$/;
const BYTE_TYPE = /\b(?:char|u?int8_t|u8|byte|bytes|bytearray|BYTE|Uint8Array|Uint8ClampedArray|Buffer|vec)\b/;
/** `};`, `]).pack('C*')`, and the length that `xxd -i` adds. */
const TAIL =
  /^[\])};,\s]{0,100}(?:\.pack\(["'][cC]\*["']\)|as \w+)?[\s;)]{0,100}(?:(?:static |const )*(?:unsigned (?:int|long)|size_t|int) \w+ ?= ?(\d+) ?;?)?$/;

interface List {
  readonly from: number;
  /** Whether a bracket opened it: then one has to close it. */
  readonly open: boolean;
  /** It can be nothing but bytes: what else stands in it is a mistake. */
  readonly sure: boolean;
  readonly length: number | undefined;
}

/**
 * A list of bytes as a program has it, comments blanked before:
 *
 *     0x00, 0x03,             unsigned char a[] = { 0x00, 0x03 }; unsigned int a_len = 2;
 *     [0, 3, 0, 6]            Uint8Array(4) [ 0, 3, 0, 6 ]
 *     vec![0x00, 0x03]        <Buffer 00 03 00 06>
 */
export function readArray(text: string): Uint8Array | undefined {
  const start = skipSpace(text, 0);
  if (/^0x/i.test(text.slice(start, start + 2))) {
    return readLongNumber(text, start) ?? readList(text, { from: start, open: false, sure: true, length: undefined });
  }
  const buffer = /^(?:[\w\s:]{0,80}[:=])?\s{0,80}<(?:Slow)?Buffer\b/.exec(text.slice(start, start + HEAD));
  if (buffer) return readNodeBuffer(text, start + buffer[0].length);
  const list = findList(text);
  return list && readList(text, list);
}

/** `0x00030006`: a single number of many digits. */
function readLongNumber(text: string, start: number): Uint8Array | undefined {
  const digits = text.slice(start + 2).trimEnd();
  return digits.length > 2 && /^[0-9a-f]+$/i.test(digits) ? readPlain(text.replace(/0x/i, '  ')) : undefined;
}

function readNodeBuffer(text: string, from: number): Uint8Array | undefined {
  const close = text.indexOf('>', from);
  if (close < 0) throw badHex(text, text.length, '>');
  const cut = text.indexOf('...', from);
  if (cut >= 0 && cut < close) throw badHex(text, cut, 'all the bytes');
  const rest = skipSpace(text, close + 1);
  if (!/^[\s;,)]*$/.test(text.slice(rest))) throw badHex(text, rest, 'the end of the text');
  return readPlain(' '.repeat(from) + text.slice(from, close));
}

/** The bracket that opens the list is the last one before its first comma or its end: `a = new byte[] {0, 3}`. */
function findList(text: string): List | undefined {
  const value = text.slice(0, HEAD).indexOf('=') + 1;
  const start = text.slice(value, value + HEAD).split(/[,;}]/, 1)[0]!;
  const bracket = Math.max(start.lastIndexOf('['), start.lastIndexOf('{'));
  if (bracket < 0) return undefined;
  const head = text.slice(0, value + bracket);
  const sure = BYTE_TYPE.test(head);
  const bare = /^\s*&?\s*$/.test(start.slice(0, bracket));
  const isIndex = start[bracket] === '[' && /\w$/.test(head);
  if (!CODE.test(head) || !(sure || bare) || isIndex) return undefined;
  const length = /Array\((\d{1,9})\)\s*$/.exec(head)?.[1];
  return { from: value + bracket + 1, open: true, sure, length: length === undefined ? undefined : Number(length) };
}

function readList(text: string, list: List): Uint8Array | undefined {
  const survey = surveyNumbers(text, list);
  if (!survey) return undefined;
  const base = baseOf(text, survey);
  const bytes = new ByteSink(survey.count);
  const numbers = new Numbers(text, list.from);
  while (numbers.next()) bytes.push(byteOf(text, numbers, base));
  const length = survey.length ?? list.length;
  if (length !== undefined && length !== bytes.length) {
    throw badHex(text, survey.end, `${length} bytes`, `${bytes.length} bytes`);
  }
  return bytes.result();
}

interface NumberSurvey {
  count: number;
  prefixed: boolean;
  letters: boolean;
  decimals: boolean;
  pairs: boolean;
  longest: number;
  leadingZeroAt: number;
  end: number;
  /** The number of bytes that the text tells after the list. */
  length: number | undefined;
}

/** Looks through the whole list; undefined when it is not one of bytes. */
function surveyNumbers(text: string, list: List): NumberSurvey | undefined {
  const numbers = new Numbers(text, list.from);
  const survey: NumberSurvey = {
    count: 0,
    prefixed: false,
    letters: false,
    decimals: false,
    pairs: true,
    longest: 0,
    leadingZeroAt: -1,
    end: 0,
    length: undefined,
  };
  while (numbers.next()) takeNumber(survey, text, numbers);
  survey.end = numbers.at;
  if (survey.count === 0) return undefined;
  const isSure = list.sure || survey.prefixed;
  if (!isSure && looksLikeWords(survey)) return undefined;
  const ends = numbers.closes() || (!list.open && numbers.at >= text.length);
  const tail = ends && TAIL.exec(squeeze(text.slice(numbers.at + 1)));
  if (tail) {
    survey.length = tail[1] === undefined ? undefined : Number(tail[1]);
    return survey;
  }
  if (numbers.isCut()) throw badHex(text, numbers.at, 'all the bytes');
  const isUnclosed = numbers.at >= text.length;
  if (!isSure && !isUnclosed) return undefined;
  if (numbers.closes()) throw badHex(text, skipClosers(text, numbers.at), 'the end of the text');
  throw badHex(text, numbers.at, isUnclosed ? 'a closing bracket' : 'a byte');
}

function skipClosers(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s;,)\]}]/.test(text[at]!)) at++;
  return at;
}

/** The tail, short enough for an expression; what is longer is none. */
function squeeze(tail: string): string {
  return tail
    .trim()
    .slice(0, HEAD + 1)
    .replace(/\s/g, ' ')
    .replace(/ {2,}/g, ' ');
}

function takeNumber(survey: NumberSurvey, text: string, number: Numbers): void {
  const length = number.end - number.start;
  survey.count++;
  survey.prefixed ||= number.prefixed;
  if (number.prefixed) return;
  survey.longest = Math.max(survey.longest, length);
  survey.pairs &&= length === 2;
  for (let at = number.start; at < number.end; at++) {
    if (isDecimal(text.charCodeAt(at))) survey.decimals = true;
    else survey.letters = true;
  }
  if (length > 1 && text.charCodeAt(number.start) === 0x30 && survey.leadingZeroAt < 0) {
    survey.leadingZeroAt = number.start;
  }
}

/** `[a, b]`, `[dead, add]` */
function looksLikeWords(survey: NumberSurvey): boolean {
  return survey.letters && !survey.pairs && (!survey.decimals || survey.longest > 2);
}

/** The base of the numbers that have no `0x`. */
function baseOf(text: string, survey: NumberSurvey): 10 | 16 {
  if (survey.prefixed) return 10;
  if (survey.letters) return 16;
  if (survey.leadingZeroAt < 0) return 10;
  if (survey.pairs) return 16;
  throw badHex(text, survey.leadingZeroAt, 'decimal numbers, or two hex digits for each byte');
}

function byteOf(text: string, number: Numbers, base: 10 | 16): number {
  const radix = number.prefixed ? 16 : base;
  let value = 0;
  for (let at = number.start; at < number.end && value < 256; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    // Octal in C, and a word in decimals: neither is meant as a byte here.
    if (digit >= radix || (radix === 10 && value === 0 && at > number.start)) {
      throw badHex(text, number.start, 'a byte');
    }
    value = value * radix + digit;
  }
  if (value > 255) throw badHex(text, number.start, 'a byte, 0 to 255');
  return value;
}

/** Walks over the numbers of a list: `0x00`, `155`, `9b`, `0u8`. */
class Numbers {
  start = 0;
  end = 0;
  prefixed = false;
  at: number;
  private readonly text: string;

  constructor(text: string, from: number) {
    this.text = text;
    this.at = from;
  }

  /** Moves to the next number; false before a bracket, the end, or something else. */
  next(): boolean {
    const { text } = this;
    while (isSpace(text.charCodeAt(this.at)) || text.charCodeAt(this.at) === 0x2c) this.at++;
    let at = this.at;
    this.prefixed = text.charCodeAt(at) === 0x30 && (text.charCodeAt(at + 1) | 0x20) === 0x78;
    if (this.prefixed) at += 2;
    this.start = at;
    while (hexDigit(text.charCodeAt(at)) >= 0) at++;
    this.end = at;
    if (this.start === at) return false;
    if ((text.charCodeAt(at) | 0x20) === 0x75) at += text.charCodeAt(at + 1) === 0x38 ? 2 : 1;
    if (at < text.length && !endsNumber(text.charCodeAt(at))) return false;
    this.at = at;
    return true;
  }

  closes(): boolean {
    return ']})'.includes(this.text[this.at] ?? ' ');
  }

  /** Node's `... 43 more items`. */
  isCut(): boolean {
    return /^(?:\.\.\. ?\d+ more|…)/.test(this.text.slice(this.at, this.at + 20));
  }
}

/** Space, comma, or a closing bracket. */
function endsNumber(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d || code === 0x29;
}
