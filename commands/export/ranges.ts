import type { RowRange, Tables } from '../../src/tables/tables.ts';

/** A thread reads what is before its range in this share of the time that the rows of it would take. */
const skimShare = 0.1;

/** Divides a recording into ranges that take equal times, including what is before them. */
export function rangesOf(bytes: number, count: number): RowRange[] {
  const weight = (index: number) => 1 - (1 - skimShare) ** index;
  const border = (index: number) => (index === count ? Infinity : Math.ceil((bytes * weight(index)) / weight(count)));
  return Array.from({ length: count }, (_, i) => ({ start: border(i), end: border(i + 1) }));
}

/**
 * The pieces of a recording up to the end of the range, cut where it begins and ends: then the rows of all ranges fit together, whatever
 * pieces each thread reads.
 */
export async function* piecesOf(
  pieces: AsyncIterable<Uint8Array>,
  { start, end }: RowRange,
  tables: Tables,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    const cuts = [start, end].map((at) => at - tables.position).filter((at) => at > 0 && at < piece.length);
    for (const [i, from] of [0, ...cuts].entries()) {
      const part = piece.subarray(from, cuts[i]);
      yield part;
      tables.position += part.length;
      if (tables.isOver) return;
    }
  }
}
