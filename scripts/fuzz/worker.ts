import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { collect } from './material.ts';
import { Random } from './random.ts';
import { runInput, targets } from './targets.ts';

/**
 * The data from the supervising thread. `state` is shared: the current input and its start, the runs of each target,
 * and finally the end of the whole run; times in milliseconds since 1970.
 */
export interface Orders {
  readonly root: string;
  readonly seed: number;
  readonly first: number;
  /** The number after the last input. */
  readonly end: number;
  readonly only: string | undefined;
  readonly finds: string;
  readonly state: SharedArrayBuffer;
}

/** One input that broke something. */
interface Find {
  readonly number: number;
  readonly target: string;
  readonly what: string;
}

const slowMilliseconds = 2000;
const maxMegabytes = 512;

// Refusals are thrown very often, and short stack traces are enough.
Error.stackTraceLimit = 6;

const orders = workerData as Orders;
const state = new Float64Array(orders.state);
const material = collect(orders.root);
const about = { names: targets.map(({ name }) => name), hasCorpus: material.hasCorpus };
parentPort!.postMessage(about);
let notes: (readonly [name: string, input: Uint8Array | string])[] = [];
const note = (name: string, input: Uint8Array | string) => void notes.push([name, input]);

async function runOne(number: number): Promise<void> {
  notes = [];
  let name = '';
  const run = () => {
    const { target, done } = runInput(new Random(orders.seed, number), material, note, orders.only);
    name = target.name;
    return done;
  };
  const start = performance.now();
  let allowed = slowMilliseconds;
  try {
    const done = run();
    allowed += (await done) ?? 0;
  } catch (error) {
    if (name === '') name = targetOf(number);
    report(number, name, error instanceof Error ? (error.stack ?? error.message) : String(error));
    return;
  }
  state[2 + targets.findIndex((target) => target.name === name)]!++;
  if (performance.now() - start < allowed) return;
  // The machine may have been busy, so the CPU time counts.
  const again = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(again);
  const elapsed = Math.round((user + system) / 1000);
  if (elapsed >= allowed) report(number, name, `slow: ${elapsed} ms`);
}

/** The target of an input that threw before it was noted. */
function targetOf(number: number): string {
  let drawn = '';
  try {
    drawn = runInput(new Random(orders.seed, number), material, () => {}, orders.only).target.name;
  } catch {
    drawn = notes[0]?.[0] ?? 'unknown';
  }
  return drawn;
}

function report(number: number, target: string, what: string): void {
  const folder = join(orders.finds, `${orders.seed}-${number}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, input] of notes) writeFileSync(join(folder, name), input);
  writeFileSync(join(folder, 'what.txt'), `${target}: ${what}\n`);
  parentPort!.postMessage({ number, target, what } satisfies Find);
}

let memory = 0;
for (let number = orders.first; number < orders.end; number++) {
  state[0] = number;
  state[1] = Date.now();
  await runOne(number);
  if (number % 64 > 0) continue;
  const { rss } = process.memoryUsage;
  const megabytes = rss() / (1 << 20);
  if (megabytes > maxMegabytes && memory <= maxMegabytes)
    report(number, 'memory', `memory: ${Math.round(megabytes)} MB`);
  memory = Math.max(memory, megabytes);
  const until = state.at(-1)!;
  if (until > 0 && Date.now() > until) break;
  // Messages are only sent when there is time for them.
  if (number % 4096 === 0) await new Promise((resolve) => setImmediate(resolve));
}
parentPort!.postMessage({ ...about, done: true, memory: Math.round(memory) });
