import { build } from 'esbuild';

/**
 * Bundles the command line with all its commands and packages into one CommonJS file, `dist/cli/cli.cjs`.
 * @returns the files that are bundled
 */
export async function buildCommandLine(define) {
  const { metafile } = await build({
    entryPoints: ['commands/cli.ts'],
    outfile: 'dist/cli/cli.cjs',
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Its code for Node loads node:crypto, which takes longer than a small decode; the code for browsers has its own MD5.
    alias: { uuid: './node_modules/uuid/dist/index.js' },
    metafile: true,
    define,
  });
  return Object.keys(metafile.inputs);
}
