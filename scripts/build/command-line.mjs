import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

/**
 * What `cli.cjs` does not contain: the files that `import()` loads, and which modules begin them. Small ones are loaded
 * where nothing else is: they take from `cli.cjs` only, and have copies of what others have, too.
 */
const smallFiles = {
  'colours.cjs': /^node_modules\/chalk\//,
  'kinds.cjs': /^(?:src\/input\/(?:source\/file-kinds|decompress\/on-the-way)|commands\/implied)/,
  'rest.cjs': /^src\/input\/source\/without-beginning/,
  'text.cjs': /^src\/input\/pasted\//,
  'schema.cjs': /^commands\/schema/,
  'help.cjs': /^commands\/(?:topics|lib\/options\/short-help)/,
};

/** Each has what it alone needs of these; `usual.cjs` what several of them need. */
const usualFiles = {
  'info.cjs': /^commands\/info/,
  'checksum.cjs': /^commands\/checksum/,
  'dump.cjs': /^commands\/dump/,
  'stats.cjs': /^commands\/stats/,
  'demos.cjs': /^src\/recording\/demo\/(?:demo-replay|checked-demo)/,
  'captures.cjs':
    /^src\/(?:recording\/capture\/capture-replay|analysis\/explain\/(?:checksum-results|recording-explainer)|output\/reports\/capture-checksum)/,
  'usual.cjs': /^(?:commands\/lib\/input\/(?:odd-inputs|records)|src\/input\/source\/records)/,
};

const laterFiles = { ...smallFiles, ...usualFiles, 'commands.cjs': /./ };

const start = 'commands/cli.ts';
const decode = 'commands/decode/index.ts';

/**
 * Bundles the command line into CommonJS files in `dist/cli`: `cli.cjs` has what every start needs and `decode` of a
 * payload, the others are loaded by the first `import()` of what they contain. V8 looks through a whole file before it
 * runs any of it, which takes 36 ms for a megabyte; a file more takes 0.4 ms, and modules one by one took longest.
 *
 * A file takes what another has from there, once, into variables of its own: a function that is looked up in another
 * module at each call would cost more than the division gains.
 *
 * Lists are sorted: esbuild asks its plugins in any order, and the same sources make the same bytes.
 * @returns the files that are bundled
 */
export async function buildCommandLine(define) {
  const bundle = (contents, options) =>
    build({
      stdin: { contents, resolveDir: process.cwd() },
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
      external: ['cli.cjs', ...Object.keys(laterFiles)].map((file) => `./${file}`),
      metafile: true,
      define,
      ...options,
    });
  const first = `export * from './${start}'; export * as decode from './${decode}';`;
  const { inputs } = (await bundle(first, { outfile: 'unused.cjs', write: false })).metafile;
  const division = divide(inputs);
  const shared = await sharedNames(division, inputs);
  const bundled = [...division.modules.keys()].map((file) => {
    const contents = file === 'cli.cjs' ? first + sharedAtOnce(shared.get(file)) : tables(file, division, shared);
    const plugins = [elsewhere(file, division, inputs), taken(file, division, shared)];
    return bundle(contents, { outfile: `dist/cli/${file}`, plugins });
  });
  await Promise.all(bundled);
  // Without those that exist only in the build.
  return Object.keys(inputs).filter((path) => /[/]/.test(path) && !path.includes(':'));
}

/**
 * Divides the modules among the files.
 * @returns the modules of each file, those that `import()` finds there, and where a file finds a module
 */
