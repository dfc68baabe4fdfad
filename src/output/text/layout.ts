import { asIs, type Style, type ViewStyle } from './theme.ts';

/** Text of one style; lines may break at its spaces. */
export interface Segment {
  readonly text: string;
  readonly style: Style;
  readonly whole?: boolean;
}

/** Text between which lines break, of one or more styles. */
interface Word {
  readonly parts: readonly Segment[];
  readonly width: number;
}

export const styledText = (segments: readonly Segment[]) => segments.map(({ text, style }) => style(text)).join('');

export const plainText = (segments: readonly Segment[]) => segments.map(({ text }) => text).join('');

const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g');

export const withoutColours = (text: string) => text.replace(colours, '');

/** The width of a text on a terminal, in columns. The codes of colours have no width. */
export function widthOf(text: string): number {
  if (!/[^ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u2319]/.test(text)) return text.length;
  let width = 0;
  for (const char of withoutColours(text)) width += widthOfChar(char);
  return width;
}

function widthOfChar(char: string): number {
  // The dashes, `…` and arrows of our own texts too: the patterns below take 2 ms of a start to compile.
  if (char < '\u0300' || (char >= '\u2010' && char < '\u2028') || (char >= '\u2190' && char < '\u231a')) return 1;
  if (/\p{M}/u.test(char)) return 0;
  const wide =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
  return wide.test(char) ? 2 : 1;
}

/** Shortens text without colours to at most this many columns. `…` replaces the rest. */
export function shortened(text: string, width: number): string {
  let used = 0;
  let end = 0;
  let fits = 0;
  for (const char of text) {
    used += widthOfChar(char);
    end += char.length;
    if (used > width) return `${text.slice(0, fits)}…`;
    if (used < width) fits = end;
  }
  return text;
}

/**
 * Wraps styled text; lines after the first are shorter by `hang`, by which the caller indents them. A word longer than
 * a line is cut.
 */
export function wrapSegments(segments: readonly Segment[], width: number, hang = 0): string[] {
  const words = wordsOf(segments).flatMap((word) => cut(word, width - hang));
  return linesOf(words, width, hang);
}

/** Wraps words into lines of at most `width` columns. A longer word is broken only after each `|` that joins names. */
export function wrap(words: readonly (Segment | string)[], width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  let used = 0;
  const add = (text: string, style: Style, columns: number) => {
    if (line !== undefined && used + 1 + columns <= width) {
      line += ` ${style(text)}`;
      used += 1 + columns;
      return;
    }
    if (line !== undefined) lines.push(line.trimEnd());
    line = style(text);
    used = columns;
  };
  for (const word of words) {
    const { text, style } = typeof word === 'string' ? { text: word, style: asIs } : word;
    const columns = widthOf(text);
    if (columns <= width) add(text, style, columns);
    else for (const piece of brokenAtBars(text, width)) add(piece, style, widthOf(piece));
  }
  if (line !== undefined) lines.push((line as string).trimEnd());
  return lines;
}

function linesOf(words: readonly Word[], width: number, hang: number): string[] {
  const lines: string[] = [];
  let line: Segment[] = [];
  let used = 0;
  for (const { parts, width: columns } of words) {
    const isFirst = line.length === 0;
    if (!isFirst && used + 1 + columns > (lines.length === 0 ? width : width - hang)) {
      lines.push(render(line));
      line = [...parts];
      used = columns;
      continue;
    }
    // A space between two words of one style has that style.
    if (!isFirst) add(line, { text: ' ', style: canJoin(line.at(-1), parts[0]) ? parts[0]!.style : asIs });
    for (const part of parts) add(line, part);
    used += columns + (isFirst ? 0 : 1);
  }
  if (line.length > 0) lines.push(render(line));
  return lines;
}

/** Adds a segment to the line, joined with the last one if the style is the same. */
function add(line: Segment[], segment: Segment): void {
  const last = line.at(-1);
  if (canJoin(last, segment)) line[line.length - 1] = { text: last!.text + segment.text, style: segment.style };
  else line.push(segment);
}

const canJoin = (segment: Segment | undefined, next: Segment | undefined) =>
  segment !== undefined && segment.style === next?.style && !segment.whole && !next.whole;

const render = (line: readonly Segment[]) => styledText(line).trimEnd();

const wordOf = (parts: readonly Segment[]): Word => ({
  parts,
  width: parts.reduce((sum, { text }) => sum + widthOf(text), 0),
});

const unit = '(?:ms|s|h|KB|MB|GB|bytes?|ticks?|tiles?|degrees?|%|×)(?![^\\s.,:;)])';
/** A space that is not between a number and its unit. */
const breaks = new RegExp(`(?<!\\d) | (?!${unit})`);

/** The words of a text, between which a line may break: `0.53 s` is one. */
export const wordsIn = (text: string): string[] => text.split(breaks);

function wordsOf(segments: readonly Segment[]): Word[] {
  const words: Segment[][] = [[]];
  for (const segment of segments) {
    for (const [i, text] of (segment.whole ? [segment.text] : wordsIn(segment.text)).entries()) {
      if (i > 0) words.push([]);
      if (text !== '') words.at(-1)!.push({ ...segment, text });
    }
  }
  return words.map(wordOf);
}

function cut(word: Word, width: number): Word[] {
  if (word.width <= width) return [word];
  const pieces: Segment[][] = [[]];
  let used = 0;
  for (const { text, style } of word.parts) {
    for (const char of text) {
      const columns = widthOfChar(char);
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

/** The pieces of a long word: `flags=7 (solo|jetpack|` and `super)`. */
function brokenAtBars(text: string, width: number): string[] {
  const pieces = [''];
  for (const part of text.match(/[^|]+\|?/g) ?? [text]) {
    const joined = pieces.at(-1)! + part;
    if (pieces.at(-1) === '' || widthOf(joined) <= width) pieces[pieces.length - 1] = joined;
    else pieces.push(part);
  }
  return pieces;
}

const belowLine = 4;
/** Columns with less room are not wrapped. */
export const minWrapWidth = 16;

/**
 * Breaks long lines of a finished text between words. They go on indented; a word too long for that begins further to
 * the left.
 */
export function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width || widthOf(line) <= width ? [line] : fittedLine(line, width)))
    .join('\n');
}

function fittedLine(line: string, width: number): string[] {
  const own = /^ */.exec(withoutColours(line))![0].length;
  const indent = width - own >= minWrapWidth ? own : belowLine;
  const hang = Math.min(indent + belowLine, Math.max(belowLine, width - minWrapWidth));
  const words = wordsOf([{ text: line.trimStart(), style: asIs }]);
  return linesOf(words, width - indent, hang - indent).map((part, i) => {
    return ' '.repeat(Math.max(0, Math.min(i === 0 ? indent : hang, width - widthOf(part)))) + part;
  });
}

const between = '   ';

/** A name and parts about it, on one line if that has room, otherwise with the parts below. */
export function titled(name: string, parts: readonly string[], { theme, width }: Pick<ViewStyle, 'theme' | 'width'>) {
  const line = [theme.strong(name), ...parts].join(between);
  if (widthOf(line) <= width) return line;
  const lines: string[] = [];
  for (const part of parts) {
    const joined = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(`  ${part}`);
  }
  return [theme.strong(name), ...lines].join('\n');
}
