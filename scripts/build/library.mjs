import { build } from 'esbuild';

/** Bundles the library. It runs in Node and in browsers, so it takes the code of packages that needs neither. */
export async function buildLibrary(define) {
  const { metafile } = await build({
    entryPoints: ['src/index.ts'],
    outfile: 'dist/index.js',
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['browser'],
    target: 'node20',
    format: 'esm',
    minify: true,
    metafile: true,
    define,
  });
  return metafile;
}
