import { gzipSync } from 'node:zlib';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { check, isCsv, isJson, isNdjson, safe } from '../checks.ts';
import { damaged } from '../make/bytes.ts';
import { makeCapture } from '../make/capture.ts';
import { makeDemo } from '../make/demo.ts';
import { makePacket } from '../make/packet.ts';
import { encoded, intsOf, makePayload } from '../make/payload.ts';
import { damagedText, pasted } from '../make/text.ts';
import type { Material } from '../material.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

type Words = readonly string[];

/** Options of a command with their values; those without one stand alone. */
type Grammar = readonly (readonly [option: string, values?: Words])[];

const output: Grammar = [['--color', ['auto', 'always', 'never']], ['--width', ['20', '80', '240', '1000']], ['-v']];
const from: Grammar = [
  ['-f', ['auto', 'demo', 'pcap', 'netlog', 'packet', 'message', 'huffman', 'packed', 'ints', 'json']],
  ['-p', ['auto', '0.5', '0.6', '0.7']],
  ['--schema', ['schema.json', 'a']],
  ['--client', ['127.0.0.1:50000', '[::1]:50000']],
  ['--strict'],
];
const input: Grammar = [...from, ['-k', ['auto', 'delta', 'snapshot']], ['--no-hex']];
const filter: Grammar = [
  ['--type', ['obj_character', '10', 'sv_chat', 'obj_client_info,obj_player_info', 'nothing']],
  ['--id', ['0', '1,2', '65535']],
];
const ticks: Grammar = [['--ticks', ['..', '0..', '..5000', '1000..9000', '956']]];
const base: Grammar = [['--base', ['empty', 'base', 'b', 'a@first']]];

const commands: Readonly<Record<string, { readonly to: Words; readonly options: Grammar; readonly files: Words }>> = {
  decode: { to: ['hexdump', 'table', 'json'], options: [...output, ...input, ...base], files: ['f'] },
  diff: {
    to: ['table', 'json', 'huffman', 'packed', 'ints', 'hex'],
    options: [...output, ...input, ...filter, ['--ignore', ['x,y', 'tick']]],
    files: ['f', 'f'],
  },
  apply: {
    to: ['table', 'json', 'huffman', 'packed', 'ints', 'hex'],
    options: [...output, ...input, ['--expect', ['0', '-1']]],
    files: ['f', 'f'],
  },
  checksum: {
    to: ['text', 'ndjson', 'json'],
    options: [...input, ...ticks, ...base, ['--summary'], ['-c'], ['--expect', ['0', '0xffffffff']]],
    files: ['f', 'f?'],
  },
  info: { to: ['table', 'json', 'ndjson', 'csv'], options: [...output, ...from], files: ['f', 'f?'] },
  dump: {
    to: ['text', 'ndjson', 'csv', 'hexdump'],
    options: [...output, ...from, ...filter, ...ticks, ['--changes'], ['--no-messages']],
    files: ['f', 'f?'],
  },
  extract: {
    to: ['huffman', 'packed', 'ints', 'hex'],
    options: [...from, ['--map'], ['-o', ['out']]],
    files: ['f'],
  },
  stats: {
    to: ['table', 'json', 'ndjson', 'csv'],
    options: [
      ...output,
      ...from,
      ...ticks,
      ['--by', ['type', 'field', 'player', 'player-field', 'second']],
      ['--top', ['1', '5']],
    ],
    files: ['f', 'f?'],
  },
  report: {
    to: ['html'],
    options: [...input, ...ticks, ...base, ['--limit', ['0.01', '8']], ['-o', ['out']]],
    files: ['f'],
  },
  schema: {
    to: ['table', 'json'],
    options: [...output, ['-p', ['0.5', '0.6', '0.7']], ['--schema', ['a']]],
    files: [],
  },
};

