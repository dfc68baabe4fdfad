import { isSpace, lineEnd } from '../characters.ts';
import { type ByteString, badHex, type Form } from '../form.ts';
import { readingOfLines } from '../wrapped-lines.ts';

/** A number from -128 to 999 without leading zeros, followed by a separator. */
const list = /^[\s,;]*(?:-?(?:0|[1-9]\d{0,2})(?:[\s,;]+|$))+$/;
const sample = 4000;
/** Fewer numbers may be a version, a date or a score. */
const fewest = 4;

/**
 * Decimal numbers without brackets. At least one of them cannot be hex:
 *
 *     16 5 2 40 157      16, 5, 2, 40      16;5;2;-99
 */
export const decimals: Form = {
  name: 'decimal numbers',
  example: '16 5 2 40 157',
  detect({ code }) {
    const start = code.slice(0, sample);
    // The last number may be incomplete.
    const whole = code.length > sample ? start.replace(/\S*$/, '') : start;
    return list.test(whole) && (/\b[1-9]\d\d\b/.test(whole) || /-\d/.test(whole) || /\b\d\b *[,;]/.test(whole));
  },
  read({ code }) {
    const groups: ByteString[][] = [];
    let isApart = true;
    let hasNegative = false;
    let maximum = 0;
    let count = 0;
    for (let at = 0; at < code.length; at = lineEnd(code, at) + 1) {
      const tokens = tokensOf(code, at, lineEnd(code, at));
      if (tokens.length === 0) {
        isApart = true;
        continue;
      }
      const values = tokens.map(([start, end]) => Number(code.slice(start, end)));
      const wrong = values.findIndex((value) => !Number.isInteger(value) || value > 999 || value < -128);
      if (wrong >= 0) return undefined;
      maximum = Math.max(maximum, ...values);
      hasNegative ||= values.some((value) => value < 0);
      count += values.length;
      if (isApart) groups.push([]);
      groups.at(-1)!.push({ bytes: Uint8Array.from(values), start: tokens[0]![0] });
      isApart = false;
    }
    if (count < (hasNegative ? 2 * fewest : fewest) || (hasNegative && maximum > 127)) return undefined;
    if (maximum > 255) throw badHex(code, code.search(/2[5-9][6-9]|2[6-9]\d|[3-9]\d\d/), 'a byte, 0 to 255');
    return readingOfLines(groups);
  },
};

function tokensOf(text: string, from: number, end: number): (readonly [start: number, end: number])[] {
  const tokens: (readonly [number, number])[] = [];
  for (let at = from; at < end; ) {
    const start = at;
    while (at < end && !isBetween(text.charCodeAt(at))) at++;
    if (at > start) tokens.push([start, at]);
    while (at < end && isBetween(text.charCodeAt(at))) at++;
  }
  return tokens;
}

/** A space, comma or semicolon. */
const isBetween = (code: number) => isSpace(code) || code === 0x2c || code === 0x3b;
