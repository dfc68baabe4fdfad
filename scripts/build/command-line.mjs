import { relative } from 'node:path';
import { build } from 'rolldown';

/**
 * Bundles the command line with all its commands and packages into `dist/cli`: a file for each command and for what is loaded on
 * demand, and one for what many of them share. Most of a short run is the compiling of what is loaded, so a command loads its own
 * code only.
 *
 * CommonJS starts sooner than ES modules (figures in scripts/README.md), and esbuild, which makes the other bundles, can't split
 * it.
 * @returns the files that are bundled
 */
export async function buildCommandLine(define) {
  const { output } = await build({
    input: 'commands/cli.ts',
    platform: 'node',
    resolve: {
      // Its code for Node loads node:crypto, which takes longer than a small decode; the code for browsers has its own MD5.
      alias: { uuid: new URL('../../node_modules/uuid/dist/index.js', import.meta.url).pathname },
    },
    transform: { target: 'node20', define },
    // A module that is imported in both ways is loaded with the command that needs it.
    checks: { ineffectiveDynamicImport: false },
    output: {
      dir: 'dist/cli',
      format: 'cjs',
      minify: true,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      // Fewer files are larger, more files take longer to open.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 6 }] },
    },
  });
  return output.flatMap(({ moduleIds }) => moduleIds.map((file) => relative('.', file)));
}
