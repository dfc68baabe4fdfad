import { DecodeError } from '../bytes/diagnostic.ts';
import { lineEnd } from './characters.ts';

/** A byte string and the index of its first character in the text. */
export interface ByteString {
  readonly bytes: Uint8Array;
  readonly start: number;
}

/** A stretch of a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The byte strings of a text. */
export interface Reading {
  readonly parts: readonly ByteString[];
  /** The same text read the other way, where a line's end may either end a byte string or merely wrap it. */
  readonly other?: readonly ByteString[];
}

/** Pasted text without the colours, quote marks and log prefixes around its bytes; blanks take their place. */
export interface Paste {
  readonly text: string;
  /** The same with blanks in place of `#`, `//` and block comments. */
  readonly code: string;
  /** Whether letters alone are hex, too: `dead` may be a word otherwise. */
  readonly isForced: boolean;
}

/** One way to write bytes as text. */
export interface Form {
  /** As it is shown after "read from". */
  readonly name: string;
  /** A short sample, shown where text is refused. */
  readonly example: string;
  /** A quick look: whether the text may have this form. */
  detect(paste: Paste): boolean;
  /**
   * The byte strings of the text; undefined where it turns out to be another form or no bytes at all.
   * @throws DecodeError `bad_hex` where the text has this form, but is broken
   */
  read(paste: Paste): Reading | undefined;
  /** Finds the form in a line of other text, such as a chat line. */
  inLine?(line: string): readonly TextRange[];
}

export function badHex(text: string, offset: number, expected: string, found = excerpt(text, offset)): DecodeError {
  return new DecodeError('bad_hex', offset, { found, expected });
}

/** The next 16 characters of a line, as a message can show them. */
export function excerpt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  const line = text.slice(offset, Math.min(offset + 16, lineEnd(text, offset)));
  return line.trim() === '' ? 'the end of the line' : line.trim().replace(/\p{C}/gu, '?');
}

/** Runs a reader of `text.slice(offset)` or a part of it; errors have their place in the whole text. */
export function shifted<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(error.code, offset + error.offset, error.args);
  }
}
