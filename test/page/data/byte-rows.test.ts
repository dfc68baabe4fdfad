import { describe, expect, it } from 'vitest';
import { token } from '../../../src/output/hexdump/hexdump.ts';
import { byteRows, foldsOf, rowAt } from '../../../src/page/data/byte-rows.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import { pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const recording = new Recording(await pageDataOf(read('vanilla-dm1.demo')));
const spansAt = (tick: number) => annotate(recording.reader.payload(recording.shown[recording.positionOf(tick)]!));

describe('the rows of annotated bytes', () => {
  // A delta and the first snapshot, which is full and has offsets.
  it.each([
    [9326, 8, 50],
    [9326, 4, 20],
    [8898, 16, 90],
  ])('of tick %i cover all bytes once, with at most %i bytes and room for %i letters', (tick, perRow, room) => {
    const spans = spansAt(tick);
    const rows = byteRows(spans, { perRow, room }, []);
    expect(rows[0]!.start).toBe(0);
    expect(rows.at(-1)!.end).toBe(spans.at(-1)!.end);
    for (const [i, { start, end, span }] of rows.entries()) {
      expect(end - start).toBeLessThanOrEqual(perRow);
      if (i > 0) expect(start).toBe(rows[i - 1]!.end);
      expect(spans[span]!.start <= start && spans[span]!.end > start).toBe(true);
      const inRow = spans.filter((one) => one.start < end && one.end > start);
      const letters = inRow.map((one) => token(one, false, one.start < start)).join(' ').length;
      if (inRow.length > 1) expect(letters).toBeLessThanOrEqual(room);
    }
  });

  it('are one row for the offsets of a snapshot', () => {
    const spans = spansAt(8898);
    const offsets = spans.filter(({ label }) => label.startsWith('offset[')).length;
    expect(offsets).toBeGreaterThan(3);
    const rows = byteRows(spans, { perRow: 8, room: 50 }, foldsOf(spans));
    const folds = rows.flatMap(({ fold }) => fold ?? []);
    expect(folds.map(({ from, to, what }) => [to - from, what])).toEqual([[offsets, 'offsets']]);
  });

  it('are one row for at least three values of an item that a delta leaves as they are', () => {
    const spans = spansAt(9326);
    const rows = byteRows(spans, { perRow: 8, room: 50 }, foldsOf(spans));
    expect(rows.filter(({ fold }) => fold).length).toBeGreaterThan(0);
    for (const { fold, start, end } of rows) {
      if (!fold) continue;
      const inFold = spans.slice(fold.from, fold.to);
      expect(inFold.length).toBeGreaterThan(2);
      expect([inFold[0]!.start, inFold.at(-1)!.end]).toEqual([start, end]);
      for (const { change } of inFold) expect(change!.new).toEqual(change!.old);
    }
  });

  it('are found by their bytes', () => {
    const spans = spansAt(9326);
    const rows = byteRows(spans, { perRow: 8, room: 50 }, foldsOf(spans));
    for (const [i, { start, end }] of rows.entries())
      expect([rowAt(rows, start), rowAt(rows, end - 1)]).toEqual([i, i]);
  });
});
