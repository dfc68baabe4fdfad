import { build } from 'esbuild';

/**
 * Bundles the command line with all its commands and packages into one file. A command's code is in it once, and runs only when
 * the command is called.
 *
 * One CommonJS file starts sooner than ES modules with shared chunks (figures in scripts/README.md).
 */
export async function buildCommandLine(define) {
  const { metafile } = await build({
    entryPoints: ['commands/cli.ts'],
    outfile: 'dist/cli.cjs',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    metafile: true,
    define,
    // Its code for Node loads node:crypto, which takes longer than a small decode; the code for browsers has its own MD5.
    alias: { uuid: './node_modules/uuid/dist/index.js' },
  });
  return metafile;
}
