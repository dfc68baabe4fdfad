import { lineEnd } from './characters.ts';

/** A line in place of omitted text: `...`, `[snip]`, `(truncated)`, `-- 20 more bytes --`. */
const lineMark =
  /^[ \t]*(?:\.{3,}|…|[-=#*/<>[({][-=#*/<>[({ \t]*(?:\.{3,}|…|snip|truncated|omitted|cut|\d[\d,]* more)[^\n]{0,40}|\d[\d,]* more [^\n]{0,20})[ \t\r]*$/i;
/** Hex or a quote, and directly after it a mark in the same line. */
const inlineMark =
  /(?:(?<![\w.])(?:0x)?(?:[0-9a-f]{2})+[,;]?[ \t]{0,2}|["'])(\.{3,}|…|\[(?:\.{3}|…|snip)[^\]\n]{0,20}\])/i;
/** A mark at the end of a text, after hex. */
export const finalMark = /(?<=[0-9a-f]{2}[,;]?\s{0,3})(?:\.{3,}|…|\[(?:\.{3}|…|snip)[^\]\n]{0,20}\])\s*$/i;
const fence = /^[ \t]*(?:```|~~~)/;
/** A quick check whether a text may contain a mark. */
const anyMark = /\.{3}|…|snip|truncated|omitted|cut|more/i;

export const isCutMark = (line: string): boolean => lineMark.test(line);

/**
 * The offset of the mark that replaces the rest of a byte string which begins at `start`: the first in its lines up to a
 * blank line or the end of a code fence. Undefined if there is none. Not for dumps, which may show any characters
 * beside the bytes.
 */
export function cutMarkAfter(text: string, start: number, end: number): number | undefined {
  if (!anyMark.test(text.slice(start, end))) return undefined;
  for (let at = start; at < end; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, Math.min(lineEnd(text, at), end));
    if (at > start && (line.trim() === '' || fence.test(line))) return undefined;
    if (at > start && isCutMark(line)) return at + line.search(/\S/);
    const found = inlineMark.exec(line);
    if (found) return at + found.index + found[0].length - found[1]!.length;
  }
  return undefined;
}
