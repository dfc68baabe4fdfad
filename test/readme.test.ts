import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
});

/** Pages that link to others: those above, and what is beside them. */
const linking = [
  ...pages,
  'CHANGELOG.md',
  'SECURITY.md',
  'samples/README.md',
  'vectors/README.md',
  'scripts/README.md',
  'scripts/results.md',
  'scripts/release/start.md',
];

/** The ids that GitHub gives to the headings of a page. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(linking)('%s links only to pages and headings that exist', (page) => {
  const links = [...written(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, target, anchor]) => {
    const path = target === '' ? page : join(page, '..', target!);
    // Made by `npm run site`.
    if (page === 'scripts/release/start.md' && target === '../index.html') return false;
    if (!existsSync(join(root, path))) return true;
    return anchor !== undefined && path.endsWith('.md') && !anchorsOf(written(path)).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it('sources name only pages that exist', () => {
  const files = ['src', 'commands', 'scripts', 'test', 'bin', 'vectors', '.github'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = files.filter((name) => /\.(?:ts|mjs|cjs|py|yml|md)$/.test(name) && !name.includes('node_modules'));
  const named = sources.flatMap((name) =>
    [...written(name).matchAll(/docs\/(?:formats\/)?[\w-]+\.md/g)].map(([path]) => ({ name, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
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
