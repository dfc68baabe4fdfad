// Measures the peak memory of every command over files that consist of one repeated record.
//   node scripts/fuzz/memory.mjs [--megabytes N] [--only NAME,…] [--commands NAME,…] [--limit MB] [--timeout S]
// Prints a table in Markdown, of all commands that read the file from the largest peak on. The exit status is 1 if a
// command takes more than the limit; one that does not end in time is stopped, and has a + after its seconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, root } from './bundle.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '50' },
    only: { type: 'string' },
    commands: { type: 'string' },
    limit: { type: 'string', default: '300' },
    timeout: { type: 'string', default: '600' },
  },
});
const { repetitions, repeated, bomb, commandsOf, argumentsOf } = await import(
  pathToFileURL(await bundle('make/repeated')).href
);
const size = 1e6 * Number(values.megabytes);
const [limit, timeout] = [Number(values.limit), 1000 * Number(values.timeout)];
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-memory-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// The program writes its own peak memory when it ends.
const hook = join(folder, 'hook.cjs');
const peak = join(folder, 'peak');
writeFileSync(
  hook,
  `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
);

const chosen = (list, names) => list.filter((entry) => names === undefined || names.split(',').includes(entry));
const files = [
  ...repetitions.map((repetition) => ({
    name: repetition.name,
    kind: repetition.name.split('.').at(-1),
    pieces: () => repeated(repetition, size),
  })),
  ...['step.demo', 'empty-snapshot.pcap'].map((name) => {
    const entry = repetitions.find((other) => other.name === name);
    return { name: `${name}.gz`, kind: name.split('.').at(-1), pieces: () => [bomb(entry, size)] };
  }),
];
let isOver = false;
console.log(`| ${values.megabytes} MB of | peak memory in MB (elapsed seconds) |\n|---|---|`);
for (const { name, kind, pieces } of files) {
  if (values.only && !values.only.split(',').includes(name)) continue;
  const path = join(folder, name);
  const file = openSync(path, 'w');
  for (const piece of pieces()) writeSync(file, piece);
  closeSync(file);
  const rows = [];
  for (const command of chosen(commandsOf[kind], values.commands)) {
    rows.push({ command, ...(await measured(command, path)) });
  }
  rows.sort((a, b) => b.megabytes - a.megabytes);
  isOver ||= rows.some(({ megabytes }) => megabytes > limit);
  const texts = rows.map(({ command, megabytes, seconds, what }) => `${command} ${what ?? megabytes} (${seconds})`);
  console.log(`| ${name} | ${texts.join(', ')} |`);
  rmSync(path);
}
process.exitCode = isOver ? 1 : 0;

async function measured(command, path) {
  const out = join(folder, 'out');
  const args = argumentsOf(command, path, out);
  rmSync(peak, { force: true });
  const start = performance.now();
  // Into a file: a command may write any number of warnings.
  const errors = openSync(join(folder, 'errors'), 'w+');
  const child = spawn(process.execPath, ['--require', hook, join(root, 'bin/tw-snap.cjs'), ...args], {
    stdio: ['ignore', 'ignore', errors],
  });
  let kilobytes = 0;
  const timer = setTimeout(() => {
    kilobytes = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
    child.kill();
  }, timeout);
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  const stderr = Buffer.alloc(1 << 20);
  readSync(errors, stderr, 0, stderr.length, 0);
  closeSync(errors);
  const seconds = `${Math.round((performance.now() - start) / 1000)}${signal ? '+' : ''}`;
  rmSync(out, { recursive: true, force: true });
  if ((signal && kilobytes === 0) || status > 3 || /internal error/.test(String(stderr))) {
    return { megabytes: Infinity, seconds, what: signal ?? String(stderr).replaceAll('\0', '').slice(0, 100) };
  }
  return { megabytes: Math.round((kilobytes || Number(readFileSync(peak, 'utf8'))) / 1024), seconds };
}
