import { ByteSink } from '../byte-sink.ts';
import { hexDigit, lineEnd, skipSpace } from '../characters.ts';
import { findPattern } from '../find-pattern.ts';
import { type ByteString, badHex, type Form, shifted } from '../form.ts';
import { NumberSurvey, Numbers } from '../numbers.ts';
import { readPlain } from './plain.ts';

/** The maximum distance between the start of the text, or of an assigned value, and the opening bracket of a list. */
const maxHead = 300;
/** The minimum length of a list among other text that is not marked as bytes. */
const shortestInText = 6;
const headCharacters = /^[\w\s:*<>&,;.![\]()=$/]*$/;
const byteType =
  /\b(?:char|u?int8_t|u8|byte|bytes|bytearray|BYTE|Uint8Array|Uint8ClampedArray|Buffer|vec|u?byteArrayOf)\b/;
const signedType = /\b(?:byte|char|int8_t|sbyte|byteArrayOf)\b/;
/** `};`, `]).pack('C*')`, and the length that `xxd -i` adds. */
const tail =
  /[\])};,\s]*(?:\.pack\(["'][cC]\*["']\)|as \w+)?[\s;)]*(?:(?:static |const )*(?:unsigned (?:int|long)|size_t|int)\s+\w+\s?=\s?(\d+)\s?;?)?\s*/y;

/**
 * Lists of bytes as in source code or printed by programs:
 *
 *     0x10, 0x05,             unsigned char a[] = { 0x10, 0x05 }; unsigned int a_len = 2;
 *     [16, 5, 2, 40]          Uint8Array(4) [ 16, 5, 2, 40 ]
 *     vec![0x10, 0x05]        $1 = {0x10, 0x5, 0x0 <repeats 12 times>}
 *     0x100x05                [16, 5, 2, -99]           {(byte) 0x10, 'J'}          <<16, 5>>
 */
export const array: Form = {
  name: 'array',
  example: '{0x10, 0x05} or [16, 5]',
  detect: ({ code }) => /[[{]|<<|0x[0-9a-f]/i.test(code),
  read(paste) {
    const code = onlyNumbers(paste.code);
    const lists: ReadList[] = [];
    let isAlone = true;
    for (let at = skipSpace(code, 0); at < code.length; ) {
      const list = findList(code, at);
      const read = list && readList(code, list);
      if (read) lists.push({ ...read, start: at });
      else isAlone = false;
      at = read ? read.end : skipSpace(code, lineEnd(code, at));
    }
    const parts = isAlone ? lists : lists.filter(({ isSure, bytes }) => isSure || bytes.length >= shortestInText);
    return parts.length > 0 ? { parts } : undefined;
  },
  inLine: findPattern(
    /(?:0x[0-9a-f]{1,2}(?:,[ \t]?|[ \t])?){4,}|[[{] ?(?:(?:0x[0-9a-f]{1,2}|-?\d{1,3})(?:, ?| |(?=[\]}]))){6,}[\]}]/gi,
  ),
};

/** What programs write around the numbers of a list, which does not change them. */
const decorations =
  /\((?:signed |unsigned )?(?:byte|char|u?int8_t|sbyte)\)|\.toU?Byte\(\)|(?<=[0-9a-f] )'(?:\\[^']{1,4}|[^'\\])'|["'](?=0x[0-9a-f]{1,2}["'])|(?<=["']0x[0-9a-f]{1,2})["']|, buffer: ArrayBuffer\(\d+\)(?:, \w+: \d+)+(?=\])/gi;
const aCharacter = /'([ -~])'/g;
/** What is before and after an element of a list. */
const [beforeElement, afterElement] = [/[,{[][ \n]{0,9}$/, /^[ \n]{0,9}[,}\]]/];

/** Turns casts, quotes and other decorations of numbers into blanks, and characters into their codes: `'J'` is 4a. */
function onlyNumbers(code: string): string {
  const blank = (found: string) => ' '.repeat(found.length);
  const brackets = /<<\s{0,9}\d/.test(code) ? code.replace('<<', ' [').replace('>>', '] ') : code;
  if (!/[('".]/.test(brackets)) return brackets;
  return brackets.replace(decorations, blank).replace(aCharacter, (found, char: string, at: number, all: string) => {
    const isElement =
      beforeElement.test(all.slice(Math.max(0, at - 10), at)) && afterElement.test(all.slice(at + 3, at + 13));
    return isElement ? String(char.charCodeAt(0)).padStart(3) : found;
  });
}

interface List {
  readonly from: number;
  /** Whether it has an opening bracket, so that a closing one must follow. */
  readonly isOpen: boolean;
  /** Whether it can only be bytes, so that anything else in it is an error. */
  readonly isSure: boolean;
  readonly length: number | undefined;
  /** Whether values may be from -128 to 127, as Java and C's `char` have bytes. */
  readonly mayBeSigned: boolean;
}

/** The opening bracket of the list is the last one before its first comma or its end: `a = new byte[] {0, 3}`. */
function findList(text: string, at: number): List | undefined {
  if (/^0x/i.test(text.slice(at, at + 2)))
    return { from: at, isOpen: false, isSure: true, length: undefined, mayBeSigned: false };
  const value = text.slice(at, at + maxHead).indexOf('=') + 1;
  const start = text.slice(at + value, at + value + maxHead).split(/[,;}]/, 1)[0]!;
  const bracket = Math.max(start.lastIndexOf('['), start.lastIndexOf('{'), start.search(/(?<=rrayOf)\(/));
  if (bracket < 0) return undefined;
  const head = text.slice(at, at + value + bracket);
  const isSure = byteType.test(head);
  const isBare = /^\s*&?\s*$/.test(start.slice(0, bracket));
  const isIndex = start[bracket] === '[' && /\w$/.test(head);
  if (!headCharacters.test(head) || !(isSure || isBare) || isIndex) return undefined;
  const length = /Array\((\d{1,9})\)\s*$/.exec(head)?.[1];
  const from = at + value + bracket + 1;
  return {
    from,
    isOpen: true,
    isSure,
    length: length === undefined ? undefined : Number(length),
    mayBeSigned: !isSure || signedType.test(head),
  };
}

interface ReadList extends ByteString {
  readonly isSure: boolean;
  readonly end: number;
}

function readList(text: string, list: List): ReadList | undefined {
  const long = list.isOpen ? undefined : readLongNumber(text, list.from);
  if (long) return long;
  const survey = new NumberSurvey();
  const numbers = new Numbers(text, list.from);
  while (numbers.next()) survey.add(text, numbers);
  const isSure = list.isSure || survey.hasPrefix;
  if (survey.count === 0 || (!isSure && (survey.looksLikeWords() || (survey.hasNegative && survey.count < 4)))) {
    return undefined;
  }
  const closedAt = numbers.at;
  if (!numbers.closes() && (list.isOpen || closedAt < text.length)) {
    if (numbers.isCut()) throw badHex(text, closedAt, 'all the bytes');
    const isUnclosed = closedAt >= text.length;
    if (!isSure && !isUnclosed) return undefined;
    throw badHex(text, closedAt, isUnclosed ? 'a closing bracket' : 'a byte');
  }
  tail.lastIndex = closedAt;
  const after = tail.exec(text)!;
  const bytes = bytesOf(text, list, survey);
  const length = after[1] === undefined ? list.length : Number(after[1]);
  if (length !== undefined && length !== bytes.length) {
    throw badHex(text, closedAt, `${length} bytes`, `${bytes.length} bytes`);
  }
  return { bytes, start: list.from, end: tail.lastIndex, isSure };
}

/** `0x00030006`: a single number of many digits. */
function readLongNumber(text: string, start: number): ReadList | undefined {
  const number = /([0-9a-f]{3,})\s*/iy;
  number.lastIndex = start + 2;
  const digits = number.exec(text)?.[1];
  if (digits === undefined || number.lastIndex < text.length) return undefined;
  const bytes = shifted(start + 2, () => readPlain(digits, true)!);
  return { bytes, start, end: text.length, isSure: true };
}

function bytesOf(text: string, list: List, survey: NumberSurvey): Uint8Array {
  const base = baseOf(text, survey);
  const bytes = new ByteSink(survey.count);
  const numbers = new Numbers(text, list.from);
  while (numbers.next()) {
    bytes.push(byteOf(text, numbers, base, list.mayBeSigned));
    if (numbers.times > 1) bytes.repeat(1, numbers.times - 1);
  }
  return bytes.result();
}

/** The base of the numbers that have no `0x`. */
function baseOf(text: string, survey: NumberSurvey): 10 | 16 {
  if (survey.hasPrefix) return 10;
  if (survey.hasLetters) return 16;
  if (survey.leadingZeroAt < 0) return 10;
  if (survey.allPairs) return 16;
  throw badHex(text, survey.leadingZeroAt, 'decimal numbers, or two hex digits for each byte');
}

function byteOf(text: string, number: Numbers, base: 10 | 16, mayBeSigned: boolean): number {
  const radix = number.isPrefixed ? 16 : base;
  if (number.isNegative && !mayBeSigned) throw badHex(text, number.start - 1, 'a byte');
  let value = 0;
  for (let at = number.start; at < number.end && value < 256; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    // In C a leading zero means octal; in decimal it means nothing.
    if (digit >= radix || (radix === 10 && value === 0 && at > number.start)) {
      throw badHex(text, number.start, 'a byte');
    }
    value = value * radix + digit;
  }
  if (value > (number.isNegative ? 128 : 255)) throw badHex(text, number.start, 'a byte, 0 to 255');
  return number.isNegative ? 256 - value : value;
}
