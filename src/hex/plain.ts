import { ByteSink, badHex, hexDigit, isBlank, isDecimal, isSpace } from './text.ts';

/**
 * Digits and separators alone, comments blanked before:
 *
 *     00030006    00 03 00 06    0003 0006    00:03:00:06    0 3 0 6
 */
export function readPlain(text: string): Uint8Array | undefined {
  const survey = new Survey();
  if (!survey.take(text) || survey.tokens === 0) return undefined;
  if (survey.typos > 0) {
    if (survey.isClear()) throw badHex(text, survey.typoAt, 'hex digits');
    return undefined;
  }
  if (survey.isWords()) return undefined;
  if (survey.oddAt >= 0 && !survey.isSpacedShort()) throw badHex(text, survey.oddAt, 'an even number of hex digits');
  return decode(text);
}

/** The pairs of a text that holds only digits and separators; a digit that stands alone is a byte. */
function decode(text: string): Uint8Array {
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

/** What the tokens of a text look like, to tell hex from prose, and broken hex from either. */
class Survey {
  tokens = 0;
  typos = 0;
  typoAt = -1;
  /** The first of the longest runs with an odd number of digits. */
  oddAt = -1;
  private oddLength = 0;
  private digits = 0;
  private decimals = 0;
  private longest = 0;
  private shortest = Number.POSITIVE_INFINITY;
  private oddWord = false;
  private startsWell = false;
  /** Whether bytes below 16 are written with two digits. */
  private padded = false;

  /** False as soon as a token is neither hex nor hex with a slip in it. */
  take(text: string): boolean {
    let at = 0;
    while (at < text.length) {
      if (isSeparator(text, at)) {
        at++;
        continue;
      }
      const start = at;
      while (at < text.length && !isSeparator(text, at)) at++;
      if (!this.takeToken(text, start, at)) return false;
    }
    return true;
  }

  private takeToken(text: string, start: number, end: number): boolean {
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
    this.digits += length - letters;
    this.decimals += decimals;
    if (letters > 0) return this.takeTypo(start, length, letters, decimals);
    if (this.tokens === 1) this.startsWell = true;
    if (length === 2 && text.charCodeAt(start) === 0x30) this.padded = true;
    this.takeRun(start, length, decimals);
    return true;
  }

  private takeTypo(start: number, length: number, letters: number, decimals: number): boolean {
    const isSlip = length <= 2 || (letters * 4 <= length && decimals > 0);
    if (!isSlip) return false;
    if (this.tokens === 1) this.startsWell = length >= 8;
    if (this.typos++ === 0) this.typoAt = start;
    return true;
  }

  private takeRun(start: number, length: number, decimals: number): void {
    this.longest = Math.max(this.longest, length);
    this.shortest = Math.min(this.shortest, length);
    if (length % 2 === 0) return;
    if (length > this.oddLength) {
      this.oddAt = start;
      this.oddLength = length;
    }
    if (length > 2 && decimals === 0) this.oddWord = true;
  }

  /** Hex beyond doubt, but for a slip or two. */
  isClear(): boolean {
    const fewTypos = this.typos === 1 || this.typos * 8 <= this.tokens;
    return this.startsWell && fewTypos && this.digits >= 6 && this.decimals > 0;
  }

  /** `dead`, `add`, `a face`: letters only may be words; `ff ff` and `deadbeef` are not. */
  isWords(): boolean {
    if (this.decimals > 0) return this.oddWord && this.digits < 16;
    const pairs = this.tokens > 1 && this.shortest === 2 && this.longest === 2;
    return !pairs && (this.oddAt >= 0 || this.shortest < 8);
  }

  /** `0 3 0 6`: each token is a byte. But in `00 03 0` half of the last one is missing. */
  isSpacedShort(): boolean {
    return this.tokens > 1 && this.longest <= 2 && !this.padded;
  }
}

/** Not a minus before a number, for `-1 -2` are not the bytes 01 02; and not the colon behind a label, as in `10: 00 03`. */
function isSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x3a) return !(isBlank(text.charCodeAt(at + 1)) && hexDigit(text.charCodeAt(at + 2)) >= 0);
  if (code === 0x2d) return hexDigit(text.charCodeAt(at - 1)) >= 0 || hexDigit(text.charCodeAt(at + 1)) < 0;
  return isSpace(code) || code === 0x2c || code === 0x3b;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
