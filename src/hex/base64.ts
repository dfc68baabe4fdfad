import { ofBase64 } from '../bytes/copy.ts';
import { linesOf } from './characters.ts';
import { type ByteString, badHex, type Form, findPattern, maxParts, readingOfLines } from './form.ts';

const dataUrl = /^data:[\w./+-]{0,80}(?:;[\w=-]{1,80})*;base64,/;
const characters = /^[A-Za-z0-9+/]+={0,2}$|^[A-Za-z0-9_-]+={0,2}$/;
const shortest = 8;
const mailWidths: ReadonlySet<number> = new Set([64, 76]);

/**
 * Base64, also its URL variant, in one line or in lines of 64 or 76 characters; data URLs, one to a line:
 *
 *     EAUCKJ3hSu2++SkT6btoiqVM9FytANBGUVGPdtmU6KoCerp83v4rre9b/h71/hU3AA==
 *     data:application/octet-stream;base64,EAUCKA==
 */
export const base64: Form = {
  name: 'base64',
  detect: ({ text }) => /data:[^,\s]{0,200};base64,/.test(text) || linesIn(text) !== undefined,
  read({ text }) {
    const decoded = (strings: readonly Encoded[]) =>
      strings.map(({ start, content }) => ({ start, bytes: decode(text, start, content) }));
    const urls = dataUrlsIn(text);
    if (urls) return { parts: decoded(urls) };
    const lines = linesIn(text);
    if (!lines) return undefined;
    // Lines are wrapped if their characters are not whole bytes, or if they have the length of lines in mails.
    const isWrapped = lines
      .slice(0, -1)
      .some(({ content }) => content.length % 4 !== 0 || mailWidths.has(content.length));
    return isWrapped ? { parts: decoded(joinWrapped(lines)) } : readingOfLines(text, decoded(lines));
  },
  inLine: findPattern(
    /data:[\w./+-]{0,80};base64,[A-Za-z0-9+/_=-]+|(?<![\w./+-])[A-Za-z0-9+/]{20,}={0,2}(?![\w./+=-])/g,
    (found) => found.startsWith('data:') || (isEvident(found) && /\d/.test(found)),
  ),
};

interface Encoded {
  readonly start: number;
  readonly content: string;
}

/** What the URLs contain if all lines are data URLs. */
function dataUrlsIn(text: string): Encoded[] | undefined {
  const strings: Encoded[] = [];
  for (const [lineStart, end] of linesOf(text)) {
    const head = dataUrl.exec(text.slice(lineStart, end))?.[0];
    if (head === undefined) return undefined;
    const start = lineStart + head.length;
    const content = text.slice(start, end);
    if (!characters.test(content)) throw badHex(text, start, 'base64');
    strings.push({ start, content });
  }
  return strings;
}

/** The lines if all of them are base64 rather than hex or words. */
function linesIn(text: string): Encoded[] | undefined {
  const lines: Encoded[] = [];
  for (const [start, end] of linesOf(text)) {
    const content = text.slice(start, end);
    if (!characters.test(content)) return undefined;
    if (lines.length === maxParts) return undefined;
    lines.push({ start, content });
  }
  const all = lines.map(({ content }) => content).join('');
  return all.length >= shortest && isEvident(all) ? lines : undefined;
}

/** Whether a text is padded, or mixes kinds of characters in a valid length: neither a word nor a name nor hex. */
function isEvident(text: string): boolean {
  const body = text.replace(/=+$/, '');
  const isHex = /^[0-9a-f]+$/i.test(body);
  const fits = text.length % 4 === 0 || (text === body && body.length % 4 !== 1);
  const isPadded = text !== body;
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body) && /[\d+/_-]/.test(body);
  const isLong = body.length >= (/[_-]/.test(body) ? 20 : 12);
  return fits && (isPadded || (isMixed && isLong && !isHex));
}

/** Padding at the end of a line ends the text. */
function joinWrapped(lines: readonly Encoded[]): Encoded[] {
  const strings: { start: number; content: string }[] = [];
  let isOpen = false;
  for (const { start, content } of lines) {
    if (isOpen) strings.at(-1)!.content += content;
    else strings.push({ start, content });
    isOpen = !content.endsWith('=') && !isShorter(content, lines[0]!.content);
  }
  return strings;
}

const isShorter = (line: string, first: string) => line.length < first.length;

function decode(text: string, start: number, content: string): ByteString['bytes'] {
  try {
    return ofBase64(content.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw badHex(text, start, 'base64, 4 characters for 3 bytes');
  }
}
