// Runs damaged inputs through readers, views and commands, until the time is over.
//   node scripts/fuzz/run.mjs [--seconds N] [--seed S] [--inputs N] [--from N] [--target NAME] [--only NUMBER]
// An input is identified by seed and number: `--only` runs it again alone. Inputs that break something are saved below
// scripts/fuzz/finds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { bundle, root } from './bundle.mjs';

const finds = join(root, 'scripts/fuzz/finds');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string', default: 'Infinity' },
    from: { type: 'string', default: '0' },
    target: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const first = Number(values.only ?? values.from);
const end = values.only === undefined ? first + Number(values.inputs) : first + 1;
const started = Date.now();
let until = Infinity;

const script = await bundle('worker');

/** The kinds of finds by message and position, each with its first input. */
const kinds = new Map();
/** The maximum number of targets whose inputs are counted; their names come from the worker. */
const mostTargets = 32;
/** The index of the end time in the shared state. */
const untilAt = 2 + mostTargets;
let current;
const counts = new Array(mostTargets).fill(0);
let names = [];
let done = 0;
let memory = 0;
let hasCorpus = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop());
let next = first;
while (next < end && Date.now() <= until) next = await watchWorker(next);

const seconds = (Date.now() - started) / 1000;
const found = [...kinds.values()].reduce((sum, { count }) => sum + count, 0);
for (const { number, target, what, count } of kinds.values()) {
  console.log(`\n${target}, input ${number}${count > 1 ? ` and ${count - 1} more` : ''}\n${what}`);
}
console.log(`\n${names.map((name, i) => `${name} ${counts[i].toLocaleString('en')}`).join(' · ')}`);
console.log(
  `seed ${seed}, ${hasCorpus ? 'samples and recordings' : 'samples'}: ${done.toLocaleString('en')} inputs in ${seconds.toFixed(0)} s, at most ${memory} MB: ${found === 0 ? 'no finds' : `${found} finds of ${kinds.size} kinds, saved in scripts/fuzz/finds`}`,
);
process.exitCode = found > 0 ? 1 : 0;

/** Ends early and prints the results so far. */
function stop() {
  until = Date.now();
  if (current) current[untilAt] = until;
}

/** Runs inputs from a number on; returns the number at which to continue after an input that hung or ended a worker. */
function watchWorker(from) {
  const state = new Float64Array(new SharedArrayBuffer(8 * (3 + mostTargets)));
  current = state;
  const orders = { root, seed, first: from, end, only: values.target, finds, state: state.buffer };
  const worker = new Worker(script, {
    workerData: orders,
    execArgv: ['--enable-source-maps'],
    resourceLimits: { maxOldGenerationSizeMb: 400, maxYoungGenerationSizeMb: 32 },
  });
  return new Promise((resolve) => {
    let isOver = false;
    const over = (goOn) => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      for (let i = 0; i < mostTargets; i++) counts[i] += state[2 + i];
      done += state[0] + 1 - from;
      void worker.terminate().then(() => resolve(goOn));
    };
    const lost = (what) => {
      if (isOver) return;
      const number = state[0];
      const folder = join(finds, `${seed}-${number}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'what.txt'), `${what}\n`);
      report({ number, target: 'unknown', what });
      over(number + 1);
    };
    // Counts ticks instead of elapsed time, since everything may have been paused.
    let seconds = 0;
    let last = -1;
    const timer = setInterval(() => {
      seconds = state[1] > 0 && state[0] === last ? seconds + 1 : 0;
      last = state[0];
      if (seconds >= 60) lost('hangs: over a minute');
    }, 1000);
    worker.on('message', (message) => {
      if ('what' in message) return report(message);
      ({ names, hasCorpus } = message);
      // The worker has loaded its recordings, so the time begins.
      if (until === Infinity) until = Date.now() + 1000 * Number(values.seconds);
      state[untilAt] = until;
      if (!('done' in message)) return undefined;
      memory = Math.max(memory, message.memory);
      over(end);
    });
    worker.on('error', (error) => lost(`${error.code ?? ''} ${error.stack ?? error}`));
    worker.on('exit', (code) => lost(`the worker ended with ${code}`));
  });
}

function report({ number, target, what }) {
  const kind = kindOf(what);
  const known = kinds.get(kind);
  if (known) known.count++;
  else {
    kinds.set(kind, { number, target, what, count: 1 });
    console.log(`find: ${target}, --seed ${seed} --only ${number}: ${what.split('\n')[0]}`);
  }
}

/** The message of a find without numbers, and its position. */
function kindOf(what) {
  const [message, ...rest] = what.split('\n');
  const where = rest.filter((line) => line.startsWith('    at ') && !line.includes('checks.ts')).slice(0, 2);
  return [message.replaceAll(/\d+/g, '#').slice(0, 80), ...where].join('\n');
}
