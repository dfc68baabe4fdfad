import { expect, it } from 'vitest';
import { Path } from '../../../src/page/data/paths.ts';

/** A path with a point for each place; a place without an x means that the player was away. */
function pathOf(...places: readonly (readonly [tick: number, x?: number])[]): Path {
  const path = new Path(0);
  for (const [i, [tick, x]] of places.entries()) if (x !== undefined) path.add(x, 0, tick, i);
  return path;
}

it('a path is a line, which begins again where a player moves more than 12 tiles at once', () => {
  const path = pathOf([10, 0], [12, 12 * 32], [14, 12 * 32 + 12 * 32 + 1]);
  expect([...path.begins]).toEqual([0, 2]);
});

it('a player who stands still adds no point', () => {
  const path = pathOf([10, 5], [12, 5], [14, 5], [16, 6]);
  expect(path.ticks).toEqual([10, 16]);
  expect([9, 10, 15, 16].map((tick) => path.at(tick))).toEqual([-1, 0, 0, 1]);
});

it('a player who comes back at the same place begins a new line', () => {
  const path = pathOf([10, 5], [12], [14, 5]);
  expect([...path.begins]).toEqual([0, 1]);
});
