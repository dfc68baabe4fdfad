// The whole way through a demo held in memory (decompress, unpack, apply, checksum; diagnostics on), beside zlib's inflate of as
// many bytes as a yardstick: in turn, medians. `npm run build` first. Usage: node test/bench/demo.mjs FILE.demo [RUNS]
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { deflateSync, inflateSync } from 'node:zlib';
import { DemoReplay } from '../../dist/index.js';

const [file = 'samples/vanilla-dm1.demo', runs = '9'] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));

function replay() {
  const demo = new DemoReplay();
  let snapshots = 0;
  let ints = 0;
  let sum = 0;
  const take = (record) => {
    if (record.record !== 'snapshot') return;
    snapshots++;
    ints += record.snapshot.intCount;
    sum = (sum + record.snapshot.checksum()) | 0;
  };
  for (const record of demo.feed(bytes)) take(record);
  for (const record of demo.finish()) take(record);
  return { snapshots, ints, sum };
}

const { snapshots, ints } = replay();
const deflated = deflateSync(bytes);
const jobs = { replay, inflate: () => inflateSync(deflated) };
const times = { replay: [], inflate: [] };
for (let run = -3; run < Number(runs); run++) {
  for (const [name, job] of Object.entries(jobs)) {
    const start = performance.now();
    job();
    if (run >= 0) times[name].push((performance.now() - start) / 1000);
  }
}
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const seconds = median(times.replay);
console.log(
  JSON.stringify({
    file: file.split('/').pop(),
    runs: Number(runs),
    seconds: Number(seconds.toFixed(4)),
    snapshotsPerSecond: Math.round(snapshots / seconds),
    megabytesPerSecond: Number((bytes.length / seconds / 1e6).toFixed(1)),
    rebuiltMegabytesPerSecond: Math.round((4 * ints) / seconds / 1e6),
    inflateSeconds: Number(median(times.inflate).toFixed(4)),
  }),
);
