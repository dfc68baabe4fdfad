import { describe, expect, it } from 'vitest';
import { readPlace, writePlace } from '../../src/page/place.ts';

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
