import { linesOf } from './characters.ts';
import type { Form, Stretch } from './form.ts';

/** Bytes in a text of other lines: a stretch of one line, or of lines that have nothing else. */
export interface FoundStretch extends Stretch {
  readonly form: Form;
}

interface Candidate extends FoundStretch {
  /** Whether nothing else is in the line. */
  readonly isWhole: boolean;
  readonly line: number;
}

/** Finds the bytes in chat, logs and other text line by line; neighbouring lines of bytes alone are one stretch. */
export function bytesInLines(text: string, forms: readonly Form[]): FoundStretch[] {
  const found: Candidate[] = [];
  let line = 0;
  for (const [start, end] of linesOf(text)) {
    const best = bestInLine(text.slice(start, end), start, line++, forms);
    const last = found.at(-1);
    if (!best) continue;
    if (last?.isWhole && best.isWhole && last.form === best.form && last.line === best.line - 1) {
      found[found.length - 1] = { ...best, from: last.from };
    } else found.push(best);
  }
  return found;
}

/** The longest stretch that has a form; of several forms the first. */
function bestInLine(line: string, start: number, number: number, forms: readonly Form[]): Candidate | undefined {
  for (const form of forms) {
    let best: Stretch | undefined;
    for (const one of form.inLine?.(line) ?? []) if (!best || one.to - one.from > best.to - best.from) best = one;
    if (best) {
      const isWhole = best.from === 0 && best.to === line.length;
      return { form, from: start + best.from, to: start + best.to, isWhole, line: number };
    }
  }
  return undefined;
}
