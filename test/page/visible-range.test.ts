import { describe, expect, it } from 'vitest';
import { VisibleRange } from '../../src/page/visible-range.ts';

describe('a range of ticks', () => {
  const ends = ({ from, to }: VisibleRange) => [from, to];

  it('zooms around a tick, which stays where it is', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.5, 1250);
    expect(ends(range)).toEqual([1125, 1625]);
    range.zoom(2, 1250);
    expect(ends(range)).toEqual([1000, 2000]);
    expect(range.isAll).toBe(true);
  });

  it('moves no further than there is something', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.5, 1000);
    range.move(0.5);
    expect(ends(range)).toEqual([1250, 1750]);
    range.move(10);
    expect(ends(range)).toEqual([1500, 2000]);
    range.zoom(Number.POSITIVE_INFINITY, 0);
    expect(ends(range)).toEqual([1000, 2000]);
  });

  it('is never shorter than half a second, or than all', () => {
    const range = new VisibleRange(1000, 2000);
    range.zoom(0.0001, 1500);
    expect(range.to - range.from).toBe(25);
    const short = new VisibleRange(7, 7);
    short.zoom(0.5, 7);
    expect(ends(short)).toEqual([7, 8]);
  });
});
