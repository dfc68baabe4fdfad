import { lineEnd } from './characters.ts';
import type { TextRange } from './form.ts';

const esc = String.fromCharCode(27);
/** Escape codes for colours, cursor moves, titles and links. */
const ansi = new RegExp(`${esc}\\[[0-?]*[ -/]*[@-~]|${esc}\\][^\\u0007\\n${esc}]*(?:\\u0007|${esc}\\\\)`, 'g');

/** Markdown's `_…_` and `__…__` around hex; other marks are no part of words anyway. */
const emphasis = /(?<!\w)_{1,2}[0-9a-f]{8,}_{1,2}(?!\w)/gi;

/** Any number of `> ` marks, as in mails, chats and Markdown. */
const quoteMark = /^[ \t]*(?:>[ \t]?)+/;
/** A prompt with the command whose output follows. */
const prompt = /^[ \t]*(?:\$(?:[ \t]|\r?$)|\((?:gdb|lldb)\)).*$/;
/**
 * The date, time, level and topic at the beginning of a log line, as the games and most programs print them:
 *
 *     2026-11-20 12:00:01 I net: …      [2026-11-20 12:00:01][net]: …      [663fe6e1][net]: …      12:00:01.123 …
 */
const logPrefix =
  /^[ \t]*(?:\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?\]?|\[\d\d:\d\d:\d\d(?:[.,]\d+)?\]|\d\d:\d\d:\d\d(?:[.,]\d+)?(?=[ \t])|\[[0-9a-f]{8}\](?=\[))[ \t]*(?:\[[A-Za-z][\w./ -]{0,30}\]:?[ \t]*|[A-Z][ \t]+[\w/.-]{1,20}:[ \t]+|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b:?[ \t]*)*/;

/** Removes terminal colours, and replaces quote marks, prompts and log prefixes by blanks. */
export function cleaned(text: string): string {
  const plain = withoutColours(text)
    .replaceAll('\u00a0', ' ')
    .replace(emphasis, (found) => found.replaceAll('_', ' '))
    .replace(/^\ufeff/, ' ');
  if (!/^[ \t]*(?:>|\$|\(|\[?\d|\[[0-9a-f]{8}\])/m.test(plain)) return plain;
  const lines = plain.split('\n');
  return lines.map((line) => [quoteMark, prompt, logPrefix].reduce(blankOut, line)).join('\n');
}

const withoutColours = (text: string) => (text.includes(esc) ? text.replace(ansi, '') : text);

const blankOut = (line: string, pattern: RegExp) => line.replace(pattern, (found) => ' '.repeat(found.length));

/** The index in the original text of a character in the text without colours. */
export function originalOffset(text: string, offset: number): number {
  let original = offset;
  for (const { index, 0: colour } of text.matchAll(ansi)) {
    if (index > original) break;
    original += colour.length;
  }
  return original;
}

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
