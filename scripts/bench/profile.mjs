// The shares of a profile's computing time, by source file and by function: node scripts/bench/profile.mjs
// FILE.cpuprofile [SHOWN] `node --cpu-prof --cpu-prof-dir=DIR bin/tw-snap.cjs …` writes the profile.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const [path, shown = '25'] = process.argv.slice(2);
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));

const maps = new Map();

/** The source map of a file of dist; undefined for other code. */
function mapOf(file) {
  if (!maps.has(file)) {
    let map;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    } catch {
      // A module of Node, or a file that is not bundled.
    }
    maps.set(file, map);
  }
  return maps.get(file);
}

/** Where a function is in the sources. */
function placeOf({ functionName, url, lineNumber, columnNumber }) {
  if (!url.startsWith('file:')) return { file: url || '(V8)', name: functionName || '(anonymous)' };
  const file = fileURLToPath(url);
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber);
  const source = entry?.originalSource;
  if (!source) return { file: relative('.', file), name: functionName || '(anonymous)' };
  const short = source.replace(/^(?:\.\.\/)+/, '');
  return { file: short, name: `${entry.name ?? functionName}:${entry.originalLine + 1}` };
}

const byId = new Map(nodes.map((node) => [node.id, node]));
const times = new Map();
let total = 0;
for (const [i, id] of samples.entries()) {
  const { callFrame } = byId.get(id);
  if (callFrame.functionName === '(idle)') continue;
  const { file, name } = placeOf(callFrame);
  const time = timeDeltas[i];
  total += time;
  for (const key of [file, `${file} ${name}`]) times.set(key, (times.get(key) ?? 0) + time);
}

const isFunction = (key) => key.includes(' ');
for (const wanted of [false, true]) {
  const rows = [...times].filter(([key]) => isFunction(key) === wanted).sort(([, a], [, b]) => b - a);
  for (const [key, time] of rows.slice(0, Number(shown)))
    console.log(
      `${((100 * time) / total).toFixed(1).padStart(5)} %  ${(time / 1000).toFixed(0).padStart(6)} ms  ${key}`,
    );
  console.log();
}
console.log(`${(total / 1000).toFixed(0)} ms`);
