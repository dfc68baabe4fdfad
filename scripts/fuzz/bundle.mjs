import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = resolve(fileURLToPath(import.meta.url), '../../..');

/**
 * Bundles a script, named relative to this folder, since Node does not run TypeScript; returns the path of the bundle.
 */
export const bundle = (name) => bundled(name, { entryPoints: [join(root, `scripts/fuzz/${name}.ts`)] });

/** Bundles a module that is given as text, whose imports are absolute. */
export const bundleText = (name, contents) => bundled(name, { stdin: { contents, resolveDir: root, loader: 'ts' } });

async function bundled(name, input) {
  // The folder belongs to this process, since another may run other code.
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-fuzz-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${basename(name)}.mjs`);
  await build({
    ...input,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'error',
    define: { VERSION: '"0.0.0-fuzz"' },
    // CommonJS packages require Node's modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outfile;
}
