import { columnsOf } from './line-wrapping.ts';
import { asIs, type Style } from './theme.ts';

/** Text that is broken only where it has to be. */
export interface Word {
  readonly text: string;
  readonly style: Style;
}

/** Wraps words into lines of at most `width` columns. A longer word is broken after each `|` that joins names. */
export function wrap(words: readonly (Word | string)[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, style } of words.flatMap((word) =>
    pieces(typeof word === 'string' ? { text: word, style: asIs } : word, width),
  )) {
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
