// Bundles the command line (split, so that a command is loaded when it is called) and the library, dependencies included.
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('dist', { recursive: true, force: true });

const common = {
  bundle: true,
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'linked',
  define: { VERSION: JSON.stringify(version) },
  outdir: 'dist',
};

await build({
  ...common,
  entryPoints: { cli: 'commands/cli.ts' },
  platform: 'node',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  // The dependencies that are CommonJS ask for Node's own modules by require.
  banner: { js: "import{createRequire as __require}from'node:module';const require=__require(import.meta.url);" },
});

// The library knows no Node.
await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['browser'],
});
