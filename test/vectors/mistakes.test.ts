import { describe, expect, it } from 'vitest';
import { judge, questionOf } from '../../vectors/check.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import { answer, mistakes } from '../../vectors/reference.mjs';

const vectors = [...makeVectors().byLayer.values()].flat();
const asked = vectors.map((vector) => ({ vector, question: questionOf(vector) }));
type Like = { readonly like?: string };

/** The first vector that the reference decoder fails, with a mistake or none. */
const caughtBy = (mistake: string | undefined, how: Like) =>
  asked.find(({ vector, question }) => judge(vector, answer(question, mistake), { strict: true, ...how }) === 'failed')
    ?.vector.id;

it('the reference decoder answers all of its layers, as DDNet does', () => {
  expect(caughtBy(undefined, {})).toBeUndefined();
  expect(caughtBy(undefined, { like: 'ddnet' })).toBeUndefined();
});

/** `varint-padding-kept:ddnet` is a mistake for who reads like DDNet only. */
const named = Object.values(mistakes).flat();

describe('a decoder with one mistake is caught', () => {
  it.each(named)('%s', (name) => {
    const [mistake, like] = name.split(':') as [string, string | undefined];
    expect(caughtBy(mistake, like === undefined ? {} : { like })).toBeDefined();
  });
});
