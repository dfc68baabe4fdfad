// node check.mjs -- node adapters/tw-snap.mjs: the sources of this checkout as a decoder.
// They are bundled first, since Node does not run TypeScript.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-vectors-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, 'tw-snap.mjs');
await build({
  entryPoints: [fileURLToPath(new URL('tw-snap.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
});
const { answer } = await import(pathToFileURL(outfile).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { codes, ...own } = answer(JSON.parse(line));
  console.log(JSON.stringify(own));
}
