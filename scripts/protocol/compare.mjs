// Lists the differences between the protocol of a checkout of DDNet and the tables of tw-snap.
//   node scripts/protocol/compare.mjs DDNET-CHECKOUT
// Needs Python 3, since datasrc/network.py is Python. The status is 1 if there are differences. results.md has what it found.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { bundle, root } from '../fuzz/bundle.mjs';

const [checkout] = process.argv.slice(2);
if (!checkout) {
  console.error('usage: node scripts/protocol/compare.mjs DDNET-CHECKOUT');
  process.exit(2);
}
const { compare } = await import(await bundle('../protocol/compare'));
const json = execFileSync('python3', [join(root, 'scripts/protocol/read-sources.py'), checkout], { encoding: 'utf8' });
const differences = compare(JSON.parse(json));
for (const line of differences) console.log(line);
console.log(`${differences.length} differences`);
process.exitCode = differences.length > 0 ? 1 : 0;
