import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const doors = ['analysis', 'api', 'editing', 'input', 'output', 'page', 'recording', 'wire'].map(
  (wing) => `src/${wing}/README.md`,
);
const pages = [
  'README.md',
  'docs/ARCHITECTURE.md',
  'docs/CONTRIBUTING.md',
  'docs/LIBRARY.md',
  'scripts/README.md',
  'commands/README.md',
  ...doors,
];

/** Where a path in a page may begin: "`lib/options.ts`" of the commands. */
const beginnings = [
  '',
  'src',
  'commands',
  'commands/lib',
  'scripts',
  'docs',
  'test',
  'src/recording/container',
  'src/recording/replay',
  'src/wire',
  'src/output',
];
/** What is made, or is not in this repository. */
const made =
  /^(?:dist|release|site|coverage|node_modules|scripts\/docs\/node_modules|docs\/api|scripts\/fuzz\/finds|\.\.\/shared|datasrc)(?:\/|$)/;

/** All words of the sources, which identifiers are. */
const words = new Set(
  ['src', 'commands', 'scripts', 'bin', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.(?:ts|mjs|cjs|sh)$/.test(path) && !/node_modules|map\.test\.ts$/.test(path))
    .concat('package.json')
    .flatMap((path) => read(path).match(/[A-Za-z_$][\w$]*/g) ?? []),
);

/** Code font outside of blocks. */
const codesOf = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

const isPath = (code: string) =>
  /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(code) &&
  (/\/./.test(code) || /\.(?:ts|mjs|cjs|md|json|yml|sh|csv|svg)$/.test(code));

/**
 * The files that a path of a page can mean: also without its ending, below several folders, and beside a file that
 * `text` names.
 */
function filesOf(code: string, page: string, text = ''): string[] {
  const endings = ['', '.ts', '.mjs'];
  const beside = code.includes('/')
    ? []
    : codesOf(text)
        .filter((other) => /\/.*\./.test(other))
        .map(dirname);
  const from = [dirname(page), ...beginnings, ...beside];
  return from
    .flatMap((folder) => endings.map((ending) => join(folder, code + ending)))
    .filter((path) => existsSync(join(root, path)));
}

const isPlaceholder = (code: string) =>
  /\b[A-Z]{3,}\b|\*/.test(code) || /^(?:tw-snap|application|text|image)\//.test(code);

/** Paths that do not exist. */
const missingPaths = (text: string, page: string) =>
  codesOf(text).filter(
    (code) => isPath(code) && !isPlaceholder(code) && !made.test(code) && filesOf(code, page, text).length === 0,
  );

const identifier = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$/;
const partsOf = (code: string) => code.replace('()', '').split('.');

/** Identifiers that no source has. */
const missingWords = (text: string) =>
  codesOf(text).filter(
    (code) =>
      identifier.test(code) && /[a-z]/.test(code) && !isPath(code) && partsOf(code).some((part) => !words.has(part)),
  );

/** "`groups` of `commands/index.ts`": identifiers that the file does not have. */
const misplacedWords = (text: string, page: string) =>
  [...text.matchAll(/((?:`[\w.$]+`[^`.;:]{0,25}?)+)\b(?:of|in)\s+`([\w./-]+\.\w+)`/g)].flatMap(([, phrase, path]) => {
    const [file] = filesOf(path!, page);
    if (!file) return [];
    const own = new Set(read(file).match(/[A-Za-z_$][\w$]*/g));
    return codesOf(phrase!)
      .filter((code) => identifier.test(code) && !isPath(code) && partsOf(code).some((part) => !own.has(part)))
      .map((code) => `${code} in ${file}`);
  });

describe.each(pages)('%s', (page) => {
  it('names only files and identifiers that exist', () => {
    const text = read(page);
    expect(codesOf(text).length).toBeGreaterThan(5);
    expect(missingPaths(text, page)).toEqual([]);
    expect(missingWords(text)).toEqual([]);
    expect(misplacedWords(text, page)).toEqual([]);
  });
});

it('what does not exist is found', () => {
  const page = 'docs/ARCHITECTURE.md';
  expect(missingPaths('| `src/recording/rebuilder.ts` | `lib/options/options.ts` | `snapshot/apply` |', page)).toEqual([
    'src/recording/rebuilder.ts',
  ]);
  expect(missingWords('the `Rebuilder` and `readRecording`, `noSuchName`')).toEqual(['noSuchName']);
  const sentence = 'an entry in `summaries` and in `groups` of `commands/index.ts`';
  expect(misplacedWords(sentence, page)).toEqual(['summaries in commands/index.ts']);
});
