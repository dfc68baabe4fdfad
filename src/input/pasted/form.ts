import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import { type Args, attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { lineEnd, linesOf } from './hex-digits.ts';
import { maxParts, shortestPart } from './limits.ts';

/** A byte string and the index of its first character in the text. */
export interface ByteString {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** The index of a mark such as `...` that replaces the rest of the bytes. */
  readonly cutAt?: number;
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Reading {
  readonly parts: readonly ByteString[];
  /** The other reading of the same text: the end of a line may either end a byte string or only wrap it. */
  readonly other?: readonly ByteString[];
  /** Whether its lines have addresses; lines without one are not read. */
  readonly isDump?: boolean;
}

/** Pasted text in which the colours, quote marks and log prefixes around the bytes are replaced by blanks. */
export interface Paste {
  readonly text: string;
  /** The same text with `#`, `//` and block comments replaced by blanks. */
  readonly code: string;
  /** Whether letters alone are hex too; otherwise `dead` may be a word. */
  readonly isForced: boolean;
}

export interface Form {
  /** Shown after "read from" and in errors. */
  readonly name: string;
  /**
   * The byte strings; undefined if there are none, or the form is another. Throws `bad_hex` if the text has this form
   * but is broken.
   */
  read(paste: Paste): Reading | undefined;
  /** Finds the form in a line of other text, such as a chat line. */
  inLine?(line: string): readonly TextRange[];
}

export function addPart<Part>(parts: Part[], part: Part & { readonly start: number }, text: string): void {
  if (parts.length === maxParts) throw badHex(text, part.start, `at most ${maxParts} packets`, 'more');
  parts.push(part);
}

/** Finds the matches of a pattern with the flag `g` that pass a test. */
export const findPattern =
  (pattern: RegExp, isEvident: (found: string) => boolean = () => true) =>
  (line: string): TextRange[] =>
    [...line.matchAll(pattern)]
      .filter(([found]) => isEvident(found))
      .map(({ index, 0: found }) => ({ from: index, to: index + found.length }));

export function badHex(text: string, offset: number, expected: string, found = excerpt(text, offset)): DecodeError {
  return new DecodeError('bad_hex', offset, { found, expected });
}

/** Up to 16 characters of a line, for a message. */
function excerpt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  const line = text.slice(offset, Math.min(offset + 16, lineEnd(text, offset)));
  return line.trim() === '' ? 'the end of the line' : line.trim().replace(/\p{C}/gu, '?');
}

/** Runs a reader on `text.slice(offset)` or a part of it; the offsets of errors are those in the whole text. */
export function shifted<T>(offset: number, read: () => T, args: Args = {}): T {
  const result = attempt(read);
  if (!(result instanceof DecodeError)) return result;
  throw new DecodeError(result.code, offset + result.offset, { ...result.args, ...args });
}

interface ByteLine extends ByteString {
  /** Whether a blank line precedes it. */
  readonly isApart?: boolean;
}

/** The lines of a text as byte strings; undefined for a line that is none. */
export function* byteLines(
  text: string,
  bytesOf: (line: string, at: number) => Uint8Array | undefined,
): Generator<ByteLine | undefined, void> {
  let before = 0;
  for (const [start, end] of linesOf(text)) {
    const bytes = bytesOf(text.slice(start, end), start);
    const isApart = before > 0 && text.slice(before, start).split('\n', 3).length > 2;
    yield bytes && { bytes, start, isApart };
    before = end;
  }
}

/**
 * The readings of lines that each contain a byte string; undefined if one does not. The text alone does not show
 * whether the end of a line ends a packet or only wraps it: lines of equal length look wrapped, others like packets.
 */
export function readingOfLines(text: string, lines: Iterable<ByteLine | undefined>): Reading | undefined {
  const all = new AppendBuffer();
  /** The lines between blank lines. */
  const groups: ByteString[][] = [];
  const parts: ByteString[] = [];
  let start = -1;
  let isShort = false;
  for (const line of lines) {
    if (!line) return undefined;
    if (start < 0) start = line.start;
    all.bytes(line.bytes);
    isShort ||= line.bytes.length < shortestPart;
    // The lines of a short one are not kept: there may be millions.
    if (isShort) continue;
    addPart(parts, line, text);
    if (line.isApart || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(line);
  }
  const joined = [{ bytes: all.flush(), start }];
  if (isShort || parts.length < 2) return { parts: joined };
  if (groups.length > 1) {
    return { parts: groups.flatMap((group) => (looksWrapped(group) ? joinedLines(group) : group)), other: joined };
  }
  return looksWrapped(parts) ? { parts: joined, other: parts } : { parts, other: joined };
}

const joinedLines = (lines: readonly ByteString[]): ByteString[] => [
  { bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start },
];

/** Whether all lines are as long as the first, and the last is not longer. */
function looksWrapped(lines: readonly ByteString[]): boolean {
  const width = lines[0]!.bytes.length;
  return lines.every(({ bytes }, i) => bytes.length === width || (i === lines.length - 1 && bytes.length < width));
}
