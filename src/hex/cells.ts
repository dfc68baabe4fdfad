import type { ByteSink } from './byte-sink.ts';
import { hexDigit, isBlank, linesOf } from './characters.ts';
import { badHex } from './form.ts';
import { skipBlanks } from './rows.ts';

export interface PairsLayout {
  /** Whether a group may have more than 2 hex digits, always an even number. */
  readonly groups: boolean;
  /**
   * The number of blanks that end the bytes, since the text after them may look like bytes; undefined if `|` or `>`
   * ends them.
   */
  readonly gapThatEnds: number | undefined;
}

/** Reads pairs of hex digits, alone or in groups: `10 05 02 28`, `1005 0228`. */
export function readPairs(text: string, from: number, end: number, bytes: ByteSink, layout: PairsLayout): void {
  const before = bytes.length;
  for (let at = from; at < end; ) {
    const start = at;
    while (at < end && hexDigit(text.charCodeAt(at)) >= 0) at++;
    pushPairs(text, start, at, bytes, layout.groups);
    const gap = at;
    at = skipBlanks(text, at, end);
    if (at === end || endsBytes(text, gap, at, layout)) return;
    if (at - gap >= 2 && end - at <= bytes.length - before && !isPair(text, at)) return;
    if (at === gap) throw badHex(text, start, 'hex digits');
  }
}

/** Otherwise two blanks before no more characters than bytes begin the same bytes as text, as in PowerShell. */
const isPair = (text: string, at: number) => /^[0-9a-f]{2}(?:\s|$)/i.test(text.slice(at, at + 3));

function pushPairs(text: string, start: number, end: number, bytes: ByteSink, groups: boolean): void {
  const length = end - start;
  if (length === 0) throw badHex(text, start, 'hex digits');
  if (length % 2 !== 0 || (length > 2 && !groups)) {
    throw badHex(text, start, groups ? 'an even number of hex digits' : 'two hex digits for each byte');
  }
  for (let at = start; at < end; at += 2) {
    bytes.push((hexDigit(text.charCodeAt(at)) << 4) | hexDigit(text.charCodeAt(at + 1)));
  }
}

function endsBytes(text: string, gap: number, at: number, { gapThatEnds }: PairsLayout): boolean {
  if (gapThatEnds !== undefined && (at - gap >= gapThatEnds || text.charCodeAt(gap) === 0x09)) return true;
  const sign = text[at]!;
  if (sign === '#' || text.startsWith('//', at)) return true;
  return gapThatEnds === undefined && (sign === '|' || sign === '>');
}

/** The base and the width in bytes of a row's numbers. */
export interface CellKind {
  readonly base: 2 | 8 | 10 | 16;
  readonly size: 1 | 2 | 4 | 8;
}

/** The cells of a row as text, up to a `|` or `>` that begins their repetition as characters. */
export function cellsOf(text: string, from: number, end: number): { readonly at: number; readonly cell: string }[] {
  const cells: { at: number; cell: string }[] = [];
  for (let at = skipBlanks(text, from, end); at < end; at = skipBlanks(text, at, end)) {
    const start = at;
    while (at < end && !isBlank(text.charCodeAt(at))) at++;
    const cell = text.slice(start, at);
    if (cell[0] === '|' || cell[0] === '>') break;
    cells.push({ at: start, cell });
  }
  return cells;
}

/** The position of two blanks, which may be followed by characters; `end` without any. */
export function gapAfter(text: string, from: number, end: number): number {
  const gap = text.indexOf('  ', from);
  return gap < 0 ? end : Math.min(gap, end);
}

/** The number of rows whose cells show their kind. */
const surveyedRows = 64;

/**
 * The cells of the first rows, and the address of the first; undefined without rows.
 * @param row a sticky pattern up to the first cell; group 1 is the address
 */
export function surveyCells(
  text: string,
  row: RegExp,
  endOf: typeof gapAfter = (_text, _from, end) => end,
): { readonly address: string; readonly cells: readonly string[] } | undefined {
  let address: string | undefined;
  const cells: string[] = [];
  let rows = 0;
  for (const [start, end] of linesOf(text)) {
    row.lastIndex = start;
    const found = row.exec(text);
    if (!found) continue;
    address ??= found[1]!;
    cells.push(...cellsOf(text, row.lastIndex, endOf(text, row.lastIndex, end)).map(({ cell }) => cell));
    if (++rows === surveyedRows) break;
  }
  return address !== undefined && cells.length > 0 ? { address, cells } : undefined;
}

const limits = { 1: 0xffn, 2: 0xffffn, 4: 0xffffffffn, 8: 0xffffffffffffffffn } as const;
const prefixes = { 2: '0b', 8: '0o', 10: '', 16: '0x' } as const;
const digitsOf = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^\d+$/, 16: /^[0-9a-f]+$/i } as const;

/** Appends the number of a cell as a little-endian word, as in the memory of all machines that run the games. */
export function pushCell(text: string, at: number, cell: string, { base, size }: CellKind, bytes: ByteSink): void {
  const isNegative = cell[0] === '-';
  const digits = cell.replace(/^-|^0x/i, '');
  if (digits.length > 64 || !digitsOf[base].test(digits)) throw badHex(text, at, `a number of ${count(size)}`);
  const value = BigInt(prefixes[base] + digits);
  const limit = limits[size];
  if (value > (isNegative ? (limit >> 1n) + 1n : limit)) throw badHex(text, at, `a number of ${count(size)}`);
  bytes.pushLittleEndian(isNegative ? limit + 1n - value : value, size);
}

const count = (size: number) => (size === 1 ? '1 byte' : `${size} bytes`);
