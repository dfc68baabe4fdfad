import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { ask, compare, linesOf, samples, seeds, tagCount } from '../../support/played-demos.ts';

/** One of so many damaged demos is played here, and all by the slow test. */
const step = 10;

if (process.env.UPDATE_PLAYED) ask(process.env.UPDATE_PLAYED);

/** `UPDATE_PLAYED=folder` asks the games' players in a folder again. */
describe('damaged demos are played as the games play them', () => {
  it.each(samples)('%s', (sample) => {
    const all = linesOf(sample, step);
    expect(all.length).toBe(seeds / step);
    const found = all.map((line) => ({ seed: line.seed, ...compare(line) }));
    expect(found.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    // What no file decides is rare.
    expect(found.reduce((sum, { untold }) => sum + untold, 0)).toBeLessThan(0.01 * all.length * tagCount);
  });
});
