import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect } from './material.ts';
import { Random } from './random.ts';
import { runInput, targets } from './targets.ts';

const material = collect(resolve(import.meta.dirname, '../..'));

/** A few large inputs are enough here. */
const each = (name: string) => (name === 'large' || name === 'repeated' ? 6 : 60);

describe.each(targets.map(({ name }) => name))('%s', (name) => {
  it('accepts damaged inputs', async () => {
    for (let number = 0; number < each(name); number++) {
      await expect(
        (async () => void (await runInput(new Random(5, number), material, () => {}, name).done))(),
        `input ${number}`,
      ).resolves.toBeUndefined();
    }
  });

  it('makes the same inputs of the same seed and number', async () => {
    const made = async () => {
      const notes: unknown[] = [];
      await runInput(new Random(5, 7), material, (...noted) => notes.push(noted), name).done;
      return notes;
    };
    const once = await made();
    expect(once.length).toBeGreaterThan(0);
    expect(await made()).toEqual(once);
  });
});
