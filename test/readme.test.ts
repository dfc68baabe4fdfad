import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { commands } from '../commands/index.ts';
import { hasTool } from './support/host.ts';
import { replay } from './support/transcript.ts';

const root = join(import.meta.dirname, '..');
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const pages = ['README.md', ...guides.map((name) => join('docs', name))];

const written = (page: string) => readFileSync(join(root, page), 'utf8');
const callsJq = (commands: readonly string[]) => commands.some((command) => / \| jq /.test(command));

/** `UPDATE_TRANSCRIPTS=1 npx vitest run test/readme.test.ts` writes the outputs anew: read what changed. */
async function showsRealOutput(page: string, isChosen: (commands: readonly string[]) => boolean): Promise<void> {
  const text = written(page);
  const now = await replay(text, undefined, isChosen);
  if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(join(root, page), now);
  else expect(now).toBe(text);
}

describe('every command is shown with its real output', () => {
  it.each(pages.filter((page) => written(page).includes('```console')))('in %s', (page) =>
    showsRealOutput(page, (commands) => !callsJq(commands)),
  );

  it.skipIf(!hasTool('jq')).each(pages.filter((page) => written(page).includes(' | jq ')))(
    'in %s, with jq (needs jq)',
    (page) => showsRealOutput(page, callsJq),
  );
});

describe.each(pages)('%s', (page) => {
  const path = join(root, page);
  const text = written(page);

  it('has no code block without a test', () => {
    const languages = [...text.matchAll(/^```(\w+)/gm)].map(([, language]) => language!);
    // Here, in api/examples, docs-tables, docs/ci, docs/formats, docs/worked, layers, and docs/tour.
    const worked = ['worked', 'bits'];
    const tour = ['hex', 'ints', 'sum', 'rows'];
    expect(
      languages.filter(
        (language) => !['console', 'sh', 'ts', 'sql', 'yaml', 'demo', 'wings', ...worked, ...tour].includes(language),
      ),
    ).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, target]) => join(path, '..', target!));
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

it('the README lists every command, and links to every page of the guide', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const listed = [...readme.matchAll(/^\| \[?`(\w+)/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
  const linked = [...readme.matchAll(/\]\(docs\/([^)]+\.md)\)/g)].map(([, page]) => page);
  expect(guides.filter((page) => !page.includes('formats/') && !linked.includes(page))).toEqual([]);
});

it('the README has at most 200 lines', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(201);
});
