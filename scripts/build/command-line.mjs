import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, transform } from 'esbuild';

const start = 'commands/cli.ts';

/** What at least this many files load on demand is in one file: fewer files are larger, more files take longer to open. */
const sharedBy = 6;

/**
 * Bundles the command line with all its commands and packages into `dist/cli`: a file for each command and for what is loaded on
 * demand, and one for what many of them share. Most of a short run is the compiling of what is loaded, so a command loads its own
 * code only.
 *
 * CommonJS starts sooner than ES modules (figures in scripts/README.md), but esbuild divides only ES modules: each file is turned
 * into CommonJS afterwards.
 * @returns the files that are bundled
 */
export async function buildCommandLine(define) {
  const settings = {
    entryPoints: [start],
    outdir: 'dist/cli',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Its code for Node loads node:crypto, which takes longer than a small decode; the code for browsers has its own MD5.
    alias: { uuid: './node_modules/uuid/dist/index.js' },
    metafile: true,
    define,
    write: false,
  };
  const divided = (await build(settings)).metafile;
  const { outputFiles, metafile } = await build({ ...settings, plugins: [oneSharedFile(divided)] });
  mkdirSync('dist/cli', { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, await commonJs(text));
  return Object.keys(metafile.inputs);
}

async function commonJs(text) {
  const { code } = await transform(text, { format: 'cjs', target: 'node20', supported: { 'dynamic-import': false } });
  // esbuild copies the exports for the sake of older programs. Each use of a copy looks it up by name: `stats` took 1.7 times as long.
  const uncopied = code.replace('module.exports = __toCommonJS(stdin_exports);', 'module.exports = stdin_exports;');
  return (await transform(uncopied, { format: 'cjs', target: 'node20', minify: true, treeShaking: true })).code;
}

/**
 * esbuild makes a file for each set of entry points that need the same modules, 45 files for one `decode`. Modules that every
 * command imports are in one file.
 * @param divided the metafile without this
 */
function oneSharedFile({ outputs, inputs }) {
  const loaded = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  // If a module that is also imported the usual way imported the others, they would import each other in a circle, and some would run
  // before those whose values they need.
  const imported = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? path : [])),
    ),
  );
  const alone = loaded.filter((file) => file !== start && !imported.has(file));
  const commands = new Set(alone.map((file) => resolve(file)));
  const imports = sharedModules(outputs).map((file) => `import '${resolve(file)}';\n`);
  return {
    name: 'one-shared-file',
    setup({ onResolve, onLoad }) {
      // The package says that its modules have no side effects, and esbuild would leave out these imports.
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        sideEffects: true,
      }));
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        commands.has(path) ? { contents: imports.join('') + readFileSync(path, 'utf8'), loader: 'ts' } : undefined,
      );
    },
  };
}

/** The modules that at least `sharedBy` of the divided files need. */
function sharedModules(outputs) {
  const uses = new Map();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint) for (const used of withImports(path, outputs, new Set())) uses.set(used, (uses.get(used) ?? 0) + 1);
  }
  return [...uses]
    .filter(([, count]) => count >= sharedBy)
    .flatMap(([path]) => Object.keys(outputs[path].inputs))
    .filter((file) => file.endsWith('.ts'));
}

function withImports(path, outputs, found) {
  found.add(path);
  for (const { path: other, kind } of outputs[path].imports) {
    if (kind === 'import-statement' && outputs[other] && !found.has(other)) withImports(other, outputs, found);
  }
  return found;
}
