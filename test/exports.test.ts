import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/*
 * What is exported has a user in another file: a name without one is private, or gone. Users are the program, the
 * scripts (build, benchmarks, fuzzing) and test/docs, which makes the tables and schemas of the documents. Other tests
 * are no users: they ask what the program asks, so that what is inside can change.
 *
 * Types in the signature of an exported function need no export of their own: TypeScript's declarations carry them. A
 * type that another file's declarations have to name (TS4023, TS4058: `npm run build` says so) is imported and named there.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const userFolders = ['src', 'commands', 'bin', 'scripts', 'test/docs'];
/** Whose exports are asked for from outside: the entries of the library, and the programs. */
const isEntry = (path: string) => /^src\/api\/|^commands\/(?:cli|worker)\.ts$/.test(path);

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const declared =
  /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (?:([\w$]+)|[[{]([^=]*)[\]}])/gm;
const listed = /^export (?:type )?\{([^}]*)\}/gm;
const named = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;
const whole = /\b(?:import|export)\s+(?:type\s+)?\*\s*(?:as\s+(\w+)\s+)?from\s*['"]([^'"]+)['"]/g;
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** `a, type b as c` → `[a, a]`, `[b, c]`: a name, and its name where the list is. */
const namesIn = (list: string): [own: string, here: string][] =>
  list.split(',').flatMap((part) => {
    const [own, here = own] = part
      .trim()
      .replace(/^type /, '')
      .split(/\s+as\s+|:\s*/);
    return own ? [[own, here!]] : [];
  });

function exportsOf(code: string): string[] {
  const names = [...code.matchAll(declared)].flatMap(
    ([, name, list]) => name ?? namesIn(list!).map(([, here]) => here),
  );
  return [...names, ...[...code.matchAll(listed)].flatMap(([, list]) => namesIn(list!).map(([, here]) => here))];
}

/** The exports without a user, as `path: name`. */
function withoutUser(files: ReadonlyMap<string, string>): string[] {
  const codes = new Map([...files].map(([path, text]) => [path, text.replace(comments, '')]));
  const used = new Set<string>();
  for (const [path, code] of codes) {
    const place = (specifier: string) =>
      specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;
    const use = (specifier: string, name: string) => used.add(`${place(specifier)}: ${name}`);
    /** All exports of a file that `isNamed` says are used by this one. */
    const useSome = (specifier: string, isNamed: (name: string) => boolean) => {
      for (const name of exportsOf(codes.get(place(specifier)) ?? '')) if (isNamed(name)) use(specifier, name);
    };
    const says = (text: string) => new RegExp(`(?<![\\w$])${text.replaceAll('$', '\\$')}(?![\\w$])`).test(code);
    for (const [, list, specifier] of code.matchAll(named)) for (const [own] of namesIn(list!)) use(specifier!, own);
    for (const [statement, as, specifier] of code.matchAll(whole)) {
      // `const { a } = all` takes names apart; only `all.a` tells which one is used.
      const isWhole = as === undefined || new RegExp(`(?<![\\w$.])${as}(?![\\w$.])`).test(code.replace(statement, ''));
      useSome(specifier!, (name) => isWhole || says(`${as}\\.${name}`));
    }
    for (const [, specifier] of code.matchAll(dynamic)) useSome(specifier!, says);
    // What a script bundles is imported by a text, from the root.
    if (path.startsWith('scripts/'))
      for (const [, list, specifier] of code.matchAll(named))
        for (const [own] of namesIn(list!)) used.add(`${normalize(specifier!)}: ${own}`);
  }
  return [...codes]
    .filter(([path]) => /^(?:src|commands)\/.*(?<!\.d)\.ts$/.test(path) && !isEntry(path))
    .flatMap(([path, code]) => exportsOf(code).map((name) => `${path}: ${name}`))
    .filter((one) => !used.has(one));
}

describe('an export without a user', () => {
  const exporting = `
    /* export const inComment = 1; */
    export const a = 1;
    export function b() { return a; }
    export const [c, d] = [1, 2];
    export interface E {}
    const f = 1;
    export { f as g };`.replace(/^ {4}/gm, '');
  const found = (...users: readonly string[]) =>
    withoutUser(
      new Map([['src/one.ts', exporting], ...users.map((text, i) => [`src/user${i}.ts`, text] as const)]),
    ).map((one) => one.replace('src/one.ts: ', ''));

  it('is found, whatever its form', () => {
    expect(found()).toEqual(['a', 'b', 'c', 'd', 'E', 'g']);
    expect(found("import { other } from './one.ts';\nimport { a } from './two.ts';")).toHaveLength(6);
  });

  it('is none if it is imported, by name, with all others, or later', () => {
    expect(found("import {\n  a,\n  b,\n  type E,\n  g as h,\n} from './one.ts';")).toEqual(['c', 'd']);
    expect(found("import * as one from './one.ts';\none.b(one.c);")).toEqual(['a', 'd', 'E', 'g']);
    expect(found("import * as one from './one.ts';\nconst { a } = one;")).toEqual([]);
    expect(found("export type * from './one.ts';")).toEqual([]);
    expect(found("const { b } = await import('./one.ts');")).toEqual(['a', 'c', 'd', 'E', 'g']);
  });

  it('does not exist', () => {
    const files = userFolders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
    expect(texts.size).toBeGreaterThan(500);
    expect(withoutUser(texts)).toEqual([]);
  });
});
