// allocated.mjs [--top N] COMMAND…: the bytes that a command of the built program allocates in V8's heap, what was
// collected meanwhile included, and the functions that allocate most. It hardly depends on what else the machine does,
// unlike time. The command runs three times in one process, and the third counts: the first two load and compile.
// It needs `npm run build`; names of functions are short, as in the bundle.
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import process from 'node:process';

const runs = 3;
const args = process.argv.slice(2);
const top = args[0] === '--top' ? Number(args.splice(0, 2)[1]) : 0;
const program = createRequire(import.meta.url)('../../dist/cli/cli.cjs');
process.argv = [process.argv[0], 'tw-snap', ...args];
const session = new Session();
session.connect();

for (let run = 1; run < runs; run++) await program.run();
await session.post('HeapProfiler.startSampling', {
  samplingInterval: 1024,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
});
await program.run();
const { profile } = await session.post('HeapProfiler.stopSampling');

const byFunction = new Map();
let total = 0;
/** A function of V8 counts with its caller: it is named where the bundle calls it. */
function add({ callFrame, selfSize, children }, caller) {
  const { functionName, url, lineNumber, columnNumber } = callFrame;
  const place = `${functionName || '(anonymous)'} ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}`;
  const name = url === '' && caller ? `${functionName} in ${caller}` : place;
  byFunction.set(name, (byFunction.get(name) ?? 0) + selfSize);
  total += selfSize;
  for (const child of children) add(child, place);
}
add(profile.head);

const shown = [...byFunction].sort((a, b) => b[1] - a[1]).slice(0, top);
for (const [name, bytes] of shown) process.stderr.write(`${String(bytes).padStart(10)}  ${name}\n`);
process.stderr.write(`allocated ${total}\n`);
