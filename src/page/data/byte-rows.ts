import { token } from '../../output/hexdump/hexdump.ts';
import { bitGroups } from '../../wire/annotate/bits.ts';
import type { Span } from '../../wire/annotate/span.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Inspected } from './inspect.ts';
import { lastUpTo } from './marks.ts';

/** The columns of rows of bytes. */
export interface ByteColumns {
  /** Whether they are those of other programs: bytes without their values. */
  readonly isGrid: boolean;
  /** Whether the values are below their bytes. */
  readonly isNarrow: boolean;
  /** The columns of addresses: in the file, if that differs, and after decompression. */
  readonly places: 1 | 2;
  /** The letters of an address. */
  readonly placeLetters: number;
  /** The maximum number of bytes in a row. */
  readonly perRow: number;
  /** The letters for which a row has room beside its bytes, or below them. */
  readonly room: number;
}

/** The letters between two columns. */
export const gapLetters = 2;

/**
 * The columns for which a list has room.
 * @param width in pixels
 * @param letters the width in letters
 * @param hasBits whether the bytes are compressed in the file
 */
export function byteColumns(width: number, letters: number, isGrid: boolean, hasBits: boolean): ByteColumns {
  if (isGrid) {
    return { isGrid, isNarrow: false, places: 1, placeLetters: 4, perRow: width < 500 ? 8 : 16, room: Infinity };
  }
  const isNarrow = width < 525;
  const places = hasBits ? 2 : 1;
  const placeLetters = 8;
  const perRow = width < 640 ? 4 : width < 1250 ? 8 : 16;
  const beside = letters - (4 * perRow - 1 + places * (placeLetters + gapLetters) + 3 * gapLetters);
  return { isGrid, isNarrow, places, placeLetters, perRow, room: isNarrow ? letters - 6 : beside };
}

/** Spans that say nothing about the match and are one row: their first one, and the first one behind them. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  readonly what: 'offsets' | 'unchanged';
}

/** The offsets of a snapshot's items, and runs of values that a delta leaves as they are. */
export function foldsOf(spans: readonly Span[]): Fold[] {
  const first = spans.findIndex(isOffset);
  const offsets = { from: first, to: spans.findLastIndex(isOffset) + 1, what: 'offsets' } as const;
  const unchanged = bitGroups(spans).filter(({ isFolded }) => isFolded);
  return [
    ...(first < 0 ? [] : [offsets]),
    ...unchanged.map(({ from, to }) => ({ from, to, what: 'unchanged' as const })),
  ];
}

const opened = new WeakMap<Inspected, Set<number>>();

/**
 * The folds that the user has opened, by their first span. A step begins with all closed: items that move would open
 * others.
 */
export const openedFolds = (inspected: Inspected): Set<number> => getOr(opened, inspected, () => new Set());

/** A row of annotated bytes, or one that stands for several. */
export interface ByteRow {
  readonly start: number;
  readonly end: number;
  /** The index of the span in which it begins. */
  readonly span: number;
  /** What it stands for; undefined for a row of bytes. */
  readonly fold?: Fold | undefined;
}

/**
 * Divides bytes into rows, each with as many bytes as it has room for their values. A row has at least one value.
 * @param folds what is one row each, in their order
 */
export function byteRows(
  spans: readonly Span[],
  { perRow, room }: Pick<ByteColumns, 'perRow' | 'room'>,
  folds: readonly Fold[],
): ByteRow[] {
  const rows: ByteRow[] = [];
  const end = spans.at(-1)?.end ?? 0;
  let span = 0;
  let next = 0;
  for (let start = 0; start < end; ) {
    while (spans[span]!.end <= start) span++;
    const fold = folds[next];
    if (span === fold?.from) {
      const stop = spans[fold.to - 1]!.end;
      rows.push({ start, end: stop, span, fold });
      start = stop;
      next++;
      continue;
    }
    const most = Math.min(start + perRow, fold ? spans[fold.from]!.start : end);
    const stop = endOfRow(spans, span, start, Math.min(most, end), room);
    rows.push({ start, end: stop, span });
    start = stop;
  }
  return rows;
}

const isOffset = ({ label }: Span) => label.startsWith('offset[');

function endOfRow(spans: readonly Span[], first: number, start: number, most: number, room: number): number {
  let used = 0;
  for (let i = first; i < spans.length && spans[i]!.start < most; i++) {
    const span = spans[i]!;
    used += token(span, false, span.start < start).length + 1;
    if (used > room + 1 && i > first) return span.start;
  }
  return most;
}

/** The number of the row in which a byte is. */
export const rowAt = (rows: readonly ByteRow[], byte: number): number =>
  lastUpTo(rows.length, (i) => rows[i]!.start, byte);
