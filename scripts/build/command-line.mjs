import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

/** What `cli.cjs` does not contain: the files that `import()` loads, and which modules begin them. */
const laterFiles = [
  ['colours.cjs', /^chalk$/],
  ['kinds.cjs', /^(?:src\/input\/(?:source\/file-kinds|decompress\/on-the-way)|commands\/implied)/],
  ['rest.cjs', /^src\/input\/source\/without-beginning/],
  ['text.cjs', /^src\/input\/pasted\//],
  ['schema.cjs', /^commands\/schema/],
  ['commands.cjs', /^(?:src|commands)\//],
];

const decode = 'commands/decode/index.ts';

/**
 * Bundles the command line into CommonJS files in `dist/cli`: `cli.cjs` has what every start needs and `decode` of a
 * payload, the others are loaded by the first `import()` of what they contain. Most of the start of a small `decode`
 * was compiling one large file, and its modules once more because they were loaded one by one.
 *
 * The other files take what `cli.cjs` has from there, once, into variables of their own: a function that is looked up
 * in another module at each call would cost more than the division gains.
 *
 * Lists are sorted: esbuild asks its plugins in any order, and the same sources make the same bytes.
 * @returns the files that are bundled
 */
export async function buildCommandLine(define) {
  const bundle = (file, contents, plugins, options) =>
    build({
      stdin: { contents, resolveDir: process.cwd() },
      outfile: `dist/cli/${file}`,
      plugins,
      bundle: true,
      minify: true,
      // For the traces of a checkout; the package has none.
      sourcemap: 'linked',
      sourcesContent: false,
      platform: 'node',
      target: 'node20',
      // Modules of Node are loaded by require(): a script in a single executable has no other way.
      // Patterns with \p{…} stay literals, which V8 compiles once: Node 20 knows them.
      supported: { 'dynamic-import': false, 'regexp-unicode-property-escapes': true },
      format: 'cjs',
      // Its code for Node loads node:crypto, which takes longer than a small decode; the code for browsers has its own
      // MD5.
      alias: {
        uuid: './node_modules/uuid/dist/index.js',
        // Commander loads it for commands that are programs of their own, of which there are none: 4 ms of a start.
        'node:child_process': './scripts/build/nothing.cjs',
      },
      external: ['./cli.cjs', ...laterFiles.map(([file]) => `./${file}`)],
      metafile: true,
      define,
      ...options,
    });
  const later = new Map(laterFiles.map(([file]) => [file, new Set()]));
  const start = (more, options) => {
    const contents = `export * from './commands/cli.ts'; export * as decode from './${decode}'; ${more}`;
    return bundle('cli.cjs', contents, [elsewhere(later)], options);
  };
  const entryOf = (file) =>
    `export const modules = [${[...later.get(file)].sort().map((path) => `() => require(${JSON.stringify(path)})`)}]`;
  const early = inputsOf(await start('', { write: false }));
  // What the other files import of the first, and by which names.
  const shared = new Map();
  for (const file of [...later.keys()].reverse()) {
    const { inputs } = (await bundle(file, entryOf(file), [elsewhere(later, file)], { write: false })).metafile;
    const others = Object.keys(inputs).filter((path) => !early.has(path));
    for (const other of others) {
      for (const { path, original } of inputs[other].imports) {
        if (early.has(path)) shared.set(path, [...(shared.get(path) ?? []), ...namesOf(other, original)]);
      }
    }
  }
  const names = await exportsOf(shared);
  const modules = [...names].map(([path, exported], i) => {
    const own = exported.map((name, k) => [name, `m${i}_${k}`]);
    const imports = `import { ${own.map(([name, as]) => `${name} as ${as}`)} } from './${path}';`;
    return { imports, value: `() => ({ ${own.map(([name, as]) => `${name}: ${as}`)} })` };
  });
  // By number, here and in `modules`: the paths would be a fiftieth of the file.
  const table = `export const shared = [${modules.map(({ value }) => value)}];`;
  await start(`${modules.map(({ imports }) => imports).join('')} ${table}`);
  const files = [early];
  for (const file of later.keys()) {
    files.push(inputsOf(await bundle(file, entryOf(file), [elsewhere(later, file), taken(names)])));
  }
  return [...new Set(files.flatMap((file) => [...file]))];
}

/** The files of a bundle, without those that exist only in the build. */
const inputsOf = ({ metafile }) =>
  new Set(Object.keys(metafile.inputs).filter((path) => /[/]/.test(path) && !path.includes(':')));

/** The names that a file imports from another, types among them; `all` if it names none. */
function namesOf(file, imported) {
  const clauses = readFileSync(file, 'utf8').matchAll(/^(?:import|export) \{([^}]*)\} from '(.*)';$/gm);
  const lists = [...clauses]
    .filter(([, , from]) => from === imported)
    .map(([, list]) => list.match(/\w+(?=,| as |\s*$)/g));
  return lists.length > 0 ? lists.flat() : [all];
}

const all = '*';

/** The names that modules export, of those that others import: a name that is not listed is an error of the build. */
async function exportsOf(shared) {
  const entryPoints = [...shared.keys()].sort();
  const { outputs } = (await build({ entryPoints, outdir: 'unused', write: false, metafile: true, format: 'esm' }))
    .metafile;
  return new Map(
    Object.values(outputs).map(({ entryPoint, exports }) => {
      const wanted = new Set(shared.get(entryPoint));
      return [entryPoint, exports.filter((name) => wanted.has(name) || wanted.has(all))];
    }),
  );
}

/** Replaces what `import()` loads by a look into the file that has it, unless that is `own`. */
const elsewhere = (later, own) => ({
  name: 'elsewhere',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:\.|[a-z-]+$)/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const target = path.startsWith('.') ? relative(process.cwd(), resolve(resolveDir, path)) : path;
      const [file] = laterFiles.find(([, pattern]) => pattern.test(target)) ?? [];
      if (file === own) return undefined;
      if (target === decode) return { path: './cli.cjs").decode; //', namespace: 'elsewhere' };
      const name = path.startsWith('.') ? `./${target}` : target;
      // The first bundles are not written: they only fill these lists.
      const at = [...later.get(file).add(name)].sort().indexOf(name);
      return { path: `./${file}").modules[${at}]();`, namespace: 'elsewhere' };
    });
    onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path }) => ({ contents: `module.exports = require("${path}` }));
  },
});

/** Replaces modules that the first file has by variables with their exports. */
const taken = (names) => ({
  name: 'taken',
  setup({ onLoad }) {
    const paths = [...names.keys()];
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const exported = names.get(relative(process.cwd(), path));
      if (!exported) return undefined;
      const at = paths.indexOf(relative(process.cwd(), path));
      return { contents: `export const { ${exported} } = require('./cli.cjs').shared[${at}]();` };
    });
  },
});
