// How long a small decode takes beside Node itself: whole processes in turn, medians. `npm run build` first.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const runs = Number(process.argv[2] ?? 20);
const commands = {
  'node -e 0': ['-e', '0'],
  'decode samples/first.huff': ['bin/tw-snap.cjs', 'decode', 'samples/first.huff'],
  'checksum samples/vanilla-dm1.demo': ['bin/tw-snap.cjs', 'checksum', 'samples/vanilla-dm1.demo'],
};

const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let run = -2; run < runs; run++) {
  for (const [name, args] of Object.entries(commands)) {
    const start = performance.now();
    spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (run >= 0) times[name].push(performance.now() - start);
  }
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const base = median(times['node -e 0']);
for (const [name, list] of Object.entries(times)) {
  const ms = median(list);
  console.log(JSON.stringify({ name, runs, ms: Math.round(ms), ratio: Number((ms / base).toFixed(2)) }));
}
