import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { replay } from './support/transcript.ts';

const root = join(import.meta.dirname, '..');
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const pages = ['README.md', ...guides.map((name) => join('docs', name))];

/** `UPDATE_TRANSCRIPTS=1 npx vitest run test/readme.test.ts` writes the outputs anew: read what changed. */
describe.each(pages)('%s', (page) => {
  const path = join(root, page);
  const written = readFileSync(path, 'utf8');

  it.runIf(written.includes('```console'))('shows every command with its real output', async () => {
    const now = await replay(written);
    if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(path, now);
    else expect(now).toBe(written);
  });

  it('links only to files that exist', () => {
    const links = [...written.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, target]) => join(path, '..', target!));
    const missing = links.filter((target) => {
      try {
        return readFileSync(target).length === 0;
      } catch {
        return true;
      }
    });
    expect(missing.map((target) => target.slice(root.length + 1))).toEqual([]);
  });
});

it('the README has at most 200 lines', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(201);
});
