import { expect, it } from 'vitest';
import { Newest } from '../../../src/wire/bytes/newest.ts';

it('the key that was set first is forgotten; one that is set again is the last', () => {
  const newest = new Newest<string, number>(2);
  newest.set('a', 1);
  newest.set('b', 2);
  newest.set('a', 3);
  newest.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => newest.get(key))).toEqual([3, undefined, 4]);
  expect(['a', 'b', 'c'].map((key) => newest.has(key))).toEqual([true, false, true]);
  newest.set('d', 5);
  newest.set('e', 6);
  expect(['a', 'c', 'd', 'e'].map((key) => newest.get(key))).toEqual([undefined, undefined, 5, 6]);
});
