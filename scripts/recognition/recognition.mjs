// How the command line reads payloads of recordings, when it is told little of them: right, in doubt, or wrong. Usage:
// node scripts/recognition/recognition.mjs FOLDER [--tree CHECKOUT] [--seed S] [--each N] [--payloads N] [--show N];
// prints a Markdown table. With --tree the sources of another checkout are judged, on the same inputs. With --versions
// it is the version of connections whose handshake is cut off, from --each places of each connection.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundle, root } from '../fuzz/bundle.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The checkout that is judged. */
    tree: { type: 'string', default: root },
    seed: { type: 'string', default: '1' },
    versions: { type: 'boolean', default: false },
    /** Inputs of each kind of message and packet, at most. */
    each: { type: 'string', default: '6' },
    /** Snapshots and deltas of each recording, at most. */
    payloads: { type: 'string', default: '4' },
    /**
     * Inputs that were not read right are printed to standard error, this many at most, or only those of the rows that
     * `only` matches.
     */
    show: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-judged-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: [join(resolve(values.tree), 'commands/index.ts')],
  outfile: join(folder, 'judged.cjs'),
  absWorkingDir: resolve(values.tree),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
  define: { VERSION: '"0.0.0"', COMMIT: '""' },
});
const { main } = (await import(join(folder, 'judged.cjs'))).default;
const { measure } = await import(await bundle(`../recognition/${values.versions ? 'versions' : 'measure'}`));
console.log(await measure(positionals[0], main, values));
