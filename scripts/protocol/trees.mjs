// Compares the tables of tw-snap with datasrc/network.py of other trees, by the built program.
//   node scripts/protocol/trees.mjs ../ddnet ../ddnet@16.0 ../mod.git@main
// A tree is a git directory, with a commit, tag or branch after @. Its network.py is run: Python prints it as JSON, with
// bin/network-json.py. Prints what `schema --diff built-in` says of each, and the names of system messages with a UUID that only one side has. The
// status is 1 if anything differs. results.md explains what it found.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const trees = process.argv.slice(2);
if (trees.length === 0) {
  console.error('usage: node scripts/protocol/trees.mjs GIT-DIRECTORY[@COMMIT]...');
  process.exit(2);
}
const bin = join(import.meta.dirname, '../../bin');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-trees-'));
/** @param {string[]} args */
const run = (...args) => spawnSync(process.execPath, [join(bin, 'tw-snap.cjs'), ...args], { encoding: 'utf8' });

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
  /** @param {string} path */
  const put = (path) => {
    const text = show(/** @type {string} */ (directory), `${commit}:${path}`);
    if (text === undefined) return undefined;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  for (const place of ['datasrc', 'datasrc/seven']) {
    put(`${place}/datatypes.py`);
    const path = `${place}/network.py`;
    const file = put(path);
    if (file === undefined) {
      if (place === 'datasrc') throw new Error(`${tree}: no ${path}`);
      continue;
    }
    const printed = spawnSync('python3', ['-B', join(bin, 'network-json.py'), file], { encoding: 'utf8' });
    const json = `${file}.json`;
    writeFileSync(json, printed.stdout);
    const compared = run('schema', '--diff', 'built-in', json, '--width', '120');
    console.log(`# ${tree}: ${path}\n`);
    const text = printed.stderr + (printed.status === 0 ? compared.stderr + compared.stdout : '');
    console.log(text.replaceAll(json, path).replaceAll(file, path));
    status = Math.max(status, printed.status === 0 ? (compared.status ?? 3) : 3);
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
