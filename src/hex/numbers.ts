import { hexDigit, isDecimal, isSpace } from './characters.ts';

const repeats = / <repeats (\d{1,6}) times>/y;

/** Iterates over the numbers of a list: `0x00`, `155`, `9b`, `0u8`, `-61`, `0x0 <repeats 12 times>`, `0xff0xaa`. */
export class Numbers {
  /** The digits of the current number. */
  start = 0;
  end = 0;
  isPrefixed = false;
  isNegative = false;
  /** The number of repetitions, as gdb prints it. */
  times = 1;
  at: number;
  readonly #text: string;

  constructor(text: string, from: number) {
    this.#text = text;
    this.at = from;
  }

  /** Moves to the next number; returns false before a bracket, the end, or any other text. */
  next(): boolean {
    const text = this.#text;
    while (isSpace(text.charCodeAt(this.at)) || text.charCodeAt(this.at) === 0x2c) this.at++;
    let at = this.at;
    this.isNegative = text.charCodeAt(at) === 0x2d && isDecimal(text.charCodeAt(at + 1));
    if (this.isNegative) at++;
    this.isPrefixed = isPrefix(text, at);
    if (this.isPrefixed) at += 2;
    this.start = at;
    while (hexDigit(text.charCodeAt(at)) >= 0) at++;
    // In `0xff0xaa` the next prefix follows without a separator.
    const isJoined = this.isPrefixed && at - 1 > this.start && isPrefix(text, at - 1);
    if (isJoined) at--;
    this.end = at;
    if (this.start === at) return false;
    if (isJoined) {
      this.at = at;
      return true;
    }
    if ((text.charCodeAt(at) | 0x20) === 0x75) at += text.charCodeAt(at + 1) === 0x38 ? 2 : 1;
    if (at < text.length && !endsNumber(text.charCodeAt(at))) return false;
    this.at = at + this.#readTimes(at);
    return true;
  }

  closes(): boolean {
    return ']})'.includes(this.#text[this.at] ?? ' ');
  }

  /** Whether the list ends with Node's `... 43 more items`. */
  isCut(): boolean {
    return /^(?:\.\.\. ?\d+ more|…)/.test(this.#text.slice(this.at, this.at + 20));
  }

  #readTimes(at: number): number {
    this.times = 1;
    if (this.#text[at + 1] !== '<') return 0;
    repeats.lastIndex = at;
    const found = repeats.exec(this.#text);
    if (!found) return 0;
    this.times = Number(found[1]);
    return found[0].length;
  }
}

function isPrefix(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x30 && (text.charCodeAt(at + 1) | 0x20) === 0x78;
}

/** Space, comma, or a closing bracket. */
function endsNumber(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d || code === 0x29;
}

/** Statistics about the numbers of a list, to distinguish bytes from words and decimal from hex. */
export class NumberSurvey {
  count = 0;
  hasPrefix = false;
  hasNegative = false;
  hasLetters = false;
  hasDecimals = false;
  /** Whether all numbers without `0x` have two digits. */
  allPairs = true;
  longest = 0;
  leadingZeroAt = -1;

  add(text: string, number: Numbers): void {
    const length = number.end - number.start;
    this.count++;
    this.hasPrefix ||= number.isPrefixed;
    this.hasNegative ||= number.isNegative;
    if (number.isPrefixed) return;
    this.longest = Math.max(this.longest, length);
    this.allPairs &&= length === 2;
    for (let at = number.start; at < number.end; at++) {
      if (isDecimal(text.charCodeAt(at))) this.hasDecimals = true;
      else this.hasLetters = true;
    }
    if (length > 1 && text.charCodeAt(number.start) === 0x30 && this.leadingZeroAt < 0) {
      this.leadingZeroAt = number.start;
    }
  }

  /** Whether the list may contain words, such as `[a, b]` or `[dead, add]`. */
  looksLikeWords(): boolean {
    return this.hasLetters && !this.allPairs && (!this.hasDecimals || this.longest > 2);
  }
}
