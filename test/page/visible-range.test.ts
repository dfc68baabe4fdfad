import { describe, expect, it } from 'vitest';
import { VisibleRange } from '../../src/page/visible-range.ts';

describe('a range of ticks', () => {
  const ends = ({ from, to }: VisibleRange) => [from, to];

  it('zooms around a tick, which keeps its position', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.5, 1250);
    expect(ends(range)).toEqual([1125, 1625]);
    range.zoom(2, 1250);
    expect(ends(range)).toEqual([1000, 2000]);
    expect(range.isAll).toBe(true);
  });

  it('moves no further than the ends of the recording', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.5, 1000);
    range.move(0.5);
    expect(ends(range)).toEqual([1250, 1750]);
    range.move(10);
    expect(ends(range)).toEqual([1500, 2000]);
    range.zoom(Number.POSITIVE_INFINITY, 0);
    expect(ends(range)).toEqual([1000, 2000]);
  });

  it('is at least half a second long, or the whole recording if that is shorter', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.0001, 1500);
    expect(range.to - range.from).toBe(25);
    const short = new VisibleRange(7, 7);
    short.zoom(0.5, 7);
    expect(ends(short)).toEqual([7, 8]);
  });
});
