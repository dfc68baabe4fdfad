import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { build } from 'esbuild';

export const root = join(import.meta.dirname, '../..');

/** The modules that package.json exports, with their sources: `tw-snap/codec` → `src/api/codec.ts`. */
export const modules: ReadonlyMap<string, string> = new Map(
  Object.entries<string | { readonly default: string }>(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports,
  ).flatMap(([path, to]) =>
    typeof to === 'string'
      ? []
      : [[path.replace('.', 'tw-snap'), to.default.replace('./dist/library/', 'src/').replace(/\.js$/, '.ts')]],
  ),
);

/** An export of a module, and the doc block of its declaration. */
interface Exported {
  readonly module: string;
  readonly name: string;
  /** Whether it exists only for the compiler. */
  readonly isType: boolean;
  /** Undefined if there is none. */
  readonly doc: string | undefined;
}

/** Everything that the library exports. */
export function exportedNames(): Exported[] {
  return [...modules].flatMap(([module, source]) =>
    [...exportsOf(source)].map(([name, file]) => ({
      module,
      name,
      isType: new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(read(file)),
      doc: docOf(name, file),
    })),
  );
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names that a source exports from others, with the source that declares each. */
function exportsOf(source: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, list, from] of read(source).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)) {
    const target = normalize(join(dirname(source), from!));
    for (const entry of list!.split(',')) {
      const name = entry.trim().replace(/^type /, '');
      if (name !== '') names.set(name, declaration(name).test(read(target)) ? target : exportsOf(target).get(name)!);
    }
  }
  return names;
}

const declaration = (name: string) =>
  new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?^export (?:async |abstract )?(?:function\\*?|const|class|interface|type) ${name}\\b`,
    'm',
  );

const docOf = (name: string, file: string) =>
  declaration(name)
    .exec(read(file))?.[1]
    ?.replace(/^ *\/?\*+[ /]?/gm, '');

/** A TypeScript block of a text: `where` it is, and its code. */
export interface Example {
  readonly where: string;
  readonly code: string;
}

const blocks = (where: string, text: string): Example[] =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code], i) => ({ where: `${where} ${i + 1}`, code: code! }));

export const examplesOfExports = (): Example[] =>
  exportedNames().flatMap(({ module, name, doc }) => blocks(`${module}: ${name}`, doc ?? ''));

/** The examples of the README and the guide. */
export function examplesOfDocs(): Example[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', ...pages.map((name) => join('docs', name))].flatMap((path) => blocks(path, read(path)));
}

/** Bundles programs that import the modules of the library, as `NAME.mjs` in a folder, which Node then runs. */
export const bundlePrograms = (entryPoints: string[], outdir: string) =>
  build({
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    alias: Object.fromEntries([...modules].map(([module, source]) => [module, join(root, source)])),
  });
