import { lineEnd } from './characters.ts';

/**
 * The text with its comments replaced by blanks, so that all offsets stay:
 *
 *     0x00, // …      00 03 # …      0x00, /* … *\/
 */
export function blankComments(text: string): string {
  const mark = /["'#]|\/[/*]/g;
  const parts: string[] = [];
  let kept = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0] === '"' || found[0] === "'") {
      mark.lastIndex = quoteEnd(text, start);
      continue;
    }
    const end = found[0] === '/*' ? blockEnd(text, start) : lineEnd(text, start);
    parts.push(text.slice(kept, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    kept = end;
    mark.lastIndex = end;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}

function blockEnd(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
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
