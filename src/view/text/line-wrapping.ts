import { asIs, type Style } from './theme.ts';

/** Text of one style; lines may break at its spaces. */
export interface Segment {
  readonly text: string;
  readonly style: Style;
  /** Whether lines may not break at its spaces. */
  readonly whole?: boolean;
}

/** Text without spaces, of one or more styles. */
interface Word {
  readonly parts: readonly Segment[];
  readonly width: number;
}

/**
 * Wraps styled text to lines of at most `width` columns. Lines after the first are shorter by `hang`; a word longer than a line is cut.
 */
export function wrapSegments(segments: readonly Segment[], width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line: Segment[] = [];
  let used = 0;
  for (const word of wordsOf(segments).flatMap((one) => cut(one, width - hang))) {
    const isFirst = line.length === 0;
    const room = lines.length === 0 ? width : width - hang;
    if (!isFirst && used + 1 + word.width > room) {
      lines.push(render(line));
      line = [...word.parts];
      used = word.width;
      continue;
    }
    // A space between two words of one style has that style.
    const style = line.at(-1)?.style;
    if (!isFirst) add(line, { text: ' ', style: style && style === word.parts[0]?.style ? style : asIs });
    for (const part of word.parts) add(line, part);
    used += word.width + (isFirst ? 0 : 1);
  }
  if (line.length > 0) lines.push(render(line));
  return lines;
}

/** Adds a segment to the line, joined with the last one if the style is the same. */
function add(line: Segment[], { text, style }: Segment): void {
  const last = line.at(-1);
  if (last?.style === style) line[line.length - 1] = { text: last.text + text, style };
  else line.push({ text, style });
}

const render = (line: readonly Segment[]) =>
  line
    .map(({ text, style }) => style(text))
    .join('')
    .trimEnd();

/** The width of a text on a terminal, in columns. */
export function columnsOf(text: string): number {
  if (!/[^ -~]/.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += columnsOfChar(char);
  return width;
}

/** Shortens text to at most this many columns. `…` replaces the rest. */
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
  for (const { text, style, whole } of segments) {
    for (const [i, part] of (whole ? [text] : text.split(' ')).entries()) {
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
      add(pieces.at(-1)!, { text: char, style });
    }
  }
  return pieces.map(wordOf);
}
