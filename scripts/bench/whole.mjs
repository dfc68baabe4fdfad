// Measures the complete reading of a demo or capture in memory (chunks, decompress, unpack, apply, checksum;
// diagnostics on, messages skipped). `npm run build` first. Usage: node scripts/bench/whole.mjs FILE [RUNS]; prints
// JSON, as a peer does.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { CaptureReplay, DemoReplay, isCapture, isDemo } from 'tw-snap/unstable';
import { median } from './median.mjs';

/** The minimum number of runs until the code is compiled. */
const warmRuns = 5;
const warmSeconds = 0.5;

const [file, runs = '9'] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const pass = isDemo(bytes) ? demo : isCapture(bytes) ? capture : undefined;
if (!pass) throw new Error(`${file}: no demo or capture`);

const seconds = () => performance.now() / 1000;
const begun = seconds();
for (let run = 0; run < warmRuns || seconds() - begun < warmSeconds; run++) pass();
const times = [];
for (let run = 0; run < Number(runs); run++) {
  const start = seconds();
  pass();
  times.push(seconds() - start);
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
