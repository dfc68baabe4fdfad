// Runs the built program on damaged samples, by default 1,000 of each.
//   node scripts/fuzz/program.mjs [--each N] [--seed S] [--sample NAME]
// The status has to be 0, 1 or 3 within two seconds, and no stack trace may be seen. Most run one after the other in
// this process, with streams of their own; one of fifty in a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { bundle, root } from './bundle.mjs';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string' },
  },
});
const [each, seed] = [Number(values.each), Number(values.seed)];
const program = createRequire(import.meta.url)(join(root, 'dist/cli/cli.cjs'));
const { damagedSample, commandFor } = await import(pathToFileURL(await bundle('program-inputs')).href);

const samples = join(root, 'samples');
const names = readdirSync(samples).filter(
  (name) => (name === 'mod-schema.json' || !/\.(json|md)$/.test(name)) && (values.sample ?? name) === name,
);
const milliseconds = 2000;
const apart = 50;
const statuses = new Map();
const counts = { here: 0, apart: 0 };
const finds = [];
let slowest = 0;
const checkTime = startTimeLimit();
const real = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };

for (const [i, name] of names.entries()) {
  const sample = new Uint8Array(readFileSync(join(samples, name)));
  for (let number = 0; number < each; number++) {
    checkTime(i, number);
    const input = damagedSample(name, sample, seed, number);
    const args = commandFor(name, seed, number);
    const run = number % apart === 0 ? runApart : runHere;
    let result = await run(args, input);
    // The machine may have been busy, so the CPU time counts.
    if (result.elapsed >= milliseconds) {
      const start = process.cpuUsage();
      result = await runHere(args, input);
      const { user, system } = process.cpuUsage(start);
      result.elapsed = Math.round((user + system) / 1000);
    }
    const { status, stderr, elapsed } = result;
    slowest = Math.max(slowest, elapsed);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isTrace = /internal error|^ {4}at |node:internal/m.test(stderr);
    if ([0, 1, 3].includes(status) && !isTrace && elapsed < milliseconds) continue;
    const folder = join(root, 'scripts/fuzz/finds', `${name}-${seed}-${number}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), input);
    const what = `${name}, number ${number}: tw-snap ${args.join(' ')}: status ${status}, ${elapsed} ms`;
    finds.push(what);
    real.stdout.write(`${what}\n${stderr.slice(0, 400)}\n`);
  }
}
const counted = [...statuses].sort().map(([status, times]) => `${times.toLocaleString('en')} with status ${status}`);
real.stdout.write(
  `${names.length} samples, ${each.toLocaleString('en')} of each, seed ${seed}, ${counts.apart.toLocaleString('en')} in processes of their own: ${counted.join(', ')}; the slowest took ${slowest} ms; ${finds.length === 0 ? 'no finds' : `${finds.length} finds`}\n`,
);
process.exit(finds.length > 0 ? 1 : 0);

function runApart(args, input) {
  counts.apart++;
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/tw-snap.cjs'), ...args], {
    input,
    maxBuffer: 1 << 28,
    timeout: 5 * milliseconds,
  });
  return { status, stderr: String(stderr), elapsed: Math.round(performance.now() - start) };
}

/** Runs the built program in this process; the program uses `process` as if it were alone. */
async function runHere(args, input) {
  counts.here++;
  let stderr = '';
  const sink = (consume) =>
    new Writable({
      decodeStrings: false,
      write: (data, _, done) => {
        consume(data);
        done();
      },
    });
  const streams = {
    stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
    stdout: sink(() => {}),
    stderr: sink((data) => {
      stderr += data;
    }),
  };
  const start = performance.now();
  const { argv } = process;
  process.argv = [...argv.slice(0, 2), ...args];
  process.exitCode = undefined;
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  let failure;
  const caught = (error) => {
    failure = `    at ${error?.stack ?? error}`;
  };
  process.on('uncaughtException', caught);
  void program.run();
  // The program ends when it sets its exit status.
  while (process.exitCode === undefined && !failure) await new Promise((resolve) => setImmediate(resolve));
  const status = failure ? -1 : process.exitCode;
  process.off('uncaughtException', caught);
  process.argv = argv;
  process.exitCode = undefined;
  for (const [name, value] of Object.entries(real)) Object.defineProperty(process, name, { value, configurable: true });
  return { status, stderr: stderr + (failure ?? ''), elapsed: Math.round(performance.now() - start) };
}

/** Ends the run if one input takes far too long. */
function startTimeLimit() {
  const state = new Float64Array(new SharedArrayBuffer(16));
  const code = `
    const { workerData: { state, names, pid } } = require('node:worker_threads');
    // Its own ticks count, not the clock: all may have been paused.
    let seconds = 0;
    let last = '';
    setInterval(() => {
      const place = names[state[0]] + ', number ' + state[1];
      seconds = place === last ? seconds + 1 : 0;
      last = place;
      if (seconds < 60) return;
      require('node:fs').writeSync(2, place + ': hangs\\n');
      process.kill(pid, 'SIGKILL');
    }, 1000);`;
  new Worker(code, { eval: true, workerData: { state, names, pid: process.pid } }).unref();
  return (i, number) => {
    state[0] = i;
    state[1] = number;
  };
}
