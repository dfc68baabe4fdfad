// Prints all figures of some recordings as Markdown. Requires `npm run build`.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { chartOf } from './chart.mjs';
import { jsonOf, root } from './child.mjs';
import { machine } from './machine.mjs';
import { digits, grouped, markdownTable, median } from './median.mjs';
import { secondsOfPeer } from './peers.mjs';

const usage = `Usage: npm run bench -- [options] [file...]

The whole way through each demo and capture (chunks, decompress, unpack, apply, checksum; the file held in memory), each part
of it, and whole processes: medians of runs in turn. Without files: the recordings among the samples.

  --runs N        runs of each, at least 5 (default)
  --peer 'CMD'    a program beside it: 'CMD FILE N' goes N times through FILE and prints JSON with the median "seconds";
                  FILE and N may stand in CMD; can be given up to three times; 'NAME=CMD' names it
  --shell FILE    the recording that whole processes read (default: the first)
  --whole         only the first table: the whole way through each recording
  --chart FILE    draw the table's peers, as SVG
  -o, --output F  write to a file instead of standard output`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    peer: { type: 'string', multiple: true, default: [] },
    shell: { type: 'string' },
    whole: { type: 'boolean' },
    chart: { type: 'string' },
    output: { type: 'string', short: 'o' },
    help: { type: 'boolean', short: 'h' },
  },
});
const runs = Math.max(5, Number(values.runs));
/** The number of passes of a process in one run. */
const passes = 5;
const here = (script) => join(import.meta.dirname, script);
const nameOf = (file) => file.split('/').at(-1);

if (values.help || Number.isNaN(runs)) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const files = positionals.length > 0 ? positionals : samples();
  const table = [heading(), await whole(files)];
  const others = values.whole ? [] : [...files.map(parts), shell(values.shell ?? files[0])];
  const text = [...table, ...others].join('\n\n');
  if (values.output) writeFileSync(values.output, `${text}\n`);
  else console.log(text);
}

function samples() {
  const folder = join(root, 'samples');
  return readdirSync(folder)
    .filter((name) => /\.(demo|pcap|pcapng)$/.test(name))
    .map((name) => join(folder, name));
}

function heading() {
  return `## ${machine()}\n\nComputing time (user and system), medians of ${runs} runs in turn; of a shared machine only ratios within one run mean much.`;
}

async function whole(files) {
  const peers = values.peer.map((peer, i) => {
    const [, name = `peer ${i + 1}`, command] = /^(?:(\w[\w+ .-]*)=)?(.*)$/s.exec(peer);
    return { name, command };
  });
  const rows = [];
  const charted = [];
  for (const file of files) {
    report(`whole way: ${nameOf(file)}`);
    const { cells, ratios } = await row(file, peers);
    rows.push(cells);
    charted.push({ name: nameOf(file), ratios });
  }
  if (values.chart) {
    const names = peers.map(({ name }) => name);
    writeFileSync(values.chart, chartOf(charted, names));
  }
  const head = ['whole way', 'MB', 'snapshots', 'ms', 'MB/s', 'snapshots/s', 'rebuilt MB/s'];
  const reported = peers.map(({ name, command }) => `${name}, its time as a multiple of ours: \`${command}\`.`);
  return [markdownTable([...head, ...peers.map(({ name }) => name)], rows), ...reported].join('\n\n');
}

async function row(file, peers) {
  const own = [];
  const others = peers.map(() => []);
  for (let run = 0; run < runs; run++) {
    own.push(jsonOf([here('whole.mjs'), file, String(passes)]));
    for (const [i, { command }] of peers.entries()) {
      if (!others[i].includes(undefined)) others[i].push(await peerSeconds(command, file));
    }
  }
  const [{ bytes, snapshots, rebuiltBytes }] = own;
  const seconds = median(own.map((entry) => entry.seconds));
  const ratios = others.map((list) => (list.includes(undefined) ? undefined : median(list) / seconds));
  const cells = [
    nameOf(file),
    digits(bytes / 1e6, 3),
    grouped(snapshots),
    digits(seconds * 1000, 3),
    digits(bytes / seconds / 1e6, 3),
    grouped(snapshots / seconds),
    grouped(rebuiltBytes / seconds / 1e6),
    ...ratios.map((ratio) => (ratio === undefined ? '' : digits(ratio, 3))),
  ];
  return { cells, ratios };
}

/** Undefined if a peer cannot read the file. */
async function peerSeconds(peer, file) {
  try {
    return await secondsOfPeer(peer, file, passes);
  } catch (error) {
    report(`  ${peer}: ${error.message}`);
    return undefined;
  }
}

function parts(file) {
  report(`parts: ${nameOf(file)}`);
  const { snapshots, parts } = jsonOf([here('parts.mjs'), file, String(runs)]);
  const rows = parts.map(({ part, of, bytes, seconds, megabytesPerSecond }) => [
    part,
    `${digits(bytes / 1e6, 3)} MB ${of}`,
    digits(seconds * 1000, 3),
    grouped(megabytesPerSecond),
  ]);
  return markdownTable([`${nameOf(file)}, ${grouped(snapshots)} snapshots`, 'of', 'ms', 'MB/s'], rows, 2);
}

function shell(file) {
  report(`processes: ${nameOf(file)}`);
  const { processes, peakMegabytes, ndjson } = jsonOf([here('shell.mjs'), file, String(2 * runs + 1)]);
  const rows = processes.map(({ call, seconds, ratio }) => [`\`${call}\``, grouped(seconds * 1000), ratio.toFixed(2)]);
  return `${markdownTable(['process', 'ms', 'beside `node -e 0`'], rows)}

\`checksum\` holds at most ${grouped(peakMegabytes)} MB; \`dump -t ndjson\` writes ${grouped(ndjson.bytes / 1e6)} MB through a pipe at \
${grouped(ndjson.megabytesPerSecond)} MB/s.`;
}

function report(text) {
  process.stderr.write(`${text}\n`);
}
