import { expect, it } from 'vitest';
import { comparePlayed, vectorsOf } from '../support/players.ts';

it.each([
  ['play', 800],
  ['ghost', 250],
] as const)("all vectors of `%s` are played as the games' compiled players did", (layer, least) => {
  const of = vectorsOf(layer);
  expect(of.length).toBeGreaterThan(least);
  const { wrong, untold } = comparePlayed(layer, of);
  expect(wrong).toEqual([]);
  expect(untold).toBeLessThan(0.01);
});
