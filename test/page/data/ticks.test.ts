import { describe, expect, it } from 'vitest';
import { advanced, isWhole, moved, repeatedFrom, repeatedUpTo, startOf, zoomed } from '../../../src/page/data/marks.ts';

const all = { from: 1000, to: 2000 };

describe('the visible range', () => {
  it('zooms around a tick, which keeps its position', () => {
    const half = zoomed(all, all, 0.5, 1250);
    expect(half).toEqual({ from: 1125, to: 1625 });
    expect(isWhole(half, all)).toBe(false);
    const whole = zoomed(half, all, 2, 1250);
    expect(whole).toEqual(all);
    expect(isWhole(whole, all)).toBe(true);
  });

  it('moves no further than the ends of the recording', () => {
    const half = zoomed(all, all, 0.5, 1000);
    const later = moved(half, all, 0.5);
    expect(later).toEqual({ from: 1250, to: 1750 });
    const last = moved(later, all, 10);
    expect(last).toEqual({ from: 1500, to: 2000 });
    expect(zoomed(last, all, Number.POSITIVE_INFINITY, 0)).toEqual(all);
  });

  it('is at least half a second long, or the whole recording if that is shorter', () => {
    const { from, to } = zoomed(all, all, 0.0001, 1500);
    expect(to - from).toBe(25);
    expect(zoomed({ from: 7, to: 8 }, { from: 7, to: 7 }, 0.5, 7)).toEqual({ from: 7, to: 8 });
  });
});

describe('the current time while a recording is played', () => {
  it('moves 50 ticks in a second, times the speed', () => {
    expect(startOf(1000, all)).toBe(1000);
    expect(advanced(1000, 1000, 1, undefined, all)).toBe(1050);
    expect(advanced(1050, 1000, 0.25, undefined, all)).toBe(1062.5);
    expect(advanced(1062.5, 500, 8, undefined, all)).toBe(1262.5);
  });

  it('ends with the last tick, and starts again from the first', () => {
    expect(advanced(1990, 1000, 1, undefined, all)).toBe(2000);
    expect(startOf(2000, all)).toBe(1000);
  });

  it('repeats a range', () => {
    const range = repeatedUpTo(1150, repeatedFrom(1100, undefined, all), all);
    expect(range).toEqual({ from: 1100, to: 1150 });
    expect(advanced(1150, 100, 1, range, all)).toBe(1100);
    expect(startOf(1500, range)).toBe(1100);
  });

  it('a range begins before it ends: the older bound is dropped', () => {
    const range = repeatedUpTo(1500.2, undefined, all);
    expect(range).toEqual({ from: 1000, to: 1501 });
    expect(repeatedFrom(1700.5, range, all)).toEqual({ from: 1700, to: 2000 });
    expect(repeatedUpTo(1200, { from: 1700, to: 2000 }, all)).toEqual({ from: 1000, to: 1200 });
  });
});
