import { linesOf } from './characters.ts';
import type { Form, TextRange } from './form.ts';

/** Bytes in a text with other lines: a range of one line, or several lines that contain nothing else. */
export interface FoundRange extends TextRange {
  readonly form: Form;
}

interface Candidate extends FoundRange {
  /** Whether the line contains nothing else. */
  readonly isWhole: boolean;
  readonly line: number;
}

/**
 * Finds the bytes in chat, logs and other text line by line. Consecutive lines that contain only bytes are one range.
 */
export function bytesInLines(text: string, forms: readonly Form[]): FoundRange[] {
  const found: Candidate[] = [];
  let number = 0;
  for (const [start, end] of linesOf(text)) {
    number++;
    for (const one of inLine(text.slice(start, end), number, forms)) {
      const moved = { ...one, from: start + one.from, to: start + one.to };
      const last = found.at(-1);
      const isContinued = last?.isWhole && one.isWhole && last.form === one.form && last.line === number - 1;
      if (isContinued) found[found.length - 1] = { ...moved, from: last.from };
      else found.push(moved);
    }
  }
  return found;
}

/** The text that may separate the byte strings of a list: `[b'\x10…', b'\x20…']`. */
const betweenStrings = /^["'`,;\s()[\]{}]*$/;

/** The longest range that has a form, in the first such form, with the further byte strings of a list. */
function inLine(line: string, number: number, forms: readonly Form[]): Candidate[] {
  for (const form of forms) {
    const found = form.inLine?.(line) ?? [];
    if (found.length === 0) continue;
    let best = 0;
    for (const [i, { from, to }] of found.entries()) if (to - from > found[best]!.to - found[best]!.from) best = i;
    const isListed = (i: number) => betweenStrings.test(line.slice(found[i - 1]!.to, found[i]!.from));
    let [first, last] = [best, best];
    while (first > 0 && isListed(first)) first--;
    while (last + 1 < found.length && isListed(last + 1)) last++;
    return found.slice(first, last + 1).map(({ from, to }) => {
      return { form, from, to, isWhole: from === 0 && to === line.length, line: number };
    });
  }
  return [];
}
