import { badHex, byteLines, type Form, findPattern, type Paste, readingOfLines } from './form.ts';
import { blanked, hexDigit, isBlank, isDecimal, isSpace } from './hex-digits.ts';
import { blankComments, finalMark } from './surroundings.ts';

/**
 * Only hex digits and separators:
 *
 *     00030006    00 03 00 06    0003 0006    00:03:00:06    00+03+00+06    0 3 0 6
 */
export const plain: Form = {
  name: 'hex',
  read(paste) {
    const code = onlyBytes(paste);
    const bytes = numbered.test(code) || octalWords.test(code) ? undefined : readPlain(code, paste.isForced);
    if (!bytes) return undefined;
    return readingOfLines(code, byteLines(code, wholeBytes)) ?? { parts: [{ bytes, start: code.search(/\S/) }] };
  },
  // Pairs with blanks, pairs with one other separator, groups of four, or digits without separators; not a part of a
  // UUID or of quoted-printable. Eight digits alone are more often an address or a checksum.
  inLine: findPattern(
    /(?<![\w.-])(?:[0-9a-f]{2}(?:[ \t]{1,4}[0-9a-f]{2}){3,}|[0-9a-f]{2}(?:([:,;+-]) ?[0-9a-f]{2})(?:\1 ?[0-9a-f]{2}){4,}|[0-9a-f]{4}(?:[ \t]{1,4}[0-9a-f]{4}){2,}(?:[ \t][0-9a-f]{2})?|[0-9a-f]{9,})(?![-=]?\w)/gi,
    isEvident,
  ),
};

/** Lines of a number that is not a byte, such as that of a frame, and bytes, which are read line by line. */
const numbered = /^\s*(?:\d{1,7}[ \t]+[0-9a-f]{8,}\s*(?:\n|$))+$/i;

/** Two bytes in six octal digits, as `od -An` prints them: ` 002420 024002`. */
const octalWords = /^\s*[01][0-7]{5}(?:\s+[01][0-7]{5})+\s*$/;

/** The bytes of a row again as characters, as in `od -An -t x1z`. */
const characters = /(?<=[0-9a-f]{2}) {2,}(?:>[^\n]{1,32}<|\|[^\n]{1,32}\|)[ \t\r]*$/gim;

/** The prefix of a single number of many digits: `0x00030006`. */
const longNumber = /^(\s*)0x(?=[0-9a-f]{3,}\s*$)/i;

/** The code without characters beside the bytes, and without a mark at its end that replaces the rest. */
function onlyBytes({ text, code }: Paste): string {
  const bytes = text.replace(characters, blanked);
  const clean = (bytes === text ? code : blankComments(bytes)).replace(finalMark, blanked);
  return clean.replace(longNumber, '$1  ');
}

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

/**
 * The bytes of a text of hex digits and separators; undefined for any other text.
 * @param isForced whether letters alone are hex too
 * @throws DecodeError `bad_hex` for hex with a mistake
 */
export function readPlain(text: string, isForced = false): Uint8Array | undefined {
  const found = survey(text);
  if (!found || found.tokens === 0 || (!isForced && mayBeWords(found))) return undefined;
  if (found.typos > 0) {
    if (isForced || isClear(found)) throw badHex(text, found.typoAt, 'hex digits');
    return undefined;
  }
  const { unpairedAt, unpairedLength } = found;
  if (unpairedAt >= 0 && !isSpacedShort(found)) {
    const digits = unpairedLength > 16 ? `${unpairedLength} hex digits` : undefined;
    throw badHex(text, unpairedAt, 'an even number of hex digits', digits);
  }
  return pairsOf(text);
}

function wholeBytes(line: string): Uint8Array | undefined {
  const found = survey(line);
  return found && (found.unpairedAt < 0 || isSpacedShort(found)) ? pairsOf(line) : undefined;
}

