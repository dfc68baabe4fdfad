import type { TextRange } from './form.ts';
import { blanked, lineEnd } from './hex-digits.ts';

const esc = String.fromCharCode(27);
/** Escape codes for colours, cursor moves, titles and links. */
const ansi = new RegExp(`${esc}\\[[0-?]*[ -/]*[@-~]|${esc}\\][^\\u0007\\n${esc}]*(?:\\u0007|${esc}\\\\)`, 'g');

/** Any number of `> ` marks, as in mails, chats and Markdown. */
const quoteMark = /^[ \t]*(?:>[ \t]?)+/gm;
/** A prompt with the command whose output follows. */
const prompt = /^[ \t]*(?:\$(?:[ \t]|\r?$)|\((?:gdb|lldb)\)).*$/gm;
/**
 * The date, time, level and topic at the beginning of a log line, as the games and most programs print them:
 *
 *     2026-11-20 12:00:01 I net: …      [2026-11-20 12:00:01][net]: …      [663fe6e1][net]: …      12:00:01.123 …
 */
const logPrefix =
  /^[ \t]*(?:\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?\]?|\[\d\d:\d\d:\d\d(?:[.,]\d+)?\]|\d\d:\d\d:\d\d(?:[.,]\d+)?(?=[ \t])|\[[0-9a-f]{8}\](?=\[))[ \t]*(?:\[[A-Za-z][\w./ -]{0,30}\]:?[ \t]*|[A-Z][ \t]+[\w/.-]{1,20}:[ \t]+|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b:?[ \t]*)*/gm;

/**
 * Hex that games log and that is no packet: the hash of a net version, and that of a map.
 *
 *     '0.6 626fce9a778df4d4'      loading map, map=dm1 wanted sha256=5f2b… crc=f2159e6e
 *
 * Digits are looked for first: to look back from every place takes nine times as long on a log without hashes.
 */
const loggedHash =
  /(?=[0-9a-f]{8})(?:(?<=\b0\.[5-7] )[0-9a-f]{16}|(?=[0-9a-f]{64})(?<=\b(?:sha256|hash|wanted|map)\S{0,40}[ =:'"]{0,3})[0-9a-f]{64}|(?<=\bcrc[ =:'"]{1,3})[0-9a-f]{8})(?![0-9a-f])/gi;

/** Removes terminal colours, and replaces quote marks, prompts, log prefixes and hashes of a log by blanks. */
export function cleaned(text: string): string {
  const plain = withoutColours(text)
    .replaceAll('\u00a0', ' ')
    .replace(/^\ufeff/, ' ');
  if (!/^[ \t]*(?:>|\$|\(|\[?\d|\[[0-9a-f]{8}\])/m.test(plain)) return plain;
  return [quoteMark, prompt, logPrefix, loggedHash].reduce((clean, pattern) => clean.replace(pattern, blanked), plain);
}

const withoutColours = (text: string) => (text.includes(esc) ? text.replace(ansi, '') : text);

const fence = /^[ \t]*(```|~~~)/;

/** The content of Markdown's code fences; an unclosed fence extends to the end. */
export function fencedBlocks(text: string): TextRange[] {
  const blocks: TextRange[] = [];
  if (!text.includes('```') && !text.includes('~~~')) return blocks;
  let open: { readonly mark: string; readonly from: number } | undefined;
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    const mark = fence.exec(line)?.[1];
    if (!open && mark) {
      // ```10 05 02``` in one line.
      const close = line.indexOf(mark, line.indexOf(mark) + 3);
      if (close < 0) open = { mark, from: lineEnd(text, at) + 1 };
      else blocks.push({ from: at + line.indexOf(mark) + 3, to: at + close });
    } else if (open && mark === open.mark) {
      blocks.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  if (open && open.from < text.length) blocks.push({ from: open.from, to: text.length });
  return blocks;
}

/**
 * The text with its comments replaced by blanks, so that all offsets stay:
 *
 *     0x00, // …      00 03 # …      0x00, /* … *\/
 */
export function blankComments(text: string): string {
  const mark = /["'#]|\/[/*]/g;
  const done: string[] = [];
  const parts: string[] = [];
  let kept = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0] === '"' || found[0] === "'") {
      mark.lastIndex = quoteEnd(text, start);
      continue;
    }
    const close = found[0] === '/*' ? text.indexOf('*/', start + 2) + 2 : lineEnd(text, start);
    const end = close < 2 ? text.length : close;
    parts.push(text.slice(kept, start), blanked(text.slice(start, end)));
    // Many short parts take much more memory than their text.
    if (parts.length > 10_000) done.push(parts.splice(0).join(''));
    kept = end;
    mark.lastIndex = end;
  }
  if (kept === 0) return text;
  return [...done, ...parts, text.slice(kept)].join('');
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

/** A line in place of omitted text: `...`, `[snip]`, `(truncated)`, `-- 20 more bytes --`. */
const lineMark =
  /^[ \t]*(?:\.{3,}|…|[-=#*/<>[({][-=#*/<>[({ \t]*(?:\.{3,}|…|snip|truncated|omitted|cut|\d[\d,]* more)[^\n]{0,40}|\d[\d,]* more [^\n]{0,20})[ \t\r]*$/i;
/** Hex or a quote, and directly after it a mark in the same line. */
const inlineMark =
  /(?:(?<![\w.])(?:0x)?(?:[0-9a-f]{2})+[,;]?[ \t]{0,2}|["'])(\.{3,}|…|\[(?:\.{3}|…|snip)[^\]\n]{0,20}\])/i;
/** A mark at the end of a text, after hex. */
export const finalMark = /(?<=[0-9a-f]{2}[,;]?\s{0,3})(?:\.{3,}|…|\[(?:\.{3}|…|snip)[^\]\n]{0,20}\])\s*$/i;
const anyMark = /\.{3}|…|snip|truncated|omitted|cut|more/i;

export const isCutMark = (line: string): boolean => lineMark.test(line);

/**
 * The offset of the mark that replaces the rest of a byte string which begins at `start`: the first in its lines up to
 * a blank line or the end of a code fence. Undefined if there is none. Not for dumps, which may show any characters
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
