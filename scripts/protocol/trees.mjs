// Compares the tables of tw-snap with datasrc/network.py of other trees, by the built program.
//   node scripts/protocol/trees.mjs ../ddnet ../ddnet@16.0 ../mod.git@main
// A tree is a git directory, with a commit, tag or branch after @. Nothing of it is run. Prints what
// `schema --diff built-in` says of each, and the names of system messages with a UUID that only one side has. The
// status is 1 if anything differs. results.md explains what it found.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const trees = process.argv.slice(2);
if (trees.length === 0) {
  console.error('usage: node scripts/protocol/trees.mjs GIT-DIRECTORY[@COMMIT]...');
  process.exit(2);
}
const program = join(import.meta.dirname, '../../bin/tw-snap.cjs');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-trees-'));
/** @param {string[]} args */
const run = (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

/**
 * A file of a tree; undefined if the tree has none.
 * @param {string} directory
 * @param {string} name
 */
function show(directory, name) {
  try {
    return execFileSync('git', ['-C', directory, 'show', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const { messages } = JSON.parse(run('schema', '-p', '0.6', '-t', 'json').stdout);
/** @type {Set<string>} */
const ours = new Set();
for (const { uuid_name } of messages) if (uuid_name) ours.add(uuid_name);

/** @param {string} tree */
function compare(tree) {
  const [, directory, commit = 'HEAD'] = /** @type {string[]} */ (/^(.*?)(?:@([^/]+(?:\/[^@]+)*))?$/.exec(tree));
  let status = 0;
  for (const path of ['datasrc/network.py', 'datasrc/seven/network.py']) {
    const text = show(/** @type {string} */ (directory), `${commit}:${path}`);
    if (text === undefined) {
      if (path === 'datasrc/network.py') throw new Error(`${tree}: no ${path}`);
      continue;
    }
    const file = join(folder, 'network.py');
    writeFileSync(file, text);
    const { stdout, stderr, status: own } = run('schema', '--diff', 'built-in', file, '--width', '120');
    console.log(`# ${tree}: ${path}\n`);
    console.log(stderr.replaceAll(file, path) + stdout.replaceAll(file, path));
    status = Math.max(status, own ?? 3);
  }
  const header = show(/** @type {string} */ (directory), `${commit}:src/engine/shared/protocol_ex_msgs.h`);
  for (const [, name = ''] of header?.matchAll(/^UUID\(\w+, "([^"]+)"\)/gm) ?? []) {
    if (ours.has(name)) continue;
    console.log(`system message ${name}: not in the tables\n`);
    status = 1;
  }
  return status;
}

try {
  process.exitCode = Math.max(...trees.map(compare));
} finally {
  rmSync(folder, { recursive: true });
}
