// One build, as a process that runs command lines for net.mjs: `node build.mjs CHECKOUT FOLDER`. Standard output and
// error are files that are opened for appending, so that the program writes to them as if it were alone, and this
// process reads them after each line. All lines run in one process: code that was compiled well makes a line six to ten
// times as fast as a process of its own.
import { createHash } from 'node:crypto';
import {
  fstatSync,
  ftruncateSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { masked, maskedName } from './mask.mjs';

const [checkout, folder] = process.argv.slice(2);
const program = createRequire(import.meta.url)(join(checkout, 'dist/cli/cli.cjs'));
process.chdir(folder);
// Ctrl-C ends net.mjs, which ends this process.
process.on('SIGINT', () => {});

/** The files below a folder with what changes if they are written. */
function stateOf(path = '.', state = new Map()) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const name = join(path, entry.name);
    if (entry.isDirectory()) stateOf(name, state);
    else if (entry.isFile()) state.set(name, stateOfFile(name));
  }
  return state;
}

function stateOfFile(name) {
  const { ino, size, mtimeMs } = statSync(name);
  return `${ino} ${size} ${mtimeMs}`;
}

const inputs = stateOf();
const contents = new Map([...inputs.keys()].map((name) => [name, readFileSync(name)]));
const folders = foldersOf();

function foldersOf() {
  const entries = readdirSync('.', { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory());
  return new Set(entries.map(({ parentPath, path, name }) => join(parentPath ?? path, name)));
}

/** What was written since the last line, or deleted. Then all is as it was before. */
function takeFiles() {
  const state = stateOf();
  const changed = [...state.keys()].filter((name) => inputs.get(name) !== state.get(name));
  const deleted = [...inputs.keys()].filter((name) => !state.has(name));
  const parts = changed.map((name) => [name, readFileSync(name)]);
  for (const name of changed) rmSync(name);
  for (const name of [...changed, ...deleted].filter((entry) => inputs.has(entry))) {
    writeFileSync(name, contents.get(name));
    inputs.set(name, stateOfFile(name));
  }
  for (const path of foldersOf()) if (!folders.has(path)) rmSync(path, { recursive: true, force: true });
  return [...parts, ...deleted.map((name) => [`${name} (deleted)`, Buffer.alloc(0)])].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
}

function take(file) {
  const bytes = Buffer.alloc(fstatSync(file).size);
  for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, 0);
  return bytes;
}

async function run(args) {
  process.argv = [...process.argv.slice(0, 2), ...args];
  process.exitCode = undefined;
  await program.run();
  const status = process.exitCode ?? 0;
  process.exitCode = undefined;
  // Unfinished files are deleted when a process ends.
  process.emit('exit', status);
  const parts = [['status', Buffer.from(String(status))], ['stdout', take(1)], ['stderr', take(2)], ...takeFiles()];
  return new Map(parts.map(([name, bytes]) => [maskedName(name), masked(bytes, checkout)]));
}

async function hashOf(args) {
  const hash = createHash('sha256');
  for (const [name, bytes] of await run(args)) hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

async function optionsOf() {
  const { commands } = await program.wholeProgram();
  return commands.map((command) => [
    command.name(),
    command.options.map(({ long, required, optional, argChoices }) => ({
      long,
      isFlag: !required && !optional,
      argChoices,
    })),
  ]);
}

function computingSeconds() {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
}

const answers = { hash: hashOf, show: run, options: optionsOf, seconds: computingSeconds };
let before = Promise.resolve();
process.on('message', ([name, args]) => {
  before = before.then(async () => process.send(await answers[name](args)));
});
