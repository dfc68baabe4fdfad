// Measures the complete reading of a demo or capture in memory (chunks, decompress, unpack, apply, checksum;
// diagnostics on, messages skipped). `npm run build` first. Usage: node scripts/bench/whole.mjs FILE [RUNS]; prints
// JSON, as a peer does.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { CaptureReplay, DemoReplay, isCapture, isDemo } from 'tw-snap/unstable';
import { median } from './median.mjs';

/** The minimum number of runs until the code is compiled. */
const warmRuns = 5;
const warmSeconds = 0.5;

/** Short passes are measured several at once: the clock counts microseconds. */
const leastSeconds = 0.002;

const [file, runs = '9'] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const pass = isDemo(bytes) ? demo : isCapture(bytes) ? capture : undefined;
if (!pass) throw new Error(`${file}: no demo or capture`);

/** Computing time, of all threads: what other programs of the machine do is not in it. */
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const begun = seconds();
let warmed = 0;
while (warmed < warmRuns || seconds() - begun < warmSeconds) {
  pass();
  warmed++;
}
const atOnce = Math.ceil((leastSeconds * warmed) / (seconds() - begun));
const times = [];
for (let run = 0; run < Number(runs); run++) {
  const start = seconds();
  for (let i = 0; i < atOnce; i++) pass();
  times.push((seconds() - start) / atOnce);
}
console.log(JSON.stringify({ seconds: median(times), runs: Number(runs), bytes: bytes.length, ...pass() }));

function demo() {
  const found = { snapshots: 0, rebuiltBytes: 0, sum: 0 };
  const replay = new DemoReplay({ ticks: false, messages: false });
  const addAll = (records) => {
    for (const record of records) {
      if (record.record !== 'snapshot') continue;
      count(found, record.snapshot, record.snapshot.checksum());
    }
  };
  addAll(replay.feed(bytes));
  addAll(replay.finish());
  return found;
}

function capture() {
  const found = { snapshots: 0, rebuiltBytes: 0, sum: 0 };
  const replay = new CaptureReplay({ messages: false });
  const addAll = (records) => {
    for (const record of records) {
      if (record.record === 'snapshot' && record.snapshot) count(found, record.snapshot, record.snapshot.checksum());
    }
  };
  addAll(replay.feed(bytes));
  addAll(replay.finish());
  return found;
}

function count(found, snapshot, crc) {
  found.snapshots++;
  found.rebuiltBytes += 4 * snapshot.intCount;
  found.sum = (found.sum + crc) | 0;
}
