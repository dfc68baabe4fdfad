// What a bot says of an uploaded file: whether it is a recording, of which map and players, and whether it is right.
// Usage: node check-upload.mjs FILE; exits with 1 if the file is not healthy, with 3 if it is no recording.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readDemo } from 'tw-snap';
import { eventsOf, summaryOf } from 'tw-snap/match';

const file = readFileSync(process.argv[2]);
let summary;
try {
  summary = summaryOf(file);
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.log(error.message);
  process.exit(3);
}

const { container, header, health, counts, seconds, streams } = summary;
console.log(`${container}${header ? ` of ${header.mapName}` : ''}: ${health.state}`);
console.log(`${counts.snapshots} snapshots in ${Math.round(seconds)} s, ${streams.length} stream(s)`);
for (const { code, offset } of summary.diagnostics.slice(0, 5)) console.log(`${code} at ${offset}`);

if (container === 'demo') {
  const kills = new Map();
  for (const { events } of eventsOf(readDemo(file))) {
    for (const event of events) {
      if (event.what === 'killed') kills.set(event.killer?.name, (kills.get(event.killer?.name) ?? 0) + 1);
    }
  }
  for (const [name, count] of kills) console.log(`${name ?? '?'}: ${count} kills`);
}
process.exitCode = health.state === 'healthy' ? 0 : 1;
