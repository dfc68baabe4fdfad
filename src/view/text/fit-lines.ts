import { columnsOf } from './line-wrapping.ts';

/** A character on the screen, with the codes of colours before it. */
interface Cell {
  readonly codes: string;
  readonly char: string;
  readonly width: number;
}

/** The gap between the columns of a table: two spaces, so that a dump can still be parsed. */
const leastGap = 2;
/** The minimum width of a column. A narrower column continues below its row. */
const leastColumn = 16;
const belowRow = 4;

/**
 * Fits text to the width of a terminal. In paragraphs with lines longer than `width`, the gaps between columns are narrowed. Lines that
 * are still too long are broken between words and continue below their column or indented.
 */
export function fitLines(text: string, width: number): string {
  const lines = text.split('\n');
  if (lines.every((line) => line.length <= width)) return text;
  const fitted: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    if (lines[from] !== '') while (to < lines.length && lines[to] !== '') to++;
    fitted.push(...fitParagraph(lines.slice(from, to), width));
    from = to;
  }
  return fitted.join('\n');
}

function fitParagraph(lines: readonly string[], width: number): readonly string[] {
  if (lines.every((line) => line.length <= width || columnsOf(line.replace(codes, '')) <= width)) return lines;
  const rows = lines.map(cellsOf);
  // A few long lines do not change the layout of their table.
  if (2 * rows.filter((row) => widthOf(row) > width).length < rows.length) {
    return rows.flatMap((row) => wrapped(row, width, undefined).map(textOf));
  }
  const gaps = gapsOf(rows);
  const narrow = rows.map((row) => withoutGaps(row, gaps));
  const last = columnStarts(narrow).at(-1);
  const column = last !== undefined && width - last >= leastColumn ? last : undefined;
  return narrow.flatMap((row) => wrapped(row, width, column).map(textOf));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours and links
const codes = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same before a character
const coded = /((?:\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\)*)([\s\S]?)/gu;

function cellsOf(line: string): Cell[] {
  return Array.from(line.matchAll(coded), ([, codes = '', char = '']) => ({
    codes,
    char,
    width: columnsOf(char),
  })).filter(({ codes, char }) => codes !== '' || char !== '');
}

const widthOf = (cells: readonly Cell[]) => cells.reduce((sum, { width }) => sum + width, 0);
const textOf = (cells: readonly Cell[]) => cells.map(({ codes, char }) => codes + char).join('');
const isBlank = ({ char }: Cell) => char === ' ';

/** The screen columns that are blank in all rows. */
function blankColumns(rows: readonly (readonly Cell[])[]): boolean[] {
  const blank: boolean[] = [];
  for (const row of rows) {
    let at = 0;
    for (const cell of row) {
      for (let i = 0; i < cell.width; i++) blank[at + i] = (blank[at + i] ?? true) && isBlank(cell);
      at += cell.width;
    }
  }
  return blank;
}

/** The blank columns that can be omitted. */
function gapsOf(rows: readonly (readonly Cell[])[]): ReadonlySet<number> {
  const gaps = new Set<number>();
  let run = 0;
  for (const [column, isGap] of blankColumns(rows).entries()) {
    run = isGap ? run + 1 : 0;
    if (run > leastGap) gaps.add(column);
  }
  return gaps;
}

/** The positions at which columns begin, each after a gap. */
function columnStarts(rows: readonly (readonly Cell[])[]): number[] {
  const blank = blankColumns(rows);
  return blank.flatMap((isGap, at) => (!isGap && at >= leastGap && blank[at - 1] && blank[at - 2] ? [at] : []));
}

function withoutGaps(row: readonly Cell[], gaps: ReadonlySet<number>): Cell[] {
  let at = 0;
  return row.map((cell) => {
    const isLeftOut = gaps.has(at) && isBlank(cell);
    at += cell.width;
    return isLeftOut ? { ...cell, char: '', width: 0 } : cell;
  });
}

/** Breaks a row into lines. Lines after the first begin at `column`, or are indented below the row. */
function wrapped(row: readonly Cell[], width: number, column: number | undefined): Cell[][] {
  const first = row.findIndex((cell) => cell.width > 0 && !isBlank(cell));
  if (widthOf(row) <= width || first < 0) return [[...row]];
  const own = widthOf(row.slice(0, first));
  const hang = column ?? (width - own >= leastColumn ? Math.min(own + belowRow, width - leastColumn) : belowRow);
  const blanks = (count: number): Cell[] => Array.from({ length: count }, () => ({ codes: '', char: ' ', width: 1 }));
  const lines: Cell[][] = [];
  let line = blanks(width - own >= leastColumn ? own : hang);
  let words = 0;
  for (const word of wordsOf(row.slice(first))) {
    const size = widthOf(word);
    const gap = word.findIndex((cell) => !isBlank(cell));
    if (words > 0 && widthOf(line) + size > width) {
      lines.push(line);
      // A word longer than the rest of the line begins further to the left.
      line = blanks(Math.max(0, Math.min(hang, width - (size - gap))));
      line.push(...word.slice(0, gap).map((cell) => ({ ...cell, char: '', width: 0 })), ...word.slice(gap));
    } else line.push(...word);
    words++;
  }
  return [...lines, line];
}

/** Splits cells into words, each with the spaces before it. */
function wordsOf(cells: readonly Cell[]): Cell[][] {
  const words: Cell[][] = [];
  for (const [i, cell] of cells.entries()) {
    const before = cells[i - 1];
    if (!before || (isBlank(cell) && !isBlank(before))) words.push([]);
    words.at(-1)!.push(cell);
  }
  return words;
}
