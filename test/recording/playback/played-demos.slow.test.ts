import { expect, it } from 'vitest';
import { compare, linesOf, samples, seeds } from '../../support/played-demos.ts';

it.each(samples)('900 damaged demos are played as the games play them: %s', (sample) => {
  const all = linesOf(sample, 1);
  expect(all.length).toBe(seeds);
  expect(all.flatMap((line) => compare(line).wrong.map((wrong) => `${line.seed} ${wrong}`))).toEqual([]);
});
