import { AppendBuffer, noBytes } from '../../wire/bytes/buffers.ts';
import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { addPart, type ByteString, badHex, type Form, findPattern, shifted } from './form.ts';
import { lineEnd, skipSpace } from './hex-digits.ts';
import { readPlain } from './plain.ts';

/** The text that may precede a literal: `data = bytes.fromhex(`, `printf `, `[`. */
const headOfLiteral =
  /^(?:[\w\s:*<>&,[\]]{0,200}=)?\s{0,80}(?:echo -\w{1,3} |[\w.:!]{1,80}[ \t]{0,8}[([]{0,2}|[([]{1,2})?\s{0,80}(?:[bB]|u8|\$)?$/;
const tailOfLiteral =
  /^(?:\.b|\.encode\(["'][\w-]*["']\)|\.pack\(["'][Hh]\*["']\)|, ?["']hex["'])?[\s)\]};,]{0,100}(?:\.pack\(["'][Hh]\*["']\)|\.b)?[\s);]{0,100}$/;
/** The `b` of Python's bytes literals. */
const bytesMark = /(?:^|\W)[bB]$/;
const byteEscape = /\\[x0-7u]/;
const byteEscapes = /\\(?:x[0-9a-f]{2}|x\{[0-9a-f]{1,2}\}|[0-7]{1,3})/gi;
const hexMark = /hex|pack\(["'][Hh]/i;

/**
 * One or several string literals:
 *
 *     b'\x10\x05abc\n'     "\x10\x05"     "\020\5\2("     \x10\x05     Buffer.from('1005', 'hex')     ["1005"].pack('H*')
 *     \x10052802     %10%05ab%20     "\x{10}\x{5}"
 */
export const string: Form = {
  name: 'string',
  read({ text, code }) {
    const start = skipSpace(code, 0);
    const percents = percentEncoded.test(text) ? readPercents(text) : undefined;
    if (percents) return { parts: [percents] };
    const hex = /^\\x((?:[0-9a-f]{2}){2,})\s*$/i.exec(code.slice(start))?.[1];
    if (hex) return { parts: [{ bytes: readPlain(hex, true)!, start }] };
    if (/^\\x[0-9a-f]{2}/i.test(code.slice(start, start + 4))) return { parts: [readBare(code, start)] };
    const quote = code.slice(0, 500).search(/["']/);
    const head = code.slice(0, Math.max(quote, 0));
    if (quote < 0 || !headOfLiteral.test(head)) return undefined;
    const literals = literalsFrom(code, quote);
    const parts = literals && partsOf(code, head, literals);
    return parts && { parts };
  },
  inLine: findPattern(
    /(?<!\\)(?:b?"(?:[^"\\]|\\.)*"(?:\.\.\.)?|b?'(?:[^'\\]|\\.)*')|(?:\\x[0-9a-f]{2})+/gi,
    (found) => (found.match(byteEscapes)?.length ?? 0) >= 4,
  ),
};

/** Percent-encoding, as programs write bytes into URLs: of bytes that are no letters, digits or `-._~`. */
const percentEncoded = /^\s*%[0-9a-f]{2}(?:[\w.~+-]|%[0-9a-f]{2})*\s*$/i;

/** Undefined for a text in percent-encoding that is no bytes: a few escapes among words. */
function readPercents(text: string): ByteString | undefined {
  const bytes = new AppendBuffer();
  let escapes = 0;
  for (const [found, pair] of text.trim().matchAll(/%([0-9a-f]{2})|[^%]/gi)) {
    if (pair) escapes++;
    bytes.byte(pair ? Number.parseInt(pair, 16) : found.charCodeAt(0));
  }
  const isBytes = escapes >= 4 && escapes * 4 >= bytes.length;
  return isBytes ? { bytes: bytes.flush(), start: text.search(/\S/) } : undefined;
}

function readBare(text: string, start: number): ByteString {
  const bytes = new AppendBuffer();
  for (let at = start; at < text.length; ) {
    if (text[at] !== '\\') throw badHex(text, at, '\\x and two hex digits');
    at = skipSpace(text, readEscape(text, at, bytes));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { bytes: bytes.flush(), start };
}

/** The content of a literal, `text[start]` up to `text[end]`. */
interface Literal {
  readonly start: number;
  readonly end: number;
  /** The end of its line, if a `b` and the literal are all of it. */
  readonly isLine: boolean;
}

/**
 * The literals from a quote on, between which are blanks, line ends, `+`, a trailing backslash and a `b`. Undefined if
 * other text follows them, or if the end of the last is missing before there is an escape for a byte.
 */
function literalsFrom(text: string, first: number): Literal[] | undefined {
  const literals: Literal[] = [];
  const next = /[\s+\\]*([bB]?)(["'])/y;
  next.lastIndex = first;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const start = next.lastIndex;
    const end = literalEnd(text, start, found[2]!);
    if (end < 0) {
      const close = lineEnd(text, start);
      if (!byteEscape.test(text.slice(first, close))) return undefined;
      appendContent(text, start, close, new AppendBuffer());
      throw badHex(text, close, `a closing ${found[2]}`);
    }
    const isLine =
      /(?:^|\n)[ \t]{0,80}[bB]$/.test(text.slice(Math.max(0, start - 90), start - 1)) &&
      /^[ \t\r]*(?:\n|$)/.test(text.slice(end + 1, end + 90));
    addPart(literals, { start, end, isLine }, text);
    next.lastIndex = end + 1;
  }
  const tail = text.slice(literals.at(-1)!.end + 1).trim();
  if (tail.length < 300 && tailOfLiteral.test(tail)) return literals;
  if (byteEscape.test(text)) bytesOf(text, first, literals);
  return undefined;
}

function literalEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === quote) return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}

/** The byte strings of literals: of Python's `b'…'`, one per line, each; otherwise one of all of them. */
function partsOf(text: string, head: string, literals: readonly Literal[]): ByteString[] | undefined {
  const start = literals[0]!.start - 1;
  const isBytes = bytesMark.test(head);
  const decode = (some: readonly Literal[]) => bytesOf(text, start, some) ?? noBytes;
  if (isBytes && literals.length > 1 && head.trim().length === 1 && literals.every(({ isLine }) => isLine)) {
    return literals.map((literal) => ({ bytes: decode([literal]), start: literal.start - 2 }));
  }
  if (byteEscape.test(text)) {
    const bytes = decode(literals);
    return [{ bytes, start }];
  }
  // `b'abc'` is text as bytes, but a literal that contains only hex is read as hex, as printed by Python's hexlify.
  const meansHex = hexMark.test(head) || hexMark.test(text.slice(literals.at(-1)!.end));
  const content = literals.map((literal) => text.slice(literal.start, literal.end)).join('');
  const hex = unlessOther(
    () => shifted(start + 1, () => readPlain(content)),
    () => meansHex,
  );
  if (meansHex && !hex) throw badHex(text, start + 1, 'hex digits');
  return hex ? [{ bytes: hex, start }] : isBytes ? [{ bytes: decode(literals), start }] : undefined;
}

/** The bytes of literals. If a broken one ends before its first escape for a byte, they may belong to a program. */
const bytesOf = (text: string, start: number, literals: readonly Literal[]) =>
  unlessOther(
    () => {
      const bytes = new AppendBuffer();
      for (const literal of literals) appendContent(text, literal.start, literal.end, bytes);
      return bytes.flush();
    },
    ({ offset }) => byteEscape.test(text.slice(start, offset + 2)),
  );

/** What a reader returns; undefined if it fails although the text need not be bytes. */
function unlessOther<T>(read: () => T, isCertain: (error: DecodeError) => boolean): T | undefined {
  const result = attempt(read);
  if (!(result instanceof DecodeError)) return result;
  if (isCertain(result)) throw result;
  return undefined;
}

const namedEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
/** Characters whose escape is the character itself; `\#` is Ruby's, `\?` is C's. */
const escapedSelf = '\\\'"?#/$`';

export function appendContent(text: string, from: number, to: number, bytes: AppendBuffer): void {
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    if (code > 0x7e) throw badHex(text, at, 'ASCII, or escapes');
    if (code === 0x5c) at = readEscape(text, at, bytes);
    else {
      bytes.byte(code);
      at++;
    }
  }
}

/** Escapes with a number: its digits, their base, and the largest value. */
const numberEscapes: readonly (readonly [digits: RegExp, base: number, maximum: number])[] = [
  [/^x([0-9a-f]{2})/i, 16, 0xff],
  // Perl's.
  [/^x\{([0-9a-f]{1,2})\}/i, 16, 0xff],
  // Beyond ASCII, `\u` denotes a character, whose number of bytes is unknown.
  [/^u([0-9a-f]{4})/i, 16, 0x7f],
  // An 8 or 9 after one or two digits means that the number is decimal, as in Lua.
  [/^([0-7]{3}|[0-7]{1,2}(?![0-9]))/, 8, 0xff],
];

/** Reads `\x00`, `\0`, `\377`, `\n` or `\'` from the backslash; returns its end. */
function readEscape(text: string, at: number, bytes: AppendBuffer): number {
  const after = text.slice(at + 1, at + 6);
  for (const [digits, base, maximum] of numberEscapes) {
    const found = digits.exec(after);
    if (!found) continue;
    const value = Number.parseInt(found[1]!, base);
    if (value > maximum) throw badHex(text, at, 'a single byte');
    bytes.byte(value);
    return at + 1 + found[0].length;
  }
  const name = after.charAt(0);
  if (name === 'x' || name === 'u') throw badHex(text, at, `${name === 'x' ? 2 : 4} hex digits after \\${name}`);
  const byte = name !== '' && escapedSelf.includes(name) ? name.charCodeAt(0) : namedEscapes[name];
  if (byte === undefined) throw badHex(text, at, 'a known escape');
  bytes.byte(byte);
  return at + 2;
}
