// Measures how the cost grows with the items of a snapshot, with the length of the file, and with the connections of a
// capture. Prints a table of each as CSV, and how linear the growth is. `npm run build` first. Usage: node
// scripts/bench/growth.mjs [FILE.demo] [MB,MB,…] [FILE.pcap]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { DemoReplay } from 'tw-snap/unstable';
import { launcher, peakOf, root } from './child.mjs';
import { writeConnections } from './growth-capture.mjs';
import { demoOfItems, writeRepeated } from './growth-demo.mjs';
import { machine } from './machine.mjs';
import { digits, median } from './median.mjs';

const [
  file = join(root, 'samples/vanilla-dm1.demo'),
  sizes = '1,5,20,100,500',
  capture = join(root, 'samples/ddnet-ipv6.pcap'),
] = process.argv.slice(2);
const itemCounts = [16, 32, 64, 128, 256, 512, 1024];
const connectionCounts = [3, 6, 12, 24, 48, 72, 96, 129];
/** The commands that read a whole recording. */
const commands = ['checksum', 'info', 'stats', 'dump -t ndjson'].map((command) => command.split(' '));
const costs = ['computing_seconds', 'peak_megabytes'];
const snapshots = 300;
const rounds = 25;

console.log(machine());
print('items', ['items', 'microseconds_per_snapshot'], ofItems());
for (const command of commands) print(command.join(' '), ['megabytes', ...costs], ofLength(command));
print('connections', ['connections', ...costs], ofConnections());

function ofItems() {
  const demos = itemCounts.map((items) => demoOfItems(items, snapshots));
  const times = demos.map(() => []);
  for (let round = -3; round < rounds; round++) {
    for (const [i, demo] of demos.entries()) {
      const start = performance.now();
      replay(demo);
      if (round >= 0) times[i].push((1000 * (performance.now() - start)) / snapshots);
    }
  }
  // Other work on a shared machine only adds time.
  return itemCounts.map((items, i) => [items, Math.min(...times[i])]);
}

function replay(demo) {
  let count = 0;
  for (const { record, snapshot } of new DemoReplay().feed(demo)) {
    if (record === 'diagnostic') throw new Error('the demo is not what it should be');
    if (record !== 'snapshot') continue;
    snapshot.checksum();
    count++;
  }
  if (count !== snapshots) throw new Error(`${count} of ${snapshots} snapshots`);
}

function ofLength(command) {
  const write = (path, size) => writeRepeated(file, path, Number(size) * 1e6) / 1e6;
  return processes(command, 'grown.demo', sizes.split(','), write);
}

function ofConnections() {
  return processes(['checksum'], 'grown.pcap', connectionCounts, (path, count) =>
    writeConnections(capture, path, count),
  );
}

/** The cost of a command for files that grow; `write` writes one and returns its size. */
function processes(command, name, sizes, write) {
  const place = mkdtempSync(join(tmpdir(), 'tw-snap-growth-'));
  try {
    const path = join(place, name);
    return sizes.map((size) => {
      const written = write(path, size);
      const runs = Array.from({ length: 3 }, () => peakOf([launcher, ...command, '--jobs', '1', path]));
      return [written, median(runs.map((run) => run.seconds)), Math.max(...runs.map((run) => run.megabytes))];
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function print(name, head, rows) {
  const { slope, start, r2 } = line(rows.map(([x, y]) => [x, y]));
  const lines = [head, ...rows.map((row) => row.map((value) => Number(value.toPrecision(5))))];
  console.log(lines.map((cells) => cells.join(',')).join('\n'));
  const [x, y] = head;
  console.log(`${name}: ${y} = ${digits(start, 3)} + ${digits(slope, 3)} × ${x}, R² ${r2.toFixed(4)}`);
}

/** The least-squares line. */
function line(points) {
  const mean = (values) => values.reduce((all, value) => all + value, 0) / values.length;
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = (a, b) => mean(points.map((point) => a(point) * b(point)));
  const [dx, dy] = [([px]) => px - x, ([, py]) => py - y];
  const slope = spread(dx, dy) / spread(dx, dx);
  return { slope, start: y - slope * x, r2: spread(dx, dy) ** 2 / (spread(dx, dx) * spread(dy, dy)) };
}
