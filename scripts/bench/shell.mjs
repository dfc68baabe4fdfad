// Measures the computing time of whole processes, alternating with `node -e 0`, as medians; also memory, and text
// through a pipe. `npm run build` first. Usage: node scripts/bench/shell.mjs [FILE] [RUNS]; prints JSON.
import { statSync } from 'node:fs';
import process from 'node:process';
import { launcher, measured, peakOf } from './child.mjs';
import { median } from './median.mjs';

const [file = 'samples/vanilla-dm1.demo', runs = '9'] = process.argv.slice(2);
const name = file.split('/').at(-1);
const calls = {
  'node -e 0': ['-e', '0'],
  'decode samples/first.huff': [launcher, 'decode', 'samples/first.huff'],
  [`checksum ${name}`]: [launcher, 'checksum', file],
};

const times = Object.fromEntries(Object.keys(calls).map((call) => [call, []]));
for (let run = -2; run < Number(runs); run++) {
  for (const [call, args] of Object.entries(calls)) {
    const { seconds } = measured(args);
    if (run >= 0) times[call].push(seconds);
  }
}
const base = median(times['node -e 0']);
const processes = Object.entries(times).map(([call, list]) => {
  const seconds = median(list);
  return { call, seconds, ratio: seconds / base };
});

const peak = peakOf([launcher, 'checksum', file]);
const dumps = [];
for (let run = 0; run < Math.min(5, Number(runs)); run++) {
  dumps.push(measured([launcher, 'dump', '-t', 'ndjson', file]));
}
const seconds = median(dumps.map((dump) => dump.seconds));
const { bytes } = dumps[0];
console.log(
  JSON.stringify({
    file: name,
    bytes: statSync(file).size,
    runs: Number(runs),
    processes,
    peakMegabytes: peak.megabytes,
    ndjson: { bytes, seconds, megabytesPerSecond: bytes / seconds / 1e6 },
  }),
);
