import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Bytes of a minified bundle that only uses one export of a module of the package, as `npm run build` made it. */
async function bundleSize(name: string, module: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `import { ${name} } from '${module}';\nglobalThis.used = ${name};`, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    external: ['node:*'],
  });
  return outputFiles[0]!.contents.length;
}

/** The imports of the table in docs/LIBRARY.md. */
const imports = [
  ['Snapshot', 'tw-snap'],
  ['apply', 'tw-snap'],
  ['encode', 'tw-snap'],
  ['items', 'tw-snap'],
  ['decode', 'tw-snap'],
  ['readDemo', 'tw-snap'],
  ['readCapture', 'tw-snap'],
  ['columns', 'tw-snap'],
  ['build', 'tw-snap'],
  ['writeDemo', 'tw-snap'],
  ['SnapshotReceiver', 'tw-snap/live'],
  ['Channel', 'tw-snap/live'],
  ['connect', 'tw-snap/node'],
  ['eventsOf', 'tw-snap/match'],
  ['tables', 'tw-snap/data'],
] as const;

it('docs/LIBRARY.md has the sizes of imports (UPDATE_TRANSCRIPTS=1 writes them)', async () => {
  const path = join(root, 'docs/LIBRARY.md');
  const text = readFileSync(path, 'utf8');
  const rows: string[] = [];
  for (const [name, module] of imports) {
    const size = (await bundleSize(name, module)) / 1000;
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
  expect(await bundleSize('readDemo', 'tw-snap')).toBeLessThanOrEqual(160_000);
});

it.each([
  ['toHex', 'tw-snap/codec', 2048],
  ['Snapshot', 'tw-snap', 6144],
  ['decompress', 'tw-snap/codec', 6144],
  ['apply', 'tw-snap', 11_264],
  ['items', 'tw-snap', 26_112],
  ['SnapshotReceiver', 'tw-snap/live', 49_152],
  ['Channel', 'tw-snap/live', 18_432],
  ['uuidOfName', 'tw-snap/codec', 6144],
])('a bundle that imports only %s of %s has at most %i bytes', async (name, module, limit) => {
  expect(await bundleSize(name, module)).toBeLessThanOrEqual(limit);
});
