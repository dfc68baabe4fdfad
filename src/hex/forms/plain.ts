import { ByteSink } from '../byte-sink.ts';
import { hexDigit, isBlank, isDecimal, isSpace, lineEnd } from '../characters.ts';
import { blankComments } from '../comments.ts';
import { finalMark } from '../cut-mark.ts';
import { findPattern } from '../find-pattern.ts';
import { type ByteString, badHex, type Form, type Paste } from '../form.ts';
import { readHostOrder } from '../host-order.ts';
import { readingOfLines } from '../wrapped-lines.ts';

/**
 * Only hex digits and separators:
 *
 *     00030006    00 03 00 06    0003 0006    00:03:00:06    00+03+00+06    0 3 0 6
 */
export const plain: Form = {
  name: 'hex',
  example: '10050228 or 10 05 02 28',
  detect: (paste) => {
    const { isForced } = paste;
    const code = onlyBytes(paste);
    const survey = new HexSurvey();
    return survey.add(code) && survey.tokens > 0 && (isForced || !survey.isWords());
  },
  read(paste) {
    const { isForced } = paste;
    const code = onlyBytes(paste);
    if (numbered.test(code)) return undefined;
    const bytes = readPlain(code, isForced);
    if (!bytes) return undefined;
    const hostOrder = readHostOrder(code);
    if (hostOrder) {
      const start = code.search(/\S/);
      const other = [{ bytes: hostOrder, start }];
      return { parts: [{ bytes, start }], other, otherName: 'little-endian words' };
    }
    return readingOfLines(groupsOf(code) ?? [[{ bytes, start: code.search(/\S/) }]]);
  },
  // Pairs with blanks, pairs with one other separator, groups of four, or digits without separators; not a part of a
  // UUID.
  inLine: findPattern(
    /(?<![\w.-])(?:[0-9a-f]{2}(?:[ \t]{1,4}[0-9a-f]{2}){3,}|[0-9a-f]{2}(?:([:,;+-]) ?[0-9a-f]{2})(?:\1 ?[0-9a-f]{2}){4,}|[0-9a-f]{4}(?:[ \t]{1,4}[0-9a-f]{4}){2,}(?:[ \t][0-9a-f]{2})?|[0-9a-f]{8,})(?!-?\w)/gi,
    isEvident,
  ),
};

/**
 * Lines that begin with a number that is not a byte: the number of a frame or of the line. The bytes are read from the
 * rest of each line.
 */
const numbered = /^\s*(?:\d{1,7}[ \t]+[0-9a-f]{8,}\s*(?:\n|$))+$/i;

/** The bytes of a row again as characters, as in `od -An -t x1z`. */
const characters = /(?<=[0-9a-f]{2}) {2,}(?:>[^\n]{1,32}<|\|[^\n]{1,32}\|)[ \t\r]*$/gim;

/** The code without characters beside the bytes, and without a mark at its end that replaces the rest. */
function onlyBytes({ text, code }: Paste): string {
  const bytes = text.replace(characters, blankOut);
  return (bytes === text ? code : blankComments(bytes)).replace(finalMark, blankOut);
}

const blankOut = (found: string) => found.replace(/[^\n]/g, ' ');

/** Whether a run of hex digits in a line of text is bytes rather than a number, date or word. */
function isEvident(run: string): boolean {
  const digits = run.replace(/[^0-9a-f]/gi, '');
  const hasDecimals = /\d/.test(digits);
  const isMixed = hasDecimals && /[a-f]/i.test(digits);
  if (digits.length === run.length) {
    if (digits.length % 2 !== 0) return isMixed && digits.length >= 17;
    return isMixed || digits.length >= 24 || digits[0] === '0';
  }
  return isMixed || (hasDecimals && digits.length >= 12 && /\b0/.test(run));
}

/** The bytes of each line, in groups between blank lines; undefined if a line does not contain whole bytes. */
function groupsOf(text: string): ByteString[][] | undefined {
  const groups: ByteString[][] = [];
  let isApart = true;
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    if (line.trim() === '') {
      isApart = true;
      continue;
    }
    const survey = new HexSurvey();
    if (!survey.add(line) || (survey.unpairedAt >= 0 && !survey.isSpacedShort())) return undefined;
    const start = at + line.search(/\S/);
    if (isApart) groups.push([]);
    groups.at(-1)!.push({ bytes: pairsOf(line), start });
    isApart = false;
  }
  return groups;
}

/**
 * The bytes of a text of hex digits and separators; undefined for any other text.
 * @param isForced whether letters alone are hex too
 * @throws DecodeError `bad_hex` for hex with a mistake
 */
