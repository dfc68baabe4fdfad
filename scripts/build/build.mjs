// Builds dist: the command line, the library, the program of the pages that `report` writes, and the man pages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { changesOf } from './change-log.mjs';
import { buildCommandLine } from './command-line.mjs';
import { withFieldDocs } from './field-docs.mjs';
import { buildLibrary } from './library.mjs';
import { licenceTexts } from './licences.mjs';
import { buildManPages } from './man.mjs';
import { buildPage } from './page.mjs';
import { writeTypes } from './types.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const define = { VERSION: JSON.stringify(version), COMMIT: JSON.stringify(commit()) };

/** The commit of a checkout without changes; a package or archive does not have it. */
function commit() {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? git('rev-parse', '--short=12', 'HEAD') : '';
}

rmSync('dist', { recursive: true, force: true });
const files = [await buildCommandLine(define), await buildLibrary(define), await buildPage(define)].flat();
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenceTexts(files));
await buildManPages(version, changesOf(version)?.date);

// The tables for programs in other languages.
const { tables } = await import('../../dist/library/api/data.js');
const all = Object.fromEntries(['0.5', '0.6', '0.7'].map((of) => [of, tables(of)]));
mkdirSync('dist/data', { recursive: true });
for (const [of, table] of Object.entries(all))
  writeFileSync(`dist/data/${of}.json`, `${JSON.stringify(table, null, 1)}\n`);

writeTypes('dist/library');
// The fields of items and messages say what they mean.
for (const name of ['items', 'messages']) {
  const path = `dist/library/wire/protocol/${name}.d.ts`;
  writeFileSync(path, withFieldDocs(readFileSync(path, 'utf8'), all));
}
