import { describe, expect, it } from 'vitest';
import { readPlace, writePlace } from '../../src/page/place.ts';
import { VisibleRange } from '../../src/page/visible-range.ts';

describe('a link', () => {
  it.each([
    ['#tick=8170&item=obj_character/0', { tick: 8170, item: 'obj_character/0' }],
    ['#client=127.0.0.1:47011&tick=5', { client: '127.0.0.1:47011', tick: 5 }],
    ['#client=[::1]:1 (2)&tick=5&item=type 31/2', { client: '[::1]:1 (2)', tick: 5, item: 'type 31/2' }],
    ['', {}],
  ])('%s is a place, and is written so that it is read again', (link, place) => {
    expect(readPlace(link)).toEqual(place);
    expect(readPlace(writePlace(place))).toEqual(place);
  });

  it.each(['#tick=-1', '#tick=1e3', '#tick=<b>', '#item=<img src=x>/0', '#item=obj_character', '#nothing', '#%'])(
    '%s is nowhere',
    (link) => {
      expect(readPlace(link)).toEqual({});
    },
  );

  it('looks as people write it', () => {
    expect(writePlace({ tick: 8170, item: 'obj_character/0' })).toBe('#tick=8170&item=obj_character/0');
  });
});

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
