import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execFileSync } from '../support/host.ts';
import { root } from '../support/library-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-types-'));
beforeAll(() => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--project', 'tsconfig.types.json', '--outDir', folder], { cwd: root });
});
afterAll(() => rmSync(folder, { recursive: true }));

const texts = new Map<string, string>();
/** A file of types without comments. */
function textOf(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));
  return texts.get(file)!;
}

const fileOf = (from: string, module: string) => join(dirname(from), module.replace(/\.(ts|js)$/, '.d.ts'));
const declared = '(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\\w+)';

type Named = readonly (readonly [name: string, place: string])[];

const namesOf = new Map<string, Named>();
/** The names in braces of `import {…} from` or `export {…} from` statements, each with the place of its declaration. */
function named(file: string, keyword: 'import' | 'export'): Named {
  const key = `${keyword} ${file}`;
  if (!namesOf.has(key)) namesOf.set(key, readNames(file, keyword));
  return namesOf.get(key)!;
}

function readNames(file: string, keyword: 'import' | 'export'): Named {
  const statements = textOf(file).matchAll(new RegExp(`${keyword} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)'`, 'g'));
  return [...statements].flatMap(([, list, module]) =>
    [...list!.matchAll(/(\w+)(?: as (\w+))?(?=,|\s*$)/g)].map(([, name, own = name]) => {
      return [own!, placeOf(fileOf(file, module!), name!)] as const;
    }),
  );
}

/** Where a name of a module is declared: `file#name`. */
function placeOf(file: string, name: string): string {
  const found = [...named(file, 'import'), ...named(file, 'export')].find(([own]) => own === name);
  return found?.[1] ?? `${file}#${name}`;
}

function exportsOf(file: string): string[] {
  const own = [...textOf(file).matchAll(new RegExp(`^export ${declared}`, 'gm'))].map(([, name]) => `${file}#${name}`);
  const all = [...textOf(file).matchAll(/export type \* from '([^']+)'/g)];
  return [
    ...own,
    ...named(file, 'export').map(([, place]) => place),
    ...all.flatMap(([, module]) => exportsOf(fileOf(file, module!))),
  ];
}

/** The declarations of a file by name; functions may have several. */
function declarationsOf(file: string): Map<string, string> {
  const all = new Map<string, string>();
  const pattern = new RegExp(
    `^(?:export )?${declared}[\\s\\S]*?(?=^(?:export|declare|interface|type|import)\\b|(?![\\s\\S]))`,
    'gm',
  );
  for (const [text, name] of textOf(file).matchAll(pattern)) all.set(name!, (all.get(name!) ?? '') + text);
  return all;
}

it('every type that an export of the library names is exported, too', () => {
  const stable = ['index', 'codec', 'edit', 'explain', 'live', 'match'].map((name) => `api/${name}`);
  const filesOf = (names: string[]) => names.map((name) => join(folder, `${name}.d.ts`));
  const known = new Set(filesOf([...stable, 'api/unstable']).flatMap(exportsOf));
  const missing = new Set<string>();
  let checked = 0;
  for (const place of new Set(filesOf(stable).flatMap(exportsOf))) {
    const [file = '', name = ''] = place.split('#');
    const declarations = declarationsOf(file);
    const imports = new Set(named(file, 'import').map(([own]) => own));
    const text = declarations.get(name)!.replace(/'[^']*'|"[^"]*"/g, '');
    for (const [type] of text.matchAll(/\b[A-Z]\w*\b/g)) {
      if (type === name || !(declarations.has(type) || imports.has(type))) continue;
      checked++;
      if (!known.has(placeOf(file, type))) missing.add(`${type} of ${name}`);
    }
  }
  expect(checked).toBeGreaterThan(200);
  expect([...missing]).toEqual([]);
});
