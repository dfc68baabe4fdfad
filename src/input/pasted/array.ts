import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import { addPart, badHex, byteLines, type Form, findPattern, readingOfLines } from './form.ts';
import { blanked, lineEnd, skipSpace } from './hex-digits.ts';
import { decimalSample, fewestDecimals, fewestInts, maxBytes, maxHead, shortestInText } from './limits.ts';
import { appendContent } from './string.ts';

const headCharacters = /^[\w\s:*<>&@',;.![\]{()=$/]*$/;
const byteType =
  /\b(?:char|u?int8_t|u8|byte|bytes|bytearray|BYTE|Byte|Uint8Array|Uint8ClampedArray|Buffer|vec|u?byteArrayOf)\b/;
/** `};`, `]).pack('C*')`, and the length that `xxd -i` adds. */
const tail =
  /[\])};,\s]*(?:\.pack\(["'][cC]\*["']\)|as \w+)?[\s;)]*(?:(?:static |const )*(?:unsigned (?:int|long)|size_t|int)\s+\w+\s?=\s?\d+\s?;?)?\s*/y;

/**
 * Lists of bytes as in source code or printed by programs:
 *
 *     0x10, 0x05,             unsigned char a[] = { 0x10, 0x05 }; unsigned int a_len = 2;
 *     [16, 5, 2, 40]          Uint8Array(4) [ 16, 5, 2, 40 ]
 *     vec![0x10, 0x05]        $1 = {0x10, 0x5, 0x0 <repeats 12 times>}
 *     Array[Byte](16, 5)       struct.pack('2B', 16, 5)
 *     0x100x05                [16, 5, 2, -99]           {(byte) 0x10, 5}          <<16, 5>>
 *     [0x10_u8, 0x05_u8]      array([16, 5], dtype=uint8)
 *     {255, 'g', 'i', '\0'}    [b'\x10', b'a']
 *     [0, 1, 0, 17, 5, 784, 304]      ints, since 784 is no byte
 */
export const array: Form = {
  name: 'array',
  read(paste) {
    // A single number of many digits is hex.
    if (!/[[{]|<<|0x[0-9a-f]|\.pack\(/i.test(paste.code) || /^\s*0x[0-9a-f]{3,}\s*$/i.test(paste.code))
      return undefined;
    const code = onlyNumbers(paste.code);
    const lists: NonNullable<ReturnType<typeof readList>>[] = [];
    let isAlone = true;
    for (let at = skipSpace(code, 0); at < code.length; ) {
      const list = findList(code, at);
      const read = list && readList(code, list);
      if (read) addPart(lists, { ...read, start: at }, paste.code);
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
  /\((?:signed |unsigned )?(?:byte|char|u?int8_t|sbyte)\)|(?<=[0-9a-f] )'(?:\\[^']{1,4}|[^'\\])'|["'](?=0x[0-9a-f]{1,2}["'])|(?<=["']0x[0-9a-f]{1,2})["']|\.toU?Byte\b(?:\(\))?|, dtype=(?:np\.|numpy\.)?u?int8(?=\))|, buffer: ArrayBuffer\(\d+\)(?:, \w+: \d+)+(?=\])/gi;

/** Python's call before the bytes: a format of other sizes than bytes is none. */
const structPack = /\bstruct\.pack\(\s*["'][<>=!@]?(?:\d*[Bb])+["']\s*,/g;

/** Turns casts, quotes and other decorations of numbers into blanks. */
function onlyNumbers(code: string): string {
  const packed = code.replace(structPack, (call) => `${blanked(call.slice(1))}[`);
  const brackets = /<<\s{0,9}\d/.test(packed) ? packed.replace('<<', ' [').replace('>>', '] ') : packed;
  return /[('".=]/.test(brackets) ? brackets.replace(decorations, blanked) : brackets;
}

interface List {
  readonly from: number;
  /** Whether it has an opening bracket, so that a closing one must follow. */
  readonly isOpen: boolean;
  /** Whether it can only be bytes, so that anything else in it is an error. */
  readonly isSure: boolean;
}

/** From an opening bracket to the closing one. */
const hexList = /\s*(?:0x[0-9a-f]{1,2}[\s,]*)+[\]})]/iy;

/** The opening bracket of the list is the last one before its first comma or its end: `a = new byte[] {0, 3}`. */
function findList(text: string, at: number): List | undefined {
  if (/^0x/i.test(text.slice(at, at + 2))) return { from: at, isOpen: false, isSure: true };
  const value = text.slice(at, at + maxHead).indexOf('=') + 1;
  const start = text.slice(at + value, at + value + maxHead).split(/[,;}']/, 1)[0]!;
  const bracket = Math.max(
    start.lastIndexOf('['),
    start.lastIndexOf('{'),
    start.search(/(?<=rrayOf|\bArray(?:\[Byte\])?)\(/),
  );
  if (bracket < 0) return undefined;
  const from = at + value + bracket + 1;
  const head = text.slice(at, from - 1);
  // Of `digest = {{0x10,` the type need not be known: a line that is left out would cut the list.
  hexList.lastIndex = from;
  const isSure = byteType.test(head) || hexList.test(text);
  const isBare = /^\s*(?:[&@]|(?:np\.|numpy\.)?array\()?\s*$/.test(start.slice(0, bracket));
  const isIndex = start[bracket] === '[' && /\w$/.test(head);
  if (!headCharacters.test(head) || !(isSure || isBare) || isIndex) return undefined;
  return { from, isOpen: true, isSure };
}

function readList(text: string, list: List) {
  const found = survey(text, list.from);
  const { end } = found;
  const isSure = list.isSure || found.hasPrefix;
  if (found.count === 0) return undefined;
  if (!isSure && (mayBeWords(found) || ((found.hasNegative || found.hasCharacters) && found.count < 4)))
    return undefined;
  const isClosed = ']})'.includes(text[end] ?? ' ');
  if (!isClosed && (list.isOpen || end < text.length)) {
    // Node's `... 43 more items`.
    if (/^(?:\.\.\. ?\d+ more|…)/.test(text.slice(end, end + 20))) throw badHex(text, end, 'all the bytes');
    const isUnclosed = end >= text.length;
    if (!isSure && !isUnclosed) return undefined;
    throw badHex(text, end, isUnclosed ? 'a closing bracket' : 'a byte');
  }
  tail.lastIndex = end;
  tail.test(text);
  const base = baseOf(text, found);
  const isInts = !isSure && base === 10 && found.hasLarge && !found.hasCharacters && found.count >= fewestInts;
  const [least, most] = isInts ? [-(2 ** 31), 2 ** 31 - 1] : [-128, 255];
  const bytes = new AppendBuffer();
  for (const { at, digits, sign, isHex, isCharacter, times } of numbersFrom(text, list.from)) {
    if (isCharacter) {
      appendContent(text, at, at + digits.length, bytes);
      continue;
    }
    // In C a leading zero means octal; in decimal it means nothing.
    if (!isHex && base === 10 && !/^(?:0|[1-9]\d*)$/.test(digits)) throw badHex(text, at, 'a byte');
    const value = sign * Number.parseInt(digits, isHex ? 16 : base);
    if (value < least || value > most) throw badHex(text, at, isInts ? 'an int of 32 bits' : 'a byte, 0 to 255');
    if (bytes.length + times > maxBytes) throw badHex(text, at, `at most ${maxBytes} bytes`);
    for (let left = times; left > 0; left--) {
      bytes.byte(value & 0xff);
      for (let shift = 8; isInts && shift < 32; shift += 8) bytes.byte((value >> shift) & 0xff);
    }
  }
  return { bytes: bytes.flush(), start: list.from, end: tail.lastIndex, isSure };
}

/** One character in quotes: `'a'`, `b'\x00'`, `'\0'`, `'\''`. */
const oneCharacter = /b?'(\\(?:x[0-9a-f]{1,2}|[0-7]{1,3}|[abefnrtv\\'"?0])|[^'\\\n])'(?=[\s,\]})]|$)/iy;

/**
 * A number of a list: `0x00`, `155`, `9b`, `0u8`, `-61`, `0x0 <repeats 12 times>`; in `0xff0xaa` two without a
 * separator.
 */
const oneNumber =
  /(?<minus>-(?=\d))?(?<prefix>0x)?(?<digits>[0-9a-f]+?)(?:(?<=0x[0-9a-f]{1,9})(?=0x)|(?:[_']?u8|u)?(?= <repeats|[\s,\]})]|$)(?: <repeats (?<times>\d{1,6}) times>)?)/iy;
const separators = /[\s,]*/y;

/**
 * The numbers and characters from an offset on, each at its first digit, up to a bracket, the end, or any other text;
 * returns where they end.
 */
function* numbersFrom(text: string, from: number) {
  for (let next = from; ; ) {
    separators.lastIndex = next;
    separators.test(text);
    const from = separators.lastIndex;
    oneNumber.lastIndex = from;
    const number = oneNumber.exec(text)?.groups;
    oneCharacter.lastIndex = from;
    const character = number ? undefined : oneCharacter.exec(text)?.[1];
    if (!number && character === undefined) return from;
    next = number ? oneNumber.lastIndex : oneCharacter.lastIndex;
    const { minus = '', prefix = '', digits = character ?? '', times = '1' } = number ?? {};
    const at = number ? from + minus.length + prefix.length : next - 1 - digits.length;
    const isCharacter = number === undefined;
    yield { at, digits, sign: minus === '' ? 1 : -1, isHex: prefix !== '', isCharacter, times: Number(times) };
  }
}

/** What distinguishes lists of bytes from other lists. */
type Survey = ReturnType<typeof survey>;

function survey(text: string, from: number) {
  const all = {
    count: 0,
    end: from,
    hasPrefix: false,
    hasNegative: false,
    /** Whether a decimal number is no byte, so that all may be ints: those of a snapshot, as its memory has them. */
    hasLarge: false,
    hasCharacters: false,
    hasLetters: false,
    isAllPairs: true,
    /** The first number of several digits that begins with 0. */
    paddedAt: -1,
    /** Whether numbers without `0x` have letters, decimal digits, and more than two digits. */
    words: { hasLetters: false, hasDecimals: false, hasLong: false },
  };
  const numbers = numbersFrom(text, from);
  let next = numbers.next();
  for (; !next.done; next = numbers.next()) {
    const { at, digits, sign, isHex, isCharacter } = next.value;
    const hasLetters = /[a-f]/i.test(digits);
    all.count++;
    all.hasCharacters ||= isCharacter;
    if (isCharacter) continue;
    all.hasPrefix ||= isHex;
    all.hasNegative ||= sign === -1;
    all.hasLarge ||= sign * Number(digits) < -128 || sign * Number(digits) > 255;
    all.hasLetters ||= hasLetters;
    all.isAllPairs &&= digits.length === 2;
    if (all.paddedAt < 0 && /^0./.test(digits)) all.paddedAt = at;
    if (isHex) continue;
    all.words.hasLetters ||= hasLetters;
    all.words.hasDecimals ||= /\d/.test(digits);
    all.words.hasLong ||= digits.length > 2;
  }
  all.end = next.value;
  return all;
}

/** Whether a list may contain words, such as `[a, b]` or `[dead, add]`. */
const mayBeWords = ({ words: { hasLetters, hasDecimals, hasLong } }: Survey) => hasLetters && (!hasDecimals || hasLong);

/** The base of the numbers that have no `0x`. */
function baseOf(text: string, { hasPrefix, hasLetters, paddedAt, isAllPairs }: Survey): 10 | 16 {
  if (hasPrefix) return 10;
  if (hasLetters) return 16;
  if (paddedAt < 0) return 10;
  if (isAllPairs) return 16;
  throw badHex(text, paddedAt, 'decimal numbers, or two hex digits for each byte');
}

/** A number from -128 to 255 without leading zeros, followed by a separator. */
const decimalList = /^[\s,;]*(?:-?(?:0|[1-9]\d{0,2})(?:[\s,;]+|$))+$/;

/**
 * Decimal numbers without brackets. At least one of them cannot be hex:
 *
 *     16 5 2 40 157      16, 5, 2, 40      16;5;2;-99
 */
export const decimals: Form = {
  name: 'decimal numbers',
  read({ code }) {
    const start = code.slice(0, decimalSample);
    // The last number may be incomplete.
    const whole = code.length > decimalSample ? start.replace(/\S*$/, '') : start;
    if (!decimalList.test(whole) || whole.match(/\d+/g)!.length < fewestDecimals) return undefined;
    if (!/\b[1-9]\d\d\b|-\d|\b\d\b *[,;]/.test(whole)) return undefined;
    const bytes = new AppendBuffer();
    return readingOfLines(
      code,
      byteLines(code, (line, at) => {
        for (const { index, 0: number } of line.matchAll(/[^\s,;]+/g)) {
          const value = Number(number);
          if (!Number.isInteger(value) || value > 999) return undefined;
          if (value < -128 || value > 255) throw badHex(code, at + index, 'a byte, 0 to 255');
          bytes.byte(value & 0xff);
        }
        return bytes.flush();
      }),
    );
  },
};
