import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Metaphors and vague words of version 1, which the project replaced by the terms of the formats and of networking. */
const oldNames = `
  beat beats behind cargo carried cast crew deed deeds doubt doubtful dumping ground hear heard hearsay happening happenings
  news nobody nonsense odd oddities oddity remark remarks said scene scenes sentence sentences somebody story stories
  stranger strangers talk tell teller tellers telling tells told trouble wanted wants wire workbench
`
  .trim()
  .split(/\s+/);

/** Idioms that comments, titles and messages avoid, since they follow the syntax of another language. */
const oldIdioms = [
  /\bbehind\b/,
  /\bcomes? of\b/,
  /\bin one go\b/,
  /\b(is|are|was|were|not) told\b/,
  /\bso many\b/,
  /\btells?\b/,
  /(\/\/|\/\*\*|^\s*\*) Of (?!course)[a-z]/m,
];

/** Names of the games' fields and of a published output. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'src/events/player-actions.ts': ['groundJump'],
  'src/protocol/items-0.5.ts': ['carried_by', 'wanted_weapon'],
  'src/protocol/items-0.6.ts': ['wanted_weapon'],
  'src/protocol/items-0.7.ts': ['wanted_weapon'],
  'src/protocol/messages-extended.ts': ['wanted_weapon'],
  'src/view/json/dump-json.ts': ['doubtful'],
};

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const sources: readonly SourceFile[] = ['bin', 'commands', 'scripts', 'src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.([cm]?js|ts|css)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .filter((path) => path !== 'test/words.test.ts')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

const textPattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The names in a file's path and code, without repetitions. */
const namesIn = ({ path, text }: SourceFile): ReadonlySet<string> =>
  new Set([...path.split('/'), ...(text.replace(textPattern, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [])]);

/** The words of a camelCase or snake_case name. */
const partsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());

/** The comments and strings of a file with the number of their first line. */
function* textsIn({ text }: SourceFile): Generator<readonly [line: number, text: string]> {
  for (const { 0: found, index } of text.matchAll(textPattern)) yield [text.slice(0, index).split('\n').length, found];
}

describe('words', () => {
  it('contains no old name in a file name or an identifier', () => {
    const found = sources.flatMap((file) =>
      [...namesIn(file)]
        .filter((name) => partsOf(name).some((part) => oldNames.includes(part)))
        .filter((name) => !exceptions[file.path]?.includes(name))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('contains no old idiom in a comment or a string', () => {
    const found = sources.flatMap((file) =>
      [...textsIn(file)]
        .filter(([, text]) => oldIdioms.some((idiom) => idiom.test(text)))
        .map(([line, text]) => `${file.path}:${line}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});
