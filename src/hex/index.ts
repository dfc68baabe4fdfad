import { DecodeError } from '../bytes/diagnostic.ts';
import { readArray } from './array.ts';
import { readDump } from './dump.ts';
import { readPlain } from './plain.ts';
import { readString } from './string.ts';
import { blankComments, type HexForm, type HexText, lineEnd } from './text.ts';

export type { HexForm, HexText } from './text.ts';

/**
 * The bytes of hex text as people paste it; undefined when the text is no hex text at all.
 * What clearly is hex text but broken is a {@link DecodeError} `bad_hex` at the offset of the character.
 */
export function readHexText(text: string): HexText | undefined {
  const paste = unwrap(text);
  try {
    return paste && readBody(paste.body);
  } catch (error) {
    if (!(error instanceof DecodeError) || !paste) throw error;
    throw new DecodeError(error.code, originalOffset(text, paste.start + error.offset), error.args);
  }
}

function readBody(body: string): HexText | undefined {
  const dump = readDump(body);
  if (dump) return dump;
  const code = blankComments(body);
  return asHex('array', readArray(code)) ?? asHex('string', readString(code)) ?? asHex('plain', readPlain(code));
}

function asHex(form: HexForm, bytes: Uint8Array | undefined): HexText | undefined {
  return bytes && { bytes, form, more: 0 };
}

interface Paste {
  readonly body: string;
  /** Where the body begins in the text without colours. */
  readonly start: number;
}

const ESC = String.fromCharCode(27);
/** Colours and cursor moves; titles and links. */
const ANSI = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)`, 'g');
const FENCE = /^(?:```|~~~)/;
/** The prompt with the command that printed the rest, or a comment. */
const PREFACE = /^(?:\$(?:\s|$)|#|\/\/)/;

/** Takes off what stands around the hex: colours, prompt lines, a code fence; undefined when nothing is left. */
function unwrap(text: string): Paste | undefined {
  const plain = (text.includes(ESC) ? text.replace(ANSI, '') : text).replaceAll('\u00a0', ' ');
  let fence: string | undefined;
  let start = plain.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (; start < plain.length; start = lineEnd(plain, start) + 1) {
    const line = firstSigns(plain, start);
    if (fence === undefined && FENCE.test(line)) fence = line;
    else if (line !== '' && !PREFACE.test(line)) break;
  }
  const end = fence === undefined ? plain.length : fenceEnd(plain, start, fence);
  return start < end ? { body: plain.slice(start, end), start } : undefined;
}

/** At most three characters: enough to tell what a line is. */
function firstSigns(text: string, start: number): string {
  const end = lineEnd(text, start);
  let at = start;
  while (at < end && (text[at] === ' ' || text[at] === '\t' || text[at] === '\r')) at++;
  return text.slice(at, Math.min(at + 3, end));
}

/** Where the line of the closing fence begins; 0 when there is other text behind it. */
function fenceEnd(text: string, start: number, fence: string): number {
  const closing = new RegExp(`\\n[ \\t]*${fence}`, 'g');
  closing.lastIndex = start;
  const close = closing.exec(text);
  if (!close) return text.length;
  return text.slice(closing.lastIndex).trim() === '' ? close.index : 0;
}

/** Where a character of the text without colours stands in the text with them. */
function originalOffset(text: string, offset: number): number {
  let original = offset;
  for (const { index, 0: colour } of text.matchAll(ANSI)) {
    if (index > original) break;
    original += colour.length;
  }
  return original;
}

const TEXT_WINDOW = 4096;

/** Whether bytes can be text at all: ASCII with line ends, tabs and terminal colours, or UTF-8. Looks at their beginning only. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, TEXT_WINDOW);
  for (let at = 0; at < end; ) {
    const length = characterLength(bytes, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** The bytes of the UTF-8 character at `at`; 0 when there is none, or one that text doesn't have. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return isTextAscii(first) ? 1 : 0;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1]!;
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isNoCharacter = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return isOverlong || isNoCharacter ? 0 : length;
}

function isTextAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b;
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `00 03 00 06` */
export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const pairs: string[] = [];
  for (let at = start; at < end; at++) pairs.push(PAIRS[bytes[at]!]!);
  return pairs.join(' ');
}

/** `00030006` */
export function hexText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return toHex(bytes, start, Math.min(end, bytes.length)).replaceAll(' ', '');
}
