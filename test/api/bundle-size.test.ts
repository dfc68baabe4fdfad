import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Bytes of a minified bundle that only uses one export of a source. */
async function bundleSize(name: string, source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `import { ${name} } from './src/${source}';\nglobalThis.used = ${name};`, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]!.contents.length;
}

it.each([
  ['toHex', 'api/codec.ts', 2048],
  ['Snapshot', 'index.ts', 6144],
  ['decompress', 'api/codec.ts', 6144],
  ['apply', 'index.ts', 10_240],
  ['uuidOfName', 'api/codec.ts', 6144],
])('a bundle that imports only %s from src/%s has at most %i bytes', async (name, source, limit) => {
  expect(await bundleSize(name, source)).toBeLessThanOrEqual(limit);
});
