import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// Each limit of memory is reached in a test, which names it: what is beyond it is said, and is never healthy.

const filesIn = (folder: string, end: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => join(folder, path));

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Those beyond which nothing is left out: memory that is used again, and what is made again when it is asked for. */
const caches = new Set(['maxSpare', 'maxCached']);

/**
 * Those of the search for a cause. Beyond them a failure has none, and stays a failure: each is reached by the damage that
 * `scripts/explain/measure.mjs` makes.
 */
const searches = /^max(?:Frames|Ticks|Work|Changes|Earlier|BitWork|Size|Sets|OfPairs|OfSubsets)$/;

/** The constants whose comment says that they bound memory; one without a comment belongs to that of the one before. */
function limitsIn(text: string): string[] {
  const names: string[] = [];
  let isBound = false;
  for (const [, comment, name] of text.matchAll(/(\/\*\*[\s\S]*?\*\/\s*|^)export const (\w+)/gm)) {
    if (comment) isBound = /Memory|Bound\./.test(comment);
    if (isBound && /^max[A-Z]/.test(name!)) names.push(name!);
  }
  return names;
}

it.each(filesIn('src', 'limits.ts'))('%s: a test names each limit', (path) => {
  const tests = filesIn('test', '.test.ts').map(textOf).join('\n');
  const limits = limitsIn(textOf(path)).filter((name) => !caches.has(name) && !searches.test(name));
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
});
