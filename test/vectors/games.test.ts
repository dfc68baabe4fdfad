import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { judge, readLines } from '../../vectors/check.mjs';
import { digestOf } from '../../vectors/games/answer.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { Vector } from '../../vectors/make/vector.ts';

const folder = new URL('../../vectors/', import.meta.url);
const vectors = new Map(
  [...makeVectors().byLayer.values()].flat().map((vector) => [digestOf(vector) as string, vector]),
);

/** What the games' compiled code answered, by question: `vectors/games/answer.mjs` asks again. */
const answersOf = (game: string): [Vector, Record<string, unknown>][] =>
  readLines(new URL(`games/${game}.jsonl`, folder))
    .slice(1)
    .flatMap(({ question, ...answer }) => {
      const vector = vectors.get(question);
      return vector ? [[vector, answer] as [Vector, Record<string, unknown>]] : [];
    });

const games = { ddnet: 'ddnet', 'teeworlds-0.7.5': 'teeworlds', 'teeworlds-0.6.5': 'teeworlds' } as const;
const all = Object.entries(games).map(([name, like]) => [name, like, answersOf(name)] as const);

/** A game that dies of an input has done so where the vector says it. */
function isRight(vector: Vector, answer: Record<string, unknown>, like: 'ddnet' | 'teeworlds'): boolean {
  if (answer.died) return vector.games?.[like].does === 'crashes';
  // Teeworlds sorts items. Where a game is asked by parts, its answer has less than the vector.
  return judge(vector, answer, { like, partial: true, strict: like === 'ddnet' }) === 'passed';
}

it.each(all)('%s answers as the vectors say', (_, like, answers) => {
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.filter(([vector, answer]) => !isRight(vector, answer, like))).toEqual([]);
});

it('what no game has answered names the function that decides', () => {
  const answered = new Set(all.flatMap(([, , answers]) => answers.map(([{ id }]) => id)));
  const left = [...vectors.values()].filter(({ id }) => !answered.has(id));
  expect(left.filter(({ source }) => source === undefined)).toEqual([]);
});

it('the README has their numbers', () => {
  const text = readFileSync(new URL('README.md', folder), 'utf8');
  const rows = all.map(([name, , answers]) => [name, answers.length]);
  const told = [...text.matchAll(/^\| `games\/(.*)\.jsonl` \|.*\| ([\d,]+) of ([\d,]+) \|$/gm)];
  expect(told.map(([, name, right, asked]) => [name, right === asked && Number(right!.replace(',', ''))])).toEqual(
    rows,
  );
  expect(text).toContain(`${vectors.size.toLocaleString('en')} vectors`);
});
