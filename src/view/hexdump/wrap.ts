import { columnsOf } from '../text/line-wrapping.ts';

interface Word {
  readonly text: string;
  readonly style: (text: string) => string;
}

/** Wraps words into lines of at most `width` columns. A longer word is broken after each `|` that joins names. */
export function wrap(words: readonly Word[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, style } of words.flatMap((word) => pieces(word, width))) {
    const columns = columnsOf(text);
    const room = used === 0 ? columns : used + 1 + columns;
    if (used > 0 && room > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += (used > 0 ? ' ' : '') + style(text);
    used = used === 0 ? columns : used + 1 + columns;
  }
  if (used > 0) lines.push(line);
  return lines;
}

/** The pieces of a long word: `flags=7 (solo|jetpack|` and `super)`. */
function pieces({ text, style }: Word, width: number): Word[] {
  if (columnsOf(text) <= width) return [{ text, style }];
  const broken: string[] = [];
  for (const part of text.match(/[^|]+\|?/g) ?? [text]) {
    const last = broken.at(-1);
    if (last !== undefined && columnsOf(last) + columnsOf(part) <= width) broken[broken.length - 1] = last + part;
    else broken.push(part);
  }
  return broken.map((piece) => ({ text: piece, style }));
}
