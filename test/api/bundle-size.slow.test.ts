import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/**
 * Bytes of a minified bundle that only uses one export of a source, without what `import()` loads later: the reader of
 * compressed streams.
 */
async function bundleSize(name: string, source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `import { ${name} } from './src/${source}';\nglobalThis.used = ${name};`, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    external: ['node:*'],
    plugins: [{ name: 'later', setup: ({ onResolve }) => onResolve({ filter: /^\./ }, onlyLater) }],
  });
  return outputFiles[0]!.contents.length;
}

const onlyLater = ({ kind, path }: { readonly kind: string; readonly path: string }) =>
  kind === 'dynamic-import' ? { path, external: true } : undefined;

/** The imports of the table in docs/LIBRARY.md. */
const imports = [
  ['Snapshot', 'api/index.ts'],
  ['apply', 'api/index.ts'],
  ['encode', 'api/index.ts'],
  ['items', 'api/index.ts'],
  ['decode', 'api/index.ts'],
  ['readDemo', 'api/index.ts'],
  ['readCapture', 'api/index.ts'],
  ['columns', 'api/index.ts'],
  ['build', 'api/index.ts'],
  ['writeDemo', 'api/index.ts'],
  ['SnapshotReceiver', 'api/live.ts'],
  ['Channel', 'api/live.ts'],
  ['connect', 'api/node/connect.ts'],
  ['eventsOf', 'api/match.ts'],
  ['tables', 'api/data.ts'],
] as const;

it('docs/LIBRARY.md has the sizes of imports (UPDATE_TRANSCRIPTS=1 writes them)', async () => {
  const path = join(root, 'docs/LIBRARY.md');
  const text = readFileSync(path, 'utf8');
  const rows: string[] = [];
  for (const [name, source] of imports) {
    const module = source.replace(/^api\/(\w+)(\/connect)?\.ts$/, 'tw-snap/$1').replace('/index', '');
    const size = (await bundleSize(name, source)) / 1000;
    rows.push(`| \`${name}\` of \`${module}\` | ${Math.round(size)} |\n`);
    const stated = Number(new RegExp(`\\| \`${name}\` of \`${module}\` \\| (\\d+) \\|`).exec(text)?.[1]);
    if (!process.env.UPDATE_TRANSCRIPTS) expect(Math.abs(stated - size), name).toBeLessThan(0.6 + size * 0.03);
  }
  const head = '| import | kB |\n|---|---|\n';
  const [before, after] = text.split(head) as [string, string];
  const table = head + rows.join('');
  if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(path, before + table + after.slice(after.indexOf('\n\n') + 1));
  expect(rows.length).toBe(imports.length);
});

it('readDemo does not bundle captures', async () => {
  expect(await bundleSize('readDemo', 'api/index.ts')).toBeLessThanOrEqual(155_000);
});

it.each([
  ['toHex', 'api/codec.ts', 2048],
  ['Snapshot', 'api/index.ts', 6144],
  ['decompress', 'api/codec.ts', 6144],
  ['apply', 'api/index.ts', 11_264],
  ['items', 'api/index.ts', 26_112],
  ['SnapshotReceiver', 'api/live.ts', 48_128],
  ['Channel', 'api/live.ts', 18_432],
  ['uuidOfName', 'api/codec.ts', 6144],
])('a bundle that imports only %s from src/%s has at most %i bytes', async (name, source, limit) => {
  expect(await bundleSize(name, source)).toBeLessThanOrEqual(limit);
});
