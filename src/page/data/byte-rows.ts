import { token } from '../../output/hexdump/hexdump.ts';
import type { Span } from '../../wire/annotate/span.ts';

/** A row of annotated bytes, or one that stands for the offsets of a snapshot's items. */
export interface ByteRow {
  readonly start: number;
  readonly end: number;
  /** The index of the span in which it begins. */
  readonly span: number;
  /** The number of offsets that it stands for; 0 for a row of bytes. */
  readonly folded: number;
}

interface RowShape {
  /** The maximum number of bytes in a row. */
  readonly perRow: number;
  /** The letters for which a row has room beside its bytes. */
  readonly room: number;
  /** Whether the offsets of a snapshot's items are one row: they say nothing about the match. */
  readonly foldsOffsets: boolean;
}

/** Divides bytes into rows, each with as many bytes as it has room for their values. A row has at least one value. */
export function byteRows(spans: readonly Span[], shape: RowShape): ByteRow[] {
  const rows: ByteRow[] = [];
  const { perRow, room, foldsOffsets } = shape;
  const first = foldsOffsets ? spans.findIndex(isOffset) : -1;
  const last = first < 0 ? -1 : spans.findLastIndex(isOffset);
  const end = spans.at(-1)?.end ?? 0;
  let span = 0;
  for (let start = 0; start < end; ) {
    while (spans[span]!.end <= start) span++;
    if (span === first) {
      rows.push({ start, end: spans[last]!.end, span, folded: last - first + 1 });
      start = spans[last]!.end;
      continue;
    }
    const most = Math.min(start + perRow, end, span < first ? spans[first]!.start : end);
    const stop = endOfRow(spans, span, start, most, room);
    rows.push({ start, end: stop, span, folded: 0 });
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
export function rowAt(rows: readonly ByteRow[], byte: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.start <= byte) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
