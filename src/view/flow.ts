type Style = (text: string) => string;

/** Text of one style; blanks in it are where a line may break. */
export interface Segment {
  readonly text: string;
  readonly style: Style;
}

/** A run without blanks, of one style or more. */
interface Word {
  readonly parts: readonly Segment[];
  readonly width: number;
}

/**
 * Styled text on lines of at most `width` columns, those after the first shorter by `hang`; a word longer than a line is cut.
 */
export function flow(segments: readonly Segment[], width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  for (const word of wordsOf(segments).flatMap((one) => cut(one, width - hang))) {
    if (line !== undefined && used + 1 + word.width > (lines.length === 0 ? width : width - hang)) {
      lines.push(line.trimEnd());
      line = undefined;
    }
    const text = word.parts.map(({ text, style }) => style(text)).join('');
    used = line === undefined ? word.width : used + 1 + word.width;
    line = line === undefined ? text : `${line} ${text}`;
  }
  if (line !== undefined) lines.push(line.trimEnd());
  return lines;
}

/** Columns that a terminal takes for a text. */
export function columnsOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOfChar(char);
  return width;
}

/** Text of at most so many columns, the rest as `…`. */
export function shortened(text: string, width: number): string {
  if (text.length <= width && columnsOf(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const char of text) {
    used += columnsOfChar(char);
    if (used > width) break;
    kept += char;
  }
  return `${kept}…`;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

function columnsOfChar(char: string): number {
  if (char < '\u0300') return 1;
  if (/\p{M}/u.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}

function wordsOf(segments: readonly Segment[]): Word[] {
  const words: Segment[][] = [[]];
  for (const { text, style } of segments) {
    for (const [i, part] of text.split(' ').entries()) {
      if (i > 0) words.push([]);
      if (part !== '') words.at(-1)!.push({ text: part, style });
    }
  }
  return words.map(wordOf);
}

function wordOf(parts: readonly Segment[]): Word {
  return { parts, width: parts.reduce((sum, { text }) => sum + columnsOf(text), 0) };
}

function cut(word: Word, width: number): Word[] {
  if (word.width <= width) return [word];
  const pieces: Segment[][] = [[]];
  let used = 0;
  for (const { text, style } of word.parts) {
    for (const char of text) {
      const columns = columnsOfChar(char);
      if (used > 0 && used + columns > width) {
        pieces.push([]);
        used = 0;
      }
      used += columns;
      const piece = pieces.at(-1)!;
      const last = piece.at(-1);
      if (last?.style === style) piece[piece.length - 1] = { text: last.text + char, style };
      else piece.push({ text: char, style });
    }
  }
  return pieces.map(wordOf);
}
