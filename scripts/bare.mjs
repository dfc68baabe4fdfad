// npm run test:bare: runs the two commands of README's "Try it" on a copy of this checkout, where there is nothing but
// Node, npm, sh and the core utilities: no git, no browser, no games, no compiler, no ../shared. The path has spaces,
// TERM is unset, LANG is C, the time zone is another. As root on Linux this is a root directory of its own in a mount
// namespace: it has the programs below and the libraries that they load, and nothing else exists. Where that may not be
// made, it is a PATH with the same programs; the first line says which of the two it is.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const utilities = `
  [ basename cat chgrp chmod chown cksum comm cp cut date dd df dirname du echo env expand expr false fold head id install join link ln ls
  mkdir mkfifo mktemp mv nice nl nohup nproc od paste pathchk pr printenv printf pwd readlink realpath rm rmdir seq sha256sum sleep sort split
  stat stty sync tail tee test timeout touch tr true truncate tty uname unexpand uniq unlink wc whoami yes`;
const programs = ['node', 'npm', 'npx', 'sh', ...utilities.trim().split(/\s+/)];

const root = resolve(import.meta.dirname, '..');
const folders = (process.env.PATH ?? '').split(':').filter(Boolean);
const find = (name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
/** Where each program is; node is the one that runs this. */
const places = new Map(
  programs.map((name) => [name, name === 'node' ? process.execPath : find(name)]).filter(([, path]) => path),
);
const output = (program, ...args) => spawnSync(program, args, { encoding: 'utf8', cwd: root }).stdout?.trim() ?? '';
const quiet = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Runs a line, and prints the computing time of the shell and of its programs: minutes and seconds, user and system. */
const timed = 'eval "$0"; status=$?; echo "bare: computing time, user and system:"; times; exit $status';

const [, , inside, insideWork] = process.argv;
if (inside === '--inside') runInRoot(insideWork);
else main();

function main() {
  for (const name of ['npm', 'npx', 'sh', 'env']) if (!places.has(name)) fail(`there is no ${name} here`);
  const work = mkdtempSync(join(tmpdir(), 'tw-snap-bare-'));
  try {
    for (const name of ['home', 'tmp', 'root']) mkdirSync(join(work, name));
    chmodSync(join(work, 'tmp'), 0o1777);
    copyCheckout(join(work, 'people/tw snap'));
    const started = Date.now();
    const status = mayMount(work) ? inNamespace(work) : withPath(work);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`bare: ${status === 0 ? 'both commands passed' : `exit status ${status}`} after ${seconds} s`);
    process.exitCode = status;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The lines of README that begin with `npm ci`. */
function commands() {
  const lines = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^(npm ci && .*?)(?: +#.*)?$/gm)];
  if (lines.length !== 2) fail('README.md has no two lines that begin with npm ci');
  return lines.map(([, line]) => line);
}

/** What is committed, and what would be; without git everything but what is made. */
function copyCheckout(to) {
  const listed = output('git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  const made = ['.git', 'node_modules', 'dist', 'coverage', 'release', 'site'].map((name) => join(root, name));
  const all = listed.length > 1 ? listed.filter(Boolean) : readdirSync(root);
  for (const name of all.map((text) => join(root, text))) {
    if (made.includes(name) || !existsSync(name)) continue;
    cpSync(name, join(to, name.slice(root.length)), { recursive: true, verbatimSymlinks: true });
  }
}

function mayMount(work) {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false;
  if (!['unshare', 'mount', 'chroot', 'ldd'].every(find) || !realpathSync(places.get('npm')).endsWith('.js'))
    return false;
  return quiet('unshare', '--mount', '--propagation', 'private', 'mount', '-t', 'tmpfs', 'tmpfs', join(work, 'root'));
}

/** What npm needs to reach its registry as it does outside. */
function environment(cache) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:CI|NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy)$/i.test(name),
  );
  const config = ['registry', 'userconfig', 'cafile']
    .map((key) => [`npm_config_${key}`, output('npm', 'config', 'get', key)])
    .filter(([, value]) => value !== '' && value !== 'null' && value !== 'undefined');
  return { ...Object.fromEntries([...kept, ...config]), npm_config_cache: cache, LANG: 'C', TZ: 'Asia/Kathmandu' };
}

function runCommands(program, args, options) {
  for (const line of commands()) {
    console.log(`\nbare: $ ${line}`);
    const { status, signal, error } = spawnSync(program, [...args, line], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ...options,
    });
    if (error) console.error(String(error));
    if (status !== 0) return status ?? (signal ? 128 : 1);
  }
  return 0;
}

function summary() {
  const versions = `node ${process.versions.node}, npm ${output('npm', '--version')}`;
  return `${places.size} programs: ${versions}, sh and core utilities`;
}

/** Runs the commands with a PATH that has the programs only. */
function withPath(work) {
  const bin = join(work, 'bin');
  mkdirSync(bin);
  for (const [name, path] of places) symlinkSync(realpathSync(path), join(bin, name));
  console.log(`bare: a PATH of ${summary()} (no mount namespace: that takes root on Linux)`);
  const env = { ...environment(output('npm', 'config', 'get', 'cache')), PATH: bin, HOME: join(work, 'people') };
  return runCommands(join(bin, 'sh'), ['-c', timed], {
    cwd: join(work, 'people/tw snap'),
    env: { ...env, TMPDIR: join(work, 'tmp') },
  });
}

function inNamespace(work) {
  const self = fileURLToPath(import.meta.url);
  const args = ['--mount', '--propagation', 'private', process.execPath, self, '--inside', work];
  return spawnSync('unshare', args, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

/** Within the namespace: puts the root directory together, and runs the commands in it. */
function runInRoot(work) {
  const at = join(work, 'root');
  const mount = (...args) => {
    const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
    if (status !== 0) fail(`mount ${args.join(' ')}: ${stderr.trim()}`);
  };
  mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', at);
  const bound = new Set();
  /** Shows a file or folder of the host in the root directory, by default at its own path. */
  const show = (path, to = path, how = '--bind') => {
    if (bound.has(to) || !existsSync(path)) return;
    bound.add(to);
    const target = join(at, to);
    if (statSync(path).isDirectory()) mkdirSync(target, { recursive: true });
    else {
      mkdirSync(dirname(target), { recursive: true });
      closeSync(openSync(target, 'a'));
    }
    mount(how, path, target);
  };
  const link = (target, path) => {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    if (!existsSync(join(at, path))) symlinkSync(target, join(at, path));
  };

  // First, because Node may be below one of them.
  show(join(work, 'tmp'), '/tmp');
  show(join(work, 'people'), '/people/a user');
  const npm = realpathSync(places.get('npm'));
  const binaries = [...places].filter(([name]) => !['npm', 'npx'].includes(name)).map(([, path]) => realpathSync(path));
  for (const library of librariesOf([...new Set(binaries)])) show(library);
  for (const path of new Set(binaries)) show(path);
  // Debian's npm has its packages beside it.
  for (const path of npm.startsWith('/usr/share/nodejs/')
    ? ['/usr/share/nodejs', '/usr/share/node_modules']
    : [dirname(dirname(npm))])
    show(path);
  for (const [name, path] of places) if (!bound.has(`/bin/${name}`)) link(realpathSync(path), `/bin/${name}`);
  link(realpathSync(places.get('env')), '/usr/bin/env');

  show('/proc', '/proc', '--rbind');
  for (const name of ['null', 'zero', 'full', 'random', 'urandom', 'tty']) show(`/dev/${name}`);
  for (const [i, name] of ['stdin', 'stdout', 'stderr'].entries()) link(`/proc/self/fd/${i}`, `/dev/${name}`);
  link('/proc/self/fd', '/dev/fd');
  // Names of hosts and users, and whom to trust.
  const etc = ['resolv.conf', 'hosts', 'nsswitch.conf', 'passwd', 'group', 'ld.so.cache', 'ssl', 'pki'];
  for (const path of [...etc.map((name) => `/etc/${name}`), '/usr/share/ca-certificates']) show(path);
  const env = environment('/cache');
  for (const name of ['NODE_EXTRA_CA_CERTS', 'npm_config_userconfig', 'npm_config_cafile'])
    if (env[name]) show(env[name]);
  const cache = output('npm', 'config', 'get', 'cache');
  mkdirSync(cache, { recursive: true });
  show(cache, '/cache');

  console.log(`bare: a mount namespace with ${summary()}; nothing else exists in it`);
  const shell = ['sh', '-c', `cd "/people/a user/tw snap" && ${timed}`];
  process.exitCode = runCommands(find('chroot'), [at, ...shell], {
    env: { ...env, PATH: '/bin', HOME: '/people/a user' },
  });
}

/** The libraries of programs, and those of the C and C++ libraries that packages with native code load. */
function librariesOf(files) {
  const [node, ...rest] = files;
  const texts = [output('ldd', node), output('ldd', ...rest)];
  const found = new Set(
    texts.flatMap((text) => [...text.matchAll(/^\s+(?:\S+ => )?(\/\S+) \(/gm)].map(([, path]) => path)),
  );
  const base = /^(?:ld-|libc\.|lib(?:c|m|dl|rt|util|pthread|resolv|gcc_s|stdc\+\+|atomic|nss_\w+)\.so\.\d+$)/;
  for (const folder of new Set([...found].map(dirname))) {
    for (const name of readdirSync(folder)) if (base.test(basename(name))) found.add(join(folder, name));
  }
  return found;
}

function fail(sentence) {
  console.error(`bare: ${sentence}`);
  process.exit(1);
}