/** The pairs of a text that contains only digits and separators; a single digit is a byte. */
function pairsOf(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length + 1) >> 1);
  let length = 0;
  let high = -1;
  for (let at = 0; at <= text.length; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit >= 0 && high < 0) high = digit;
    else if (high >= 0) {
      bytes[length++] = digit < 0 ? high : (high << 4) | digit;
      high = -1;
    }
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/** What distinguishes hex from prose and from broken hex. */
type Survey = Exclude<ReturnType<typeof survey>, undefined>;

/** Counts the tokens of a text; undefined if one of them is neither hex nor hex with a mistake. */
function survey(text: string) {
  const all = {
    tokens: 0,
    digits: 0,
    decimals: 0,
    typos: 0,
    typoAt: -1,
    /** The first of the longest tokens with an odd number of digits. */
    unpairedAt: -1,
    unpairedLength: 0,
    longest: 0,
    shortest: Number.POSITIVE_INFINITY,
    /** Whether a token of an odd number of digits has only letters. */
    hasLetterWord: false,
    /** Whether the first token is hex, apart from a mistake in a long one. */
    startsWell: false,
    /** Whether bytes below 16 are written with two digits. */
    isPadded: false,
  };
  for (let at = 0; at < text.length; ) {
    const start = at;
    let decimals = 0;
    let letters = 0;
    for (; at < text.length && !isSeparator(text, at); at++) {
      const code = text.charCodeAt(at);
      if (isDecimal(code)) decimals++;
      else if (hexDigit(code) < 0 && !isLetter(code)) return undefined;
      else if (hexDigit(code) < 0) letters++;
    }
    const length = at++ - start;
    if (length === 0) continue;
    all.tokens++;
    all.digits += length - letters;
    all.decimals += decimals;
    if (letters > 0) {
      const isTypo = length <= 2 || (letters * 4 <= length && decimals > 0);
      if (!isTypo) return undefined;
      if (all.typos++ === 0) all.typoAt = start;
      if (all.tokens === 1) all.startsWell = length >= 8;
      continue;
    }
    if (all.tokens === 1) all.startsWell = true;
    if (length === 2 && text[start] === '0') all.isPadded = true;
    all.longest = Math.max(all.longest, length);
    all.shortest = Math.min(all.shortest, length);
    if (length % 2 === 0) continue;
    if (length > 2 && decimals === 0) all.hasLetterWord = true;
    if (length > all.unpairedLength) Object.assign(all, { unpairedAt: start, unpairedLength: length });
  }
  return all;
}

/** Whether the text is certainly hex, apart from one or two mistakes. */
const isClear = ({ typos, tokens, startsWell, digits, decimals }: Survey) =>
  startsWell && (typos === 1 || typos * 8 <= tokens) && digits >= 6 && decimals > 0;

/** Whether the text may be words, such as `dead`, `add` or `a face`. `ff ff` and `deadbeef` are not. */
function mayBeWords({ decimals, hasLetterWord, digits, tokens, shortest, longest, unpairedAt }: Survey): boolean {
  if (decimals > 0) return hasLetterWord && digits < 16;
  const isPairs = tokens > 1 && shortest === 2 && longest === 2;
  return !isPairs && (unpairedAt >= 0 || shortest < 8);
}

/** Whether each token is a byte, as in `0 3 0 6`. In `00 03 0` the last byte is incomplete. */
const isSpacedShort = ({ tokens, longest, isPadded }: Survey) => tokens > 1 && longest <= 2 && !isPadded;

/**
 * Not a minus or a list's dash before a number: `-1 -2` are not the bytes 01 02; nor the colon after a label:
 * `10: 00 03`.
 */
function isSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x3a) return !(isBlank(text.charCodeAt(at + 1)) && hexDigit(text.charCodeAt(at + 2)) >= 0);
  if (code === 0x2d) return hexDigit(text.charCodeAt(at - 1)) >= 0;
  return isSpace(code) || code === 0x2c || code === 0x3b || code === 0x2b;
}

const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
