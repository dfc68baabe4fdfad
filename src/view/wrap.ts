interface Word {
  readonly text: string;
  readonly style: (text: string) => string;
}

/** Words on lines of at most `width` columns, a word longer than that on a line of its own. */
export function wrap(words: readonly Word[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, style } of words) {
    const room = used === 0 ? text.length : used + 1 + text.length;
    if (used > 0 && room > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += (used > 0 ? ' ' : '') + style(text);
    used = used === 0 ? text.length : used + 1 + text.length;
  }
  if (used > 0) lines.push(line);
  return lines;
}
