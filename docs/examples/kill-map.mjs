// The kills of a recording, and a map of where players were: a character for each area of 4 × 8 tiles, the darker the more often.
// Usage: node kill-map.mjs FILE
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { columns, read } from 'tw-snap';
import { eventsOf } from 'tw-snap/match';

const file = readFileSync(process.argv[2]);
for (const { tick, events } of eventsOf(file)) {
  for (const event of events) {
    if (event.what === 'kill') console.log(tick, event.killer?.name ?? '?', 'killed', event.victim.name);
  }
}
const { x, y } = columns(read(file), 'obj_character', ['x', 'y']);
const counts = new Map();
for (const [i, left] of x.entries()) {
  const area = `${left >> 7} ${y[i] >> 8}`;
  counts.set(area, (counts.get(area) ?? 0) + 1);
}
const most = Math.max(...counts.values());
const shade = (column, row) => ' .:-=+*#%@'[Math.ceil((9 * (counts.get(`${column} ${row}`) ?? 0)) / most)];
const [width, height] = [x, y].map((all, i) => 1 + (all.reduce((a, b) => Math.max(a, b), 0) >> (7 + i)));
for (let row = 0; row < height; row++) console.log(Array.from({ length: width }, (_, i) => shade(i, row)).join(''));
