// Whole commands beside what users would take instead, in turn: elapsed and CPU seconds and most memory, as Markdown.
//   node scripts/bench/instead.mjs DEMO CAPTURE [--runs N] [--chat PROGRAM] [--python PROGRAM]
// --chat is DDNet's demo_extract_chat; python3 needs duckdb for the last line. Requires GNU time and tshark. Other programs that run
// at the same time change elapsed and CPU seconds: compare within a table.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { launcher } from './child.mjs';
import { codeBits, codeLengths } from './internals.mjs';
import { markdownTable, median, digits as rounded } from './median.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '7' },
    chat: { type: 'string' },
    python: { type: 'string', default: 'python3' },
  },
});
const [demo, capture] = positionals.map((file) => resolve(file));
const digits = (number) => rounded(number, 3);
const place = mkdtempSync(join(tmpdir(), 'tw-snap-bench-'));
const at = (name) => join(place, name);
const here = (name) => join(import.meta.dirname, name);
const twSnap = (...args) => [process.execPath, launcher, ...args];

/** The item sizes that deltas do not contain. */
function agreedSizes(protocol) {
  const { stdout } = spawnSync(process.execPath, [launcher, 'schema', '-p', protocol, '-t', 'json'], {
    encoding: 'utf8',
  });
  const items = JSON.parse(stdout).items.filter(({ sized }) => !sized);
  return Object.fromEntries(items.map(({ type, size }) => [type, size]));
}

writeFileSync(
  at('tables.json'),
  JSON.stringify({
    codes: Array.from(codeLengths, (length, symbol) => [length, codeBits[symbol], symbol]),
    sizes: { 0.6: agreedSizes('0.6'), 0.7: agreedSizes('0.7') },
  }),
);

/** From memory, one thread, the same compression: `export` reads the demo and decodes it as well. */
const duckdb = `
import duckdb, sys
table = duckdb.connect()
table.execute("set threads = 1")
table.execute(f"create table rows as select * from read_parquet('{sys.argv[1]}/*')")
started = __import__('time').process_time()
table.execute(f"copy rows to '{sys.argv[2]}' (format parquet, compression zstd)")
print(__import__('time').process_time() - started)`;

const characters = ['--type', 'obj_character', '-t', 'csv'];
const pairs = [
  [
    'chat',
    demo,
    [
      ['`export --tables chat`', twSnap('export', demo, '--tables', 'chat', '-t', 'csv', '-o', at('chat'))],
      ['`dump --events --type chat`', twSnap('dump', demo, '--events', '--type', 'chat')],
      ...(values.chat ? [["DDNet's `demo_extract_chat`", [resolve(values.chat), demo]]] : []),
    ],
  ],
  [
    'characters as CSV',
    demo,
    [
      ['`dump -t csv --type obj_character`', twSnap('dump', demo, ...characters)],
      ['Python, `struct`', [values.python, here('instead.py'), at('tables.json'), demo]],
    ],
  ],
  [
    'packets',
    capture,
    [
      ['`info`: all snapshots, checksums, messages', twSnap('info', capture)],
      ['`dump -t csv --type obj_character`', twSnap('dump', capture, ...characters)],
      [
        '`tshark -T fields -e udp.payload`: bytes only',
        ['tshark', '-r', capture, '-T', 'fields', '-e', 'frame.time_epoch', '-e', 'udp.srcport', '-e', 'udp.payload'],
      ],
    ],
  ],
];

const rows = [];
for (const [what, file, calls] of pairs) {
  const runs = calls.map(() => []);
  for (let run = -1; run < Number(values.runs); run++)
    calls.forEach(([, args], i) => void (run < 0 ? timed(args) : runs[i].push(timed(args))));
  calls.forEach(([name], i) => {
    const of = (key) => median(runs[i].map((entry) => entry[key]));
    rows.push([
      i === 0 ? `${what}, ${basename(file)}` : '',
      name,
      digits(of('elapsed')),
      digits(of('cpu')),
      Math.round(of('megabytes')),
      digits(of('cpu') / median(runs[0].map(({ cpu }) => cpu))),
    ]);
  });
}
console.log(markdownTable(['work', 'program', 'elapsed s', 'CPU s', 'MB', 'CPU, times the first'], rows, 2));
console.log(`\n${parquet()}`);
rmSync(place, { recursive: true });

function timed(args) {
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%e %U %S %M', '-o', at('time'), ...args], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  const [elapsed, user, system, kilobytes] = readFileSync(at('time'), 'utf8').trim().split(' ').map(Number);
  return { elapsed, cpu: user + system, megabytes: (kilobytes * 1024) / 1e6 };
}

/** The rows of one table as Parquet, by `export` on one thread and by DuckDB from memory. */
function parquet() {
  const [ours, theirs] = [[], []];
  for (let run = 0; run < Number(values.runs); run++) {
    ours.push(
      timed(twSnap('export', demo, '--tables', 'obj_character', '-t', 'parquet', '--jobs', '1', '-o', at('out'))).cpu,
    );
    const { status, stdout } = spawnSync(values.python, ['-c', duckdb, at('out/obj_character'), at('duckdb.parquet')], {
      encoding: 'utf8',
    });
    if (status !== 0) return 'DuckDB: not here';
    theirs.push(Number(stdout));
  }
  const size = (folder) =>
    readdirSync(at(folder)).reduce((sum, name) => sum + statSync(at(join(folder, name))).size, 0);
  const bytes = [size('out/obj_character'), statSync(at('duckdb.parquet')).size];
  return `\`obj_character\` of ${basename(demo)} as Parquet: ${digits(median(ours))} s of CPU from the demo, ${bytes[0]} bytes; DuckDB from memory ${digits(median(theirs))} s, ${bytes[1]} bytes`;
}
