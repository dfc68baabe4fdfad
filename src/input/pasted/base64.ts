import { ofBase64 } from '../../wire/bytes/copy.ts';
import { type ByteString, badHex, type Form, findPattern, readingOfLines } from './form.ts';
import { linesOf } from './hex-digits.ts';
import { maxParts, shortestBase64 } from './limits.ts';

const dataUrl = /^data:[\w./+-]{0,80}(?:;[\w=-]{1,80})*;base64,/;
const characters = /^[A-Za-z0-9+/]+={0,2}$|^[A-Za-z0-9_-]+={0,2}$/;
const mailWidths: ReadonlySet<number> = new Set([64, 76]);

/**
 * Base64, also its URL variant, in one line or in lines of 64 or 76 characters; data URLs, one to a line:
 *
 *     EAUCKJ3hSu2++SkT6btoiqVM9FytANBGUVGPdtmU6KoCerp83v4rre9b/h71/hU3AA==
 *     data:application/octet-stream;base64,EAUCKA==
 */
export const base64: Form = {
  name: 'base64',
  read({ text }) {
    const decoded = (strings: readonly Encoded[]) =>
      strings.map(({ start, content }) => ({ start, bytes: decode(text, start, content) }));
    const lines = linesIn(text);
    if (!lines) return undefined;
    if (lines[0]!.isUrl) return { parts: decoded(lines) };
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
  readonly isUrl?: boolean;
}

/** The lines if all of them are base64 rather than hex or words; of data URLs what they contain. */
function linesIn(text: string): Encoded[] | undefined {
  const lines: Encoded[] = [];
  for (const [start, end] of linesOf(text)) {
    const line = text.slice(start, end);
    const head = dataUrl.exec(line)?.[0].length ?? 0;
    const content = line.slice(head);
    if (!characters.test(content) || lines.length === maxParts) return undefined;
    lines.push({ start: start + head, content, isUrl: head > 0 });
  }
  const all = lines.map(({ content }) => content).join('');
  return lines[0]?.isUrl || (all.length >= shortestBase64 && isEvident(all)) ? lines : undefined;
}

/**
 * Whether a text is padded, or mixes kinds of characters in a valid length: neither a word nor a name nor hex. No word
 * has `AAA`, which zeros are.
 */
function isEvident(text: string): boolean {
  const body = text.replace(/=+$/, '');
  const isHex = /^[0-9a-f]+$/i.test(body);
  const fits = text.length % 4 === 0 || (text === body && body.length % 4 !== 1);
  const isPadded = text !== body;
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body) && /[\d+/_-]|AAA/.test(body);
  const isLong = body.length >= (/[_-]/.test(body) ? 20 : 12);
  return fits && (isPadded || (isMixed && isLong && !isHex));
}

function joinWrapped(lines: readonly Encoded[]): Encoded[] {
  const strings: { start: number; content: string }[] = [];
  let isOpen = false;
  for (const { start, content } of lines) {
    if (isOpen) strings.at(-1)!.content += content;
    else strings.push({ start, content });
    isOpen = !content.endsWith('=') && content.length >= lines[0]!.content.length;
  }
  return strings;
}

function decode(text: string, start: number, content: string): ByteString['bytes'] {
  try {
    return ofBase64(content.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw badHex(text, start, 'base64, 4 characters for 3 bytes');
  }
}
