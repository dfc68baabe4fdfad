import { DecodeError } from '../../bytes/diagnostic.ts';
import { ByteSink } from '../byte-sink.ts';
import { hexDigit, isSpace, linesOf, skipSpace } from '../characters.ts';
import { findPattern } from '../find-pattern.ts';
import { type ByteString, badHex, type Form, type Reading } from '../form.ts';
import { readPlain } from './plain.ts';

const anyQuote = /["']/;
/** The text that may precede a literal: `data = bytes.fromhex(`, `printf `, `[`. */
const headOfLiteral =
  /^(?:[\w\s:*<>&,[\]]{0,200}=)?\s{0,80}(?:echo -\w{1,3} |[\w.:!]{1,80}[ \t]{0,8}[([]{0,2}|[([]{1,2})?\s{0,80}(?:[bB]|u8|\$)?$/;
const tailOfLiteral =
  /^(?:\.b|\.encode\(["'][\w-]*["']\)|\.pack\(["'][Hh]\*["']\)|, ?["']hex["'])?[\s)\]};,]{0,100}(?:\.pack\(["'][Hh]\*["']\)|\.b)?[\s);]{0,100}$/;
/** The `b` of Python's bytes literals. */
const bytesMark = /(?:^|\W)[bB]$/;
const byteEscape = /\\[x0-7u]/;
const byteEscapes = /\\(?:x[0-9a-f]{2}|[0-7]{1,3})/gi;
const hexMark = /hex|pack\(["'][Hh]/i;

const namedEscapes = new Map(
  [...'abtnvfr'].map((name, index) => [name, 7 + index]).concat([['e', 27]]) as [string, number][],
);
/** Characters whose escape is the character itself; `\#` is Ruby's, `\?` is C's. */
const escapedSelf = '\\\'"?#/$`';

/**
 * One or several string literals:
 *
 *     b'\x10\x05abc\n'     "\x10\x05"     "\020\5\2("     \x10\x05     Buffer.from('1005', 'hex')     ["1005"].pack('H*')
 *     "\016\157"     \x10052802
 */
export const string: Form = {
  name: 'string',
  example: '"\\x10\\x05\\x02("',
  detect: ({ code }) => code.includes('"') || code.includes("'") || code.includes('\\x'),
  read({ code }) {
    const start = skipSpace(code, 0);
    const hex = /^\\x((?:[0-9a-f]{2}){2,})\s*$/i.exec(code.slice(start))?.[1];
    if (hex) return { parts: [{ bytes: readPlain(hex, true)!, start }] };
    if (/^\\x[0-9a-f]{2}/i.test(code.slice(start, start + 4))) return readBare(code, start);
    const quote = code.slice(0, 500).search(anyQuote);
    const head = code.slice(0, Math.max(quote, 0));
    if (quote < 0 || !headOfLiteral.test(head)) return undefined;
    const isBytes = bytesMark.test(head);
    if (isBytes) {
      const several = readLines(code, quote);
      if (several) return { parts: several };
    }
    const bytes = byteEscape.test(code) ? readLiterals(code, quote) : readWithoutEscapes(code, quote, isBytes);
    return bytes && { parts: [{ bytes, start: quote }] };
  },
  inLine: findPattern(
    /(?<!\\)(?:b?"(?:[^"\\]|\\.)*"(?:\.\.\.)?|b?'(?:[^'\\]|\\.)*')|(?:\\x[0-9a-f]{2})+/gi,
    (found) => (found.match(byteEscapes)?.length ?? 0) >= 4,
  ),
};

/** Python's `b'…'`, one per line, as in a printed list. */
function readLines(text: string, first: number): ByteString[] | undefined {
  const parts: ByteString[] = [];
  if (text.slice(0, first).trim() !== text[first - 1]) return undefined;
  for (const [start, end] of linesOf(text)) {
    if (!/^[bB]["']/.test(text.slice(start, start + 2))) return undefined;
    const bytes = new ByteSink(end - start);
    if (readLiteral(text, start + 1, bytes) !== end) return undefined;
    parts.push({ bytes: bytes.result(), start });
  }
  return parts.length > 1 ? parts : undefined;
}

/** `\x00\x03` without quotes. */
function readBare(text: string, start: number): Reading {
  const bytes = new ByteSink(text.length >> 2);
  let at = start;
  while (at < text.length) {
    if (text[at] !== '\\') throw badHex(text, at, '\\x and two hex digits');
    at = skipSpace(text, readEscape(text, at, bytes));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { parts: [{ bytes: bytes.result(), start }] };
}

/** A literal that ends before its first escape for a byte is not bytes, but may belong to a program. */
function readLiterals(text: string, first: number): Uint8Array | undefined {
  try {
    return readEscaped(text, first);
  } catch (error) {
    if (error instanceof DecodeError && byteEscape.test(text.slice(first, error.offset + 2))) throw error;
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function readEscaped(text: string, first: number): Uint8Array | undefined {
  const bytes = new ByteSink(text.length >> 2);
  let at = first;
  for (let quote = first; quote >= 0; quote = nextLiteral(text, at)) at = readLiteral(text, quote, bytes);
  return endsAt(text, at) && bytes.length > 0 ? bytes.result() : undefined;
}

/** `b'abc'` is text as bytes, but a literal that contains only hex is read as hex, as printed by Python's hexlify. */
function readWithoutEscapes(text: string, first: number, isBytes: boolean): Uint8Array | undefined {
  const parts: string[] = [];
  let at = first;
  for (let quote = first; quote >= 0; quote = nextLiteral(text, at)) {
    const end = literalEnd(text, quote);
    if (end < 0) return undefined;
    parts.push(text.slice(quote + 1, end));
    at = end + 1;
  }
  if (!endsAt(text, at)) return undefined;
  const meansHex = hexMark.test(text.slice(0, first)) || hexMark.test(text.slice(at));
  const hex = readQuotedHex(parts.join(''), first + 1, meansHex);
  if (hex) return hex;
  if (meansHex) throw badHex(text, first + 1, 'hex digits');
  return isBytes ? readLiterals(text, first) : undefined;
}

function readQuotedHex(content: string, offset: number, meansHex: boolean): Uint8Array | undefined {
  try {
    return readPlain(content);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (meansHex) throw new DecodeError(error.code, offset + error.offset, error.args);
    return undefined;
  }
}

function literalEnd(text: string, quote: number): number {
  let at = quote + 1;
  while (text[at] === '\\' ? at + 1 < text.length : at < text.length && text[at] !== text[quote]) {
    if (text[at] === '\n') return -1;
    at += text[at] === '\\' ? 2 : 1;
  }
  return at < text.length ? at : -1;
}

/** The quote of the next literal after blanks, line ends, `+`, a trailing backslash and a `b`; -1 if there is none. */
function nextLiteral(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at)) || text[at] === '+' || text[at] === '\\') at++;
  if (text[at] === 'b' && at > from) at++;
  return anyQuote.test(text[at] ?? '') ? at : -1;
}

function endsAt(text: string, at: number): boolean {
  const tail = text.slice(at).trim();
  return tail.length < 300 && tailOfLiteral.test(tail);
}

/** The base of `\016`: octal, but decimal in Lua. A digit above 7 or a number above 377 shows it. */
function baseOfEscapes(literal: string): 8 | 10 {
  const numbers = (literal.match(/\\(?:\d{1,3}|.)/g) ?? []).map((one) => one.slice(1));
  return numbers.some((one) => /^\d+$/.test(one) && (/[89]/.test(one) || Number(one) > 377)) ? 10 : 8;
}

/** Reads from the opening quote to the end of the closing one. */
function readLiteral(text: string, quote: number, bytes: ByteSink): number {
  const close = text.charCodeAt(quote);
  const base = baseOfEscapes(text.slice(quote + 1, literalEnd(text, quote)));
  let at = quote + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === close) return at + 1;
    if (at >= text.length || code === 0x0a) throw badHex(text, at, `a closing ${text[quote]}`);
    if (code > 0x7e) throw badHex(text, at, 'ASCII, or escapes');
    if (code === 0x5c) at = readEscape(text, at, bytes, base);
    else {
      bytes.push(code);
      at++;
    }
  }
}

/** Reads `\x00`, `\0`, `\377`, `\n` or `\'` from the backslash. */
function readEscape(text: string, at: number, bytes: ByteSink, base: 8 | 10 = 8): number {
  const name = text[at + 1] ?? '';
  if (name === 'x') return readHexEscape(text, at, 2, 0xff, bytes);
  // Beyond ASCII, `\u` denotes a character, whose number of bytes is unknown.
  if (name === 'u') return readHexEscape(text, at, 4, 0x7f, bytes);
  if (name >= '0' && name <= '9') return readNumber(text, at, bytes, base);
  const byte = escapedSelf.includes(name) ? name.charCodeAt(0) : namedEscapes.get(name);
  if (name === '' || byte === undefined) throw badHex(text, at, 'a known escape');
  bytes.push(byte);
  return at + 2;
}

function readHexEscape(text: string, at: number, digits: number, maximum: number, bytes: ByteSink): number {
  const end = at + 2 + digits;
  let value = 0;
  for (let place = at + 2; place < end; place++) {
    const digit = hexDigit(text.charCodeAt(place));
    if (digit < 0) throw badHex(text, at, `${digits} hex digits after ${text.slice(at, at + 2)}`);
    value = (value << 4) | digit;
  }
  if (value > maximum) throw badHex(text, at, 'a single byte');
  bytes.push(value);
  return end;
}

function readNumber(text: string, at: number, bytes: ByteSink, base: 8 | 10): number {
  const digits = /^\d{1,3}/.exec(text.slice(at + 1, at + 4))![0];
  const octal = /^[0-7]*/.exec(digits)![0];
  const used = base === 8 ? octal : digits;
  const value = Number.parseInt(used, base);
  if (used === '') throw badHex(text, at, 'a known escape');
  if (value > 0xff) throw badHex(text, at, 'a single byte');
  bytes.push(value);
  return at + 1 + used.length;
}
