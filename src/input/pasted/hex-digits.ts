const digits = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * The value of a hex digit by its character code; -1 for any other character and for NaN (past the end of the text).
 */
export function hexDigit(code: number): number {
  return code < 128 ? digits[code]! : -1;
}

export function isDecimal(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Space, tab or carriage return: blank within a line. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

export function isSpace(code: number): boolean {
  return isBlank(code) || code === 0x0a;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The lines of a text that are not blank, from an offset on: `[start, end]` without the blanks around them. */
export function* linesOf(text: string, from = 0): Generator<readonly [start: number, end: number]> {
  for (let at = from; at < text.length; ) {
    const next = lineEnd(text, at);
    let end = next;
    while (at < end && isBlank(text.charCodeAt(at))) at++;
    while (end > at && isBlank(text.charCodeAt(end - 1))) end--;
    if (at < end) yield [at, end];
    at = next + 1;
  }
}

/** A text of the same length with blanks in place of all but its line ends, so that offsets stay. */
export const blanked = (text: string): string => text.replace(/[^\n]/g, ' ');