function divide(inputs) {
  const importsOf = (path) => inputs[path].imports.filter((to) => to.path in inputs);
  const neededBy = (begins, without = new Set()) => {
    const found = new Set();
    const add = (path) => {
      if (found.has(path) || without.has(path)) return;
      found.add(path);
      for (const { path: to, kind } of importsOf(path)) if (kind !== 'dynamic-import') add(to);
    };
    begins.forEach(add);
    return found;
  };
  const early = neededBy([start, decode]);
  const targets = Object.keys(inputs)
    .flatMap(importsOf)
    .filter(({ kind, path }) => kind === 'dynamic-import' && !early.has(path));
  const later = [...new Set(targets.map(({ path }) => path))].sort();
  const fileOf = (path) => Object.keys(laterFiles).find((file) => laterFiles[file].test(path));
  const needed = new Map(
    Object.keys(laterFiles).map((file) => [
      file,
      neededBy(
        later.filter((path) => fileOf(path) === file),
        early,
      ),
    ]),
  );
  const owner = new Map([...early].map((path) => [path, 'cli.cjs']));
  for (const file of Object.keys(usualFiles)) {
    for (const path of needed.get(file)) owner.set(path, owner.has(path) ? 'usual.cjs' : file);
  }
  for (const path of needed.get('commands.cjs')) if (!owner.has(path)) owner.set(path, 'commands.cjs');

  const modules = new Map([['cli.cjs', [...early].sort()]]);
  for (const [file, paths] of needed) {
    const own = file in smallFiles ? paths : [...owner.keys()].filter((path) => owner.get(path) === file);
    modules.set(file, [...own].sort());
  }
  const holder = (path) => (fileOf(path) in smallFiles ? fileOf(path) : owner.get(path));
  return {
    modules,
    later: new Map([...modules.keys()].map((file) => [file, later.filter((path) => holder(path) === file)])),
    /** Where `file` finds a module: in itself, if it has it. */
    fileWith: (path, file) => (modules.get(file).includes(path) ? file : owner.get(path)),
    /** Where `file` finds what `import()` loads. */
    laterFileWith: (path, file) => (modules.get(file).includes(path) ? file : holder(path)),
  };
}

/** What each file has that others import, and by which names: maps of paths by file. */
async function sharedNames({ modules, fileWith }, inputs) {
  const wanted = new Map([...modules.keys()].map((file) => [file, new Map()]));
  for (const [file, paths] of modules) {
    for (const importer of paths) {
      for (const { path, original, kind } of inputs[importer].imports) {
        if (kind === 'dynamic-import' || !(path in inputs)) continue;
        const from = fileWith(path, file);
        const names = wanted.get(from);
        if (from !== file) names.set(path, [...(names.get(path) ?? []), ...namesOf(importer, original)]);
      }
    }
  }
  return new Map(await Promise.all([...wanted].map(async ([file, names]) => [file, await exportsOf(names)])));
}

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
  if (entryPoints.length === 0) return new Map();
  const { outputs } = (await build({ entryPoints, outdir: 'unused', write: false, metafile: true, format: 'esm' }))
    .metafile;
  return new Map(
    Object.values(outputs).map(({ entryPoint, exports }) => {
      const wanted = new Set(shared.get(entryPoint));
      return [entryPoint, exports.filter((name) => wanted.has(name) || wanted.has(all))];
    }),
  );
}

/** What others find in a file, by number: the paths would be a fiftieth of it. A module runs when it is asked for. */
function tables(file, { later }, shared) {
  const list = (paths) => `[${[...paths].map((path) => `() => require('./${path}')`)}]`;
  return `export const modules = ${list(later.get(file))}, shared = ${list(shared.get(file).keys())};`;
}

/** The table of `cli.cjs`, whose modules all run at once. */
function sharedAtOnce(names) {
  const modules = [...names].map(([path, exported], i) => {
    const own = exported.map((name, k) => [name, `m${i}_${k}`]);
    const imports = `import { ${own.map(([name, as]) => `${name} as ${as}`)} } from './${path}';`;
    return { imports, value: `() => ({ ${own.map(([name, as]) => `${name}: ${as}`)} })` };
  });
  return `${modules.map(({ imports }) => imports).join('')} export const shared = [${modules.map(({ value }) => value)}];`;
}

/** Replaces what `import()` loads by a look into the file that has it, unless that is `own`. */
const elsewhere = (own, { later, laterFileWith }, inputs) => ({
  name: 'elsewhere',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined;
      const known = inputs[relative(process.cwd(), importer)].imports;
      const target = known.find((to) => to.kind === kind && to.original === path)?.path;
      // A module of Node.
      if (target === undefined) return undefined;
      if (target === decode) return { path: './cli.cjs").decode; //', namespace: 'elsewhere' };
      const file = laterFileWith(target, own);
      if (file === own) return undefined;
      return { path: `./${file}").modules[${later.get(file).indexOf(target)}]();`, namespace: 'elsewhere' };
    });
    onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path }) => ({ contents: `module.exports = require("${path}` }));
  },
});

/** Replaces modules that other files have by variables with their exports. */
const taken = (own, { fileWith }, shared) => ({
  name: 'taken',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const module = relative(process.cwd(), path);
      const file = fileWith(module, own);
      if (file === own) return undefined;
      const names = shared.get(file);
      const at = [...names.keys()].indexOf(module);
      return { contents: `export const { ${names.get(module)} } = require('./${file}').shared[${at}]();` };
    });
  },
});