export function readPlain(text: string, isForced = false): Uint8Array | undefined {
  const survey = new HexSurvey();
  if (!survey.add(text) || survey.tokens === 0) return undefined;
  if (survey.typos > 0) {
    if (isForced || survey.isClear()) throw badHex(text, survey.typoAt, 'hex digits');
    return undefined;
  }
  if (!isForced && survey.isWords()) return undefined;
  if (survey.unpairedAt >= 0 && !survey.isSpacedShort()) {
    const { unpairedAt, unpairedLength } = survey;
    throw badHex(
      text,
      unpairedAt,
      'an even number of hex digits',
      unpairedLength > 16 ? `${unpairedLength} hex digits` : undefined,
    );
  }
  return pairsOf(text);
}

/** The pairs of a text that contains only digits and separators; a single digit is a byte. */
function pairsOf(text: string): Uint8Array {
  const bytes = new ByteSink((text.length >> 1) + 1);
  let high = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit < 0) {
      if (high >= 0) bytes.push(high);
      high = -1;
    } else if (high < 0) {
      high = digit;
    } else {
      bytes.push((high << 4) | digit);
      high = -1;
    }
  }
  if (high >= 0) bytes.push(high);
  return bytes.result();
}

/** Statistics about the tokens of a text, to distinguish hex from prose and from broken hex. */
class HexSurvey {
  tokens = 0;
  typos = 0;
  typoAt = -1;
  /** The first of the longest runs with an odd number of digits. */
  unpairedAt = -1;
  unpairedLength = 0;
  #digits = 0;
  #decimals = 0;
  #longest = 0;
  #shortest = Number.POSITIVE_INFINITY;
  #hasLetterWord = false;
  #startsWell = false;
  /** Whether bytes below 16 are written with two digits. */
  #isPadded = false;

  /** Adds a text; returns false as soon as a token is neither hex nor hex with a mistake. */
  add(text: string): boolean {
    let at = 0;
    while (at < text.length) {
      if (isSeparator(text, at)) {
        at++;
        continue;
      }
      const start = at;
      while (at < text.length && !isSeparator(text, at)) at++;
      if (!this.#addToken(text, start, at)) return false;
    }
    return true;
  }

  #addToken(text: string, start: number, end: number): boolean {
    const length = end - start;
    let decimals = 0;
    let letters = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isDecimal(code)) decimals++;
      else if (hexDigit(code) < 0) {
        if (!isLetter(code)) return false;
        letters++;
      }
    }
    this.tokens++;
    this.#digits += length - letters;
    this.#decimals += decimals;
    if (letters > 0) return this.#addTypo(start, length, letters, decimals);
    if (this.tokens === 1) this.#startsWell = true;
    if (length === 2 && text.charCodeAt(start) === 0x30) this.#isPadded = true;
    this.#addRun(start, length, decimals);
    return true;
  }

  #addTypo(start: number, length: number, letters: number, decimals: number): boolean {
    const isTypo = length <= 2 || (letters * 4 <= length && decimals > 0);
    if (!isTypo) return false;
    if (this.tokens === 1) this.#startsWell = length >= 8;
    if (this.typos++ === 0) this.typoAt = start;
    return true;
  }

  #addRun(start: number, length: number, decimals: number): void {
    this.#longest = Math.max(this.#longest, length);
    this.#shortest = Math.min(this.#shortest, length);
    if (length % 2 === 0) return;
    if (length > this.unpairedLength) {
      this.unpairedAt = start;
      this.unpairedLength = length;
    }
    if (length > 2 && decimals === 0) this.#hasLetterWord = true;
  }

  /** Whether the text is certainly hex, apart from one or two mistakes. */
  isClear(): boolean {
    const hasFewTypos = this.typos === 1 || this.typos * 8 <= this.tokens;
    return this.#startsWell && hasFewTypos && this.#digits >= 6 && this.#decimals > 0;
  }

  /** Whether the text may be words, such as `dead`, `add` or `a face`. `ff ff` and `deadbeef` are not. */
  isWords(): boolean {
    if (this.#decimals > 0) return this.#hasLetterWord && this.#digits < 16;
    const pairs = this.tokens > 1 && this.#shortest === 2 && this.#longest === 2;
    return !pairs && (this.unpairedAt >= 0 || this.#shortest < 8);
  }

  /** Whether each token is a byte, as in `0 3 0 6`. In `00 03 0` the last byte is incomplete. */
  isSpacedShort(): boolean {
    return this.tokens > 1 && this.#longest <= 2 && !this.#isPadded;
  }
}

/**
 * Excludes a minus before a number, since `-1 -2` are not the bytes 01 02, and the colon after a label, as in `10: 00
 * 03`.
 */
function isSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x3a) return !(isBlank(text.charCodeAt(at + 1)) && hexDigit(text.charCodeAt(at + 2)) >= 0);
  if (code === 0x2d) return hexDigit(text.charCodeAt(at - 1)) >= 0 || hexDigit(text.charCodeAt(at + 1)) < 0;
  return isSpace(code) || code === 0x2c || code === 0x3b || code === 0x2b;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
