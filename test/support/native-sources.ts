import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

/**
 * Builds `src` and `commands` once for a run of the tests, as modules that Node itself loads: 0.8 s of computing. Vite
 * would transform each file alone, and take every import through a getter. Quick tests take 0.87 of the computing with
 * this (three pairs), one file 1.3 s for 3.3 to 6.0.
 */
export async function nativeSources(root: string, define: Record<string, string>): Promise<Plugin> {
  // The folder belongs to this process, since another may run other sources.
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-tests-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    entryPoints: ['src', 'commands'].flatMap((name) => sourcesIn(root, name)),
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'error',
    define,
    loader: { '.demo': 'binary', '.pcap': 'binary', '.huff': 'binary' },
    // CommonJS packages require Node's modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return {
    name: 'native sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith('.ts') || importer === undefined) return undefined;
      const path = relative(root, resolve(importer, '..', source));
      const built = join(folder, path.replace(/\.ts$/, '.mjs'));
      return existsSync(built) ? { id: built, external: true } : undefined;
    },
  };
}

const sourcesIn = (root: string, name: string) =>
  readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.ts$/.test(path))
    .map((path) => join(name, path));