/** Whole command lines with damaged files. */
export const command: Target = {
  name: 'command',
  share: 50,
  async run(random, material, note) {
    const { argv, to } = commandLine(random);
    const files: Record<string, Uint8Array | string> = {
      base: baseFile(random, material),
      'schema.json': material.schemas[0]!,
    };
    for (const name of ['a', 'b']) files[name] = fileOf(random, material);
    const stdin = random.oneIn(3) ? files.a! : fileOf(random, material);
    note('argv.txt', argv.join(' '));
    for (const [name, bytes] of Object.entries({ ...files, stdin })) note(name, bytes);
    const terminal = random.oneIn(5);
    const columns = random.pick([1, 20, 80, 200]);
    const world = fakeIo({ files, stdin, terminal, columns, env: { DEBUG: 'tw-snap' } });
    // The script of a report's page takes long to bundle, and is always the same.
    const io = {
      ...world,
      pageProgram: async () => ({ script: '', licences: '' }),
    };
    const status = await main(argv, io);
    const [stdout, stderr] = [io.stdout.text, io.stderr.text];
    check(status >= 0 && status <= 3, `status ${status}`);
    // Messages are wrapped, so spaces may be line ends, and a line may begin with `at`.
    check(!/internal\s+error|\.[cm]?[jt]s:\d+:\d+/.test(stderr), stderr);
    safe(withoutColours(stderr));
    check(!terminal || !isBinary(to) || argv.includes('--map') || stdout === '', 'bytes on a terminal');
    if (argv.includes('--map') || isBinary(to)) return;
    if (to === 'json' && stdout !== '') isJson(stdout);
    else if (to === 'ndjson') isNdjson(stdout);
    else if (to === 'csv') isCsv(stdout);
    else safe(withoutColours(stdout));
  },
};

const isBinary = (to: string | undefined) => to === 'huffman' || to === 'packed' || to === 'ints';

function commandLine(random: Random): { argv: string[]; to: string | undefined } {
  const name = random.pick([
    'decode',
    'decode',
    'dump',
    'dump',
    'info',
    'checksum',
    'diff',
    'apply',
    'extract',
    'report',
    'stats',
    'schema',
  ]);
  const { to: formats, options, files } = commands[name]!;
  const argv = [name];
  const to = random.oneIn(3) ? formats[0]! : random.pick(formats);
  if (formats.length > 1 && (to !== formats[0] || random.oneIn(9))) argv.push('-t', to);
  for (const file of files) if (file === 'f' || random.oneIn(4)) argv.push(argument(random));
  if (name === 'extract' && random.oneIn(3)) argv.push('--map');
  for (let left = random.below(4); left > 0; left--) {
    const [option, values] = random.pick(options);
    if (option === '-f' && !random.oneIn(3)) continue;
    argv.push(option, ...(values ? [random.pick(values)] : []));
  }
  return { argv, to: argv.includes('-o') ? undefined : to };
}

const argument = (random: Random) =>
  random.pick([
    'a',
    'a',
    'a',
    'a',
    'a',
    'b',
    'b',
    'base',
    '-',
    'empty',
    'a@first',
    'a@last',
    'a@956',
    'b@8900',
    'nowhere',
  ]);

/** A file of any kind, plain, as text, or compressed. */
function fileOf(random: Random, material: Material): Uint8Array | string {
  const kind = random.below(14);
  if (kind < 3) return wrapped(random, makeDemo(random, material.demos, material));
  if (kind < 6) return wrapped(random, makeCapture(random, material.conversations, material));
  if (kind === 6) return damagedText(random, random.pick(material.jsons));
  if (kind === 7) return baseFile(random, material);
  if (kind === 8) return random.bytes(random.below(100));
  const bytes = kind < 11 ? makePacket(random, material) : makePayload(random, material.contents).bytes;
  if (random.oneIn(4)) return random.oneIn(2) ? pasted(random, bytes) : damagedText(random, pasted(random, bytes));
  return wrapped(random, bytes);
}

function wrapped(random: Random, bytes: Uint8Array): Uint8Array {
  if (!random.oneIn(12)) return bytes;
  const zipped = new Uint8Array(gzipSync(bytes));
  return random.oneIn(2) ? zipped : damaged(random, zipped);
}

/** A snapshot that can be read. */
function baseFile(random: Random, { contents }: Material): Uint8Array {
  return encoded(random, intsOf(random.pick(contents.filter(({ kind }) => kind === 'snapshot'))), 'huffman');
}

const esc = String.fromCharCode(27);
/** The program's own colour codes, hyperlinks, and progress line. */
const colours = new RegExp(`${esc}\\[[0-9;]*[mK]|\\r`, 'g');

const withoutColours = (text: string) => text.replace(colours, '');
