import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { exported } from './exported.mjs';

/**
 * Builds the library: one ES module for each source that its exports need, so that a consumer's bundler keeps only what
 * is imported, and for Node one file for each export. Packages are bundled into the modules that use them. It runs in
 * Node and in browsers (but `tw-snap/node`), so the code of packages that needs neither is used.
 * @returns the files that are bundled
 */
export async function buildLibrary(define) {
  const settings = {
    outdir: 'dist/library',
    outbase: 'src',
    bundle: true,
    platform: 'neutral',
    // Of tw-snap/node; test/layers.test.ts keeps them out of the rest.
    external: ['node:*'],
    mainFields: ['module', 'main'],
    conditions: ['browser'],
    target: 'node20',
    format: 'esm',
    metafile: true,
    define,
  };
  const whole = await build({ ...settings, entryPoints: exported(), write: false });
  const sources = Object.keys(whole.metafile.inputs).filter((path) => path.startsWith('src/'));
  const { metafile } = await build({ ...settings, entryPoints: sources, plugins: [unbundled] });
  await buildForNode(settings, whole.metafile);
  return Object.keys(metafile.inputs);
}

/**
 * The same in three files: what `import 'tw-snap'` and the small entries need, what the others need, and what is in
 * both. Node takes 100 ms to find and link the modules of the main entry one by one, and 35 ms for these. With a file
 * for whatever some entries share, as the bundler would divide them, there are fifty, which take 70 ms.
 */
async function buildForNode(settings, { outputs }) {
  const names = new Map(Object.values(outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  const folder = 'dist/node';
  const fileOf = (entry) => (mainEntries.includes(entry) ? 'main' : 'more');
  const parts = new Map(['main', 'more'].map((file) => [file, exported().filter((entry) => fileOf(entry) === file)]));
  const { metafile } = await build({
    ...settings,
    outdir: folder,
    entryPoints: [...parts.keys()].map((file) => ({ in: `part:${file}`, out: file })),
    chunkNames: 'shared',
    splitting: true,
    plugins: [
      {
        name: 'parts',
        setup({ onResolve, onLoad }) {
          // What is loaded later would be in files of its own, and so would everything that it shares with others.
          onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
            let imports = '';
            const text = readFileSync(path, 'utf8').replace(/\bimport\(('[^']+')\)/g, (_, from) => {
              const name = `later${imports.length}`;
              imports += `import * as ${name} from ${from};`;
              return `Promise.resolve(${name})`;
            });
            return { contents: imports + text, loader: 'ts' };
          });
          onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'parts' }));
          onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
            contents: parts
              .get(path)
              .map((entry) => `export * from './${entry}';`)
              .join('\n'),
            resolveDir: process.cwd(),
          }));
        },
      },
    ],
  });
  for (const entry of exported()) {
    const { exports: all } = metafile.outputs[`${folder}/${fileOf(entry)}.js`];
    const lost = names.get(entry).filter((name) => !all.includes(name));
    // Of two different things with one name, a file would export neither.
    if (lost.length > 0) throw new Error(`${entry}: another entry exports something else as ${lost.join(', ')}`);
    const path = entry.replace(/^src\//, '').replace(/\.ts$/, '.js');
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    const up = relative(dirname(path), '.') || '.';
    writeFileSync(`${folder}/${path}`, `export { ${names.get(entry).join(', ')} } from '${up}/${fileOf(entry)}.js';\n`);
  }
}

const mainEntries = ['src/api/index.ts', 'src/api/codec.ts', 'src/api/data.ts', 'src/api/live.ts'];

/** Keeps the imports of other source files, with the ending changed. */
const unbundled = {
  name: 'unbundled',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
    ),
};
