// Sums the tables that runs of measure.mjs printed, with other seeds each, as the table of results.md.
//   node scripts/explain/table.mjs FILE…
// What 2.0.0 named is taken from the table that is there.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const before = new Map();
for (const line of readFileSync(new URL('results.md', import.meta.url), 'utf8').split('\n')) {
  const [name, named, share] = cellsOf(line);
  if (/^\d+ of \d+$/.test(named)) before.set(name, [named, share]);
}

const sums = new Map();
for (const file of process.argv.slice(2)) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [name, version, ...cells] = cellsOf(line);
    if (!/^0\.[67]$/.test(version)) continue;
    const sum = sums.get(name) ?? new Array(8).fill(0);
    sums.set(
      name,
      sum.map((count, i) => count + Number(cells[i])),
    );
  }
}

const share = (part, all) => (all === 0 ? '' : `${Math.round((100 * part) / all)} %`);
console.log(
  '| fault | 2.0.0, named | | faults, now | wrong | decidable | shown | | first | first three | later or absent |',
);
console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
for (const [name, [faults, wrong, decidable, shown, first, firstThree, later, absent]] of sums) {
  const now = [faults, wrong, decidable, shown, share(shown, decidable), first, firstThree, later + absent];
  console.log(`| ${[name, ...(before.get(name) ?? ['', '']), ...now].join(' | ')} |`);
}
const total = (i) => [...sums.values()].reduce((sum, counts) => sum + counts[i], 0);
console.log(`\n${total(0)} faults of ${sums.size} kinds, ${total(1)} of them wrong`);
