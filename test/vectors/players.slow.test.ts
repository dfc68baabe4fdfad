import { expect, it } from 'vitest';
import { demos } from '../../vectors/make/played-demos.ts';
import { comparePlayed, playVectors } from '../support/players.ts';

it.each(demos)("all demos of `play` are played as the games' compiled players did: %s", (name) => {
  const of = playVectors.filter(({ demo }) => demo === name);
  expect(of.length).toBeGreaterThan(400);
  expect(comparePlayed(of)).toEqual({ wrong: [], untold: expect.toSatisfy((part: number) => part < 0.01) });
});
