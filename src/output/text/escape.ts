import type { Content } from '../../wire/annotate/span.ts';
import { shortened } from './layout.ts';

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character by its number: `\u{1b}`. */
export const escaped = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`;

/**
 * Escapes control characters, direction marks, and characters that are invisible or unassigned: they could hide text or
 * change it.
 */
export function printable(text: string): string {
  // These classes take 0.8 ms of a start to make, so they are made when they are needed.
  const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  return text.replace(unsafe, (char) => short[char] ?? escaped(char));
}

/** Matches text without characters to escape, which is the usual case. */
const plain = /^[ -[\]-~]*$/;

/** Makes untrusted text safe to print. Backslashes in the text are escaped as well, so that escapes are unambiguous. */
export function escapeText(text: string): string {
  return plain.test(text) ? text : printable(text.replaceAll('\\', '\\\\'));
}

/**
 * The name of a file as the system writes it: a backslash is a separator on Windows, so it is escaped only beside what
 * has to be. A line that began with `::` would be a command for GitHub's runner: `./` stands before such a name.
 */
export function pathText(path: string): string {
  const safe = printable(path) === path ? path : escapeText(path);
  return safe.startsWith('::') ? `./${safe}` : safe;
}

export function quote(text: string): string {
  return `"${escapeText(text).replaceAll('"', '\\"')}"`;
}

/**
 * Returns JSON that is safe to print. It contains more escapes than JSON.stringify writes, but represents the same
 * value.
 */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** Escapes what JSON.stringify keeps although a terminal would act on it. */
export const printableJson = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (char) =>
    char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

/** The longest name, in columns; the games allow 15 bytes. */
const maxName = 24;
export const maxText = 1000;
/** The longest text among other values on a line. */
export const maxInLine = 64;

/** An untrusted name: escaped, and shortened if it is longer than names can be. */
export const nameText = (name: string): string => escapeText(shortened(name, maxName));
export const quotedName = (name: string): string => quote(shortened(name, maxName));

export const textInLine = (text: string, width = maxText): string => escapeText(shortened(text, width));
export const quotedText = (text: string, width = maxText): string => quote(shortened(text, width));

export const valueInLine = (content: Content): string =>
  typeof content === 'string' ? quotedText(content, maxInLine) : numberText(content);

/** `784`, and `[0,0,838860800,0]` of a text that can't be read as one; `…` if the bytes do not contain the value. */
export const numberText = (content: Content): string =>
  typeof content === 'object' ? `[${content.join(',')}]` : String(content ?? '…');

/**
 * A word of a command to copy. What needs quotes gets double ones where these mean the same to a POSIX shell, to cmd
 * and to PowerShell, as in "my demos\dm1.demo"; single quotes, which cmd does not know, only keep what is special in
 * double ones.
 */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const safe = printable(text);
  const isPlain = !/["$`!]|\\(?:\\|$)/.test(safe);
  return isPlain ? `"${safe}"` : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}
