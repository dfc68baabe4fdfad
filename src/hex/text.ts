import { DecodeError } from '../bytes/diagnostic.ts';

export type HexForm = 'plain' | 'xxd' | 'hexdump' | 'tcpdump' | 'array' | 'string' | 'tw-snap';

export interface HexText {
  readonly bytes: Uint8Array;
  readonly form: HexForm;
  /** Packets of a tcpdump after the first, which were left out. */
  readonly more: number;
}

const DIGITS = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The value of a hex digit by its character code; -1 for all else, NaN (past the text's end) too. */
export function hexDigit(code: number): number {
  return code < 128 ? DIGITS[code]! : -1;
}

export function isDecimal(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Space, tab, or carriage return: blank within a line. */
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

export function badHex(text: string, offset: number, expected: string, found = glimpse(text, offset)): DecodeError {
  return new DecodeError('bad_hex', offset, { found, expected });
}

function glimpse(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  const line = text.slice(offset, Math.min(offset + 16, lineEnd(text, offset)));
  return line.trim() === '' ? 'the end of the line' : line.trim().replace(/\p{C}/gu, '?');
}

/**
 * The text with spaces for its comments, so that all else keeps its place:
 *
 *     0x00, // …      00 03 # …      0x00, /* … *\/
 */
export function blankComments(text: string): string {
  const mark = /["'#]|\/[/*]/g;
  const parts: string[] = [];
  let kept = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0] === '"' || found[0] === "'") {
      mark.lastIndex = quoteEnd(text, start);
      continue;
    }
    const end = found[0] === '/*' ? blockEnd(text, start) : lineEnd(text, start);
    parts.push(text.slice(kept, start), ' '.repeat(end - start));
    kept = end;
    mark.lastIndex = end;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}

function blockEnd(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
}

function quoteEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote || code === 0x0a) return at + 1;
    if (code === 0x5c) at++;
  }
  return text.length;
}

/** Bytes as they come in; grows where a bound isn't known before. */
export class ByteSink {
  length = 0;
  private bytes: Uint8Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  /** Appends the last `count` bytes again, `times` times. */
  repeat(count: number, times: number): void {
    const end = this.length + count * times;
    if (end > this.bytes.length) this.grow(end);
    for (let at = this.length; at < end; at += count) this.bytes.copyWithin(at, this.length - count, this.length);
    this.length = end;
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  private grow(least: number): void {
    const bytes = new Uint8Array(Math.max(least, this.bytes.length * 2));
    bytes.set(this.bytes);
    this.bytes = bytes;
  }
}
