import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Builds the library: one ES module for each source that its exports need, so that a consumer's bundler keeps only what
 * is imported. Packages are bundled into the modules that use them. It runs in Node and in browsers (but `tw-snap/node`), so the
 * code of packages that needs neither is used.
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
    sourcemap: true,
    define,
  };
  const whole = await build({ ...settings, entryPoints: exported(), write: false });
  const sources = Object.keys(whole.metafile.inputs).filter((path) => path.startsWith('src/'));
  const { metafile } = await build({ ...settings, entryPoints: sources, plugins: [unbundled] });
  return Object.keys(metafile.inputs);
}

/** The source files of the exports in package.json. */
function exported() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const modules = Object.values(exports).filter((to) => typeof to !== 'string');
  return modules.map((to) => to.default.replace('./dist/library/', 'src/').replace(/\.js$/, '.ts'));
}

/** Keeps the imports of other source files, with the ending changed. */
const unbundled = {
  name: 'unbundled',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
    ),
};
