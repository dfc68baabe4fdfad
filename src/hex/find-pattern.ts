import type { TextRange } from './form.ts';

/** Finds the matches of a pattern with the flag `g` that pass a test. */
export function findPattern(pattern: RegExp, isEvident: (found: string) => boolean = () => true) {
  return (line: string): TextRange[] => {
    const found: TextRange[] = [];
    for (const { index, 0: text } of line.matchAll(pattern)) {
      if (isEvident(text)) found.push({ from: index, to: index + text.length });
    }
    return found;
  };
}
