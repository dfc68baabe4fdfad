import { describe, expect, it } from 'vitest';
import { commands, main } from '../../commands/index.ts';
import { printable } from '../../src/output/text/escape.ts';
import { fakeIo, type World } from '../support/fake-io.ts';
import {
  hostile,
  hostileCapture,
  hostileClose,
  hostileDemo,
  hostileLog,
  hostileServer,
  hostileWords,
  longWords,
  rawIn,
} from '../support/untrusted-text.ts';

/** The names of the files are as hostile as their contents. */
const sign = `${hostile[0]}${hostile[3]}${hostile[7]}`;
const [demo, capture, packet, list, schema, server, log] = [
  'demo',
  'pcap',
  'packet',
  'list',
  'schema',
  'inf3',
  'log',
].map((end) => `${sign}.${end}`) as [string, string, string, string, string, string, string];
const badSchema = JSON.stringify({ items: [{ name: hostileWords, type: 200, fields: { [hostileWords]: 'int' } }] });
const files: Record<string, Uint8Array | string> = {
  [demo]: hostileDemo(),
  [capture]: hostileCapture(),
  [packet]: hostileClose(),
  [list]: `1  ${sign.replace(/[\r\n]/g, '')}\n`,
  [schema]: badSchema,
};

async function run(argv: readonly string[], world: World = {}) {
  const io = fakeIo({ files, ...world });
  const status = await main(argv, io);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text, files: io.files };
}

// The capture has what no game sends: 1.
const lines: (readonly [status: number, ...argv: string[]])[] = [
  ...['table', 'markdown', 'json', 'ndjson', 'csv'].map((to) => [0, 'info', demo, '-t', to] as const),
  ...['table', 'markdown', 'json', 'ndjson', 'csv'].map((to) => [0, 'info', demo, demo, '-t', to] as const),
  ...['text', 'ndjson', 'csv', 'hexdump'].map((to) => [0, 'dump', demo, '-t', to] as const),
  [0, 'dump', demo, '--width', '40'],
  [0, 'dump', demo, '-t', 'csv', '--type', 'obj_client_info'],
  ...['hexdump', 'table', 'json'].flatMap((to) => [
    [0, 'decode', `${demo}@first`, '-t', to] as const,
    [0, 'decode', `${demo}@102`, '-t', to, '-v'] as const,
    [0, 'decode', packet, '-t', to] as const,
    [0, 'decode', packet, '-t', to, '-v'] as const,
  ]),
  ...['table', 'json'].flatMap((to) => [
    [1, 'diff', `${demo}@first`, `${demo}@last`, '-t', to] as const,
    [1, 'diff', `${demo}@first`, `${demo}@last`, '-t', to, '-v'] as const,
  ]),
  ...['text', 'ndjson'].map((to) => [0, 'checksum', demo, '-t', to] as const),
  ...['text', 'json'].map((to) => [1, 'checksum', demo, capture, '--summary', '-t', to] as const),
  [1, 'checksum', `${demo}@first`, '--expect', '1'],
  [3, 'apply', 'empty', `${demo}@first`],
  ...['table', 'markdown', 'json', 'csv'].map((to) => [1, 'info', capture, '-t', to] as const),
  [1, 'info', capture, '-v'],
  [1, 'info', capture, capture],
  ...['text', 'ndjson', 'csv'].map((to) => [1, 'dump', capture, '-t', to] as const),
  [1, 'checksum', capture],
  [2, 'dump', capture, '--client', sign],
  [3, 'decode', capture],
  ...['table', 'json', 'csv'].flatMap((to) => [
    [0, 'stats', demo, '-t', to] as const,
    [1, 'stats', capture, '-t', to] as const,
    [0, 'stats', demo, '--by', 'player', '-t', to] as const,
    [1, 'stats', demo, demo, capture, '--by', 'player-field', '-v', '-t', to] as const,
  ]),
  [3, 'extract', demo, '--map'],
  [2, 'decode', `${demo}@7`],
  ...['info', 'dump', 'decode', 'checksum', 'stats', 'extract --map', 'report -o page.html'].map(
    (command) => [3, ...command.split(' '), `missing${sign}`] as const,
  ),
  [3, 'decode', demo, '--base', `missing${sign}`],
  [3, 'decode', demo, '--schema', `missing${sign}`],
  [3, 'decode', demo, '--schema', schema],
  [2, 'schema', sign],
  [2, 'dump', demo, '--type', sign],
  // A word with a full stop is taken as a file, not as a command.
  [3, sign],
  [2, 'info', `--${sign}`],
  [2, 'info', demo, '-t', sign],
  [2, 'info', demo, '--width', sign],
];

describe('untrusted text never controls a terminal', () => {
  const named = lines.map(([expected, ...argv]) => ({ expected, argv, title: printable(argv.join(' ')) }));
  // In a pipe a line of the timeline is whole: a text of a message has at most 1,400 bytes, and each may be escaped.
  const longest = (argv: readonly string[]) => (argv[0] === 'dump' ? 12_000 : 1500);

  it.each(named)('$title', async ({ expected, argv }) => {
    const { status, stdout, stderr } = await run(argv);
    if (!argv.some((word) => /^(json|ndjson|-v)$/.test(word))) {
      for (const line of `${stdout}${stderr}`.split('\n')) expect(line.length).toBeLessThan(longest(argv));
    }
    expect(rawIn(stdout)).toBeUndefined();
    expect(rawIn(stderr)).toBeUndefined();
    expect(stderr).not.toContain('internal error');
    expect(status, stderr).toBe(expected);
  });

  it('in colour', async () => {
    for (const [, ...argv] of lines) {
      if (['json', 'ndjson', 'csv', 'markdown'].includes(argv.at(-1)!)) continue;
      const { stdout, stderr } = await run(argv, { terminal: true });
      // The program's own red never stands before this word.
      expect(`${stdout}${stderr}`.includes(`${String.fromCharCode(0x1b)}[31mred`), argv.join(' ')).toBe(false);
      for (const sign of ['\u0007', '\u009b', '\u202e']) expect(`${stdout}${stderr}`.includes(sign)).toBe(false);
    }
  });
});

describe('no output has a control character or a direction mark', () => {
  const world: World = {
    hasNoProgram: true,
    files: { ...files, [log]: hostileLog, [server]: hostileServer() },
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary' },
  };
  const inputs = [demo, capture, packet, server, log, `${demo}@first`, `missing${sign}`];
  /** The formats of `-t` of each command, and its other words. */
  const outputs: Readonly<Record<string, readonly string[]>> = {
    decode: ['-t hexdump -v', '-t table -v', '-t json'],
    diff: ['-t table -v', '-t markdown', '-t json', '-t csv'],
    apply: ['-t table', '-t json'],
    checksum: [
      '-t text',
      '-t markdown',
      '-t ndjson',
      '-t junit',
      '--summary -t text',
      '--summary -t json',
      '--messages',
      '-c',
    ],
    explain: ['-t table', '-t markdown', '-t json', '-t ndjson', '-t junit'],
    info: ['-t table -v', '-t markdown', '-t json', '-t ndjson', '-t csv', '-t junit'],
    dump: [
      '-t text',
      '-t ndjson',
      '-t csv',
      '-t hexdump --messages',
      '-t csv --type sv_chat',
      '-t text --type client_info',
    ],
    extract: ['--map', '--demo -o out.demo'],
    stats: [
      '-t table -v',
      '-t markdown',
      '-t json',
      '-t ndjson',
      '-t csv',
      '--by player',
      '--by type -t csv',
      '--by field -t csv',
    ],
    export: [
      ...['players', 'chat', 'votes', 'messages', 'demos', 'connections', 'obj_client_info'].flatMap((table) => [
        `--tables ${table} -t csv`,
        `--tables ${table} -t ndjson`,
      ]),
      '-t csv -o tables',
      '-t ndjson -o tables',
    ],
    annotate: ['-o out.pcapng', '--lua -o out.lua'],
    slice: ['--around finish -o cut-%d.demo', '--ticks 100..102 -o out.demo'],
    edit: [`--anonymise -o out.demo`, '--strip chat -o out.demo'],
    repair: ['-o out.demo'],
    concat: ['-o out.demo'],
    report: ['-o page.html'],
    schema: ['-t table', '-t markdown', '-t json'],
    trace: ['-t text -v', '-t markdown', '-t json'],
  };

  it('of any command is left out', () => {
    // `record` reads no file: what it prints is tested where a game is played through it.
    expect([...Object.keys(outputs), 'completion', 'record'].sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  const all = Object.entries(outputs).flatMap(([command, options]) => options.map((option) => `${command} ${option}`));
  it.each(all)('%s', async (line) => {
    // A schema is no file of these.
    for (const input of line.startsWith('schema') ? inputs.slice(0, 1) : inputs) {
      const io = fakeIo(world);
      const other = line.startsWith('diff') ? [input] : line.startsWith('trace') ? ['obj_client_info/0.name'] : [];
      await main([...line.split(' '), input, ...other], io);
      expect([input, rawIn(io.stdout.text), rawIn(io.stderr.text)]).toEqual([input, undefined, undefined]);
      expect(io.stderr.text).not.toContain('internal error');
      const written = [...io.files].filter(([path]) => !(path in world.files!) && !/\.(demo|pcapng)$/.test(path));
      for (const [path, bytes] of written)
        expect([path, rawIn(new TextDecoder().decode(bytes))]).toEqual([path, undefined]);
    }
  });
});

describe('JSON contains the exact text', () => {
  const parsed = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('of a demo', async () => {
    const records = parsed((await run(['dump', demo, '-t', 'ndjson'])).stdout);
    const chat = records.filter(({ name }) => name === 'sv_chat').map(({ fields }) => fields.message);
    expect(new Set(chat)).toEqual(new Set([hostileWords, longWords]));
    const { items } = records.find(({ record }) => record === 'snapshot');
    const names = items.filter(({ name }: { name: string }) => name === 'obj_client_info');
    expect(names.map(({ fields }: { fields: { name: string } }) => fields.name)).toEqual(hostile);
    expect(JSON.parse((await run(['info', demo, '-t', 'json'])).stdout)[0].file).toBe(demo);
  });

  it('of a packet', async () => {
    expect((await run(['decode', packet, '-t', 'json'])).stdout).toContain(JSON.stringify(hostile[0]).slice(1, -1));
  });
});

describe('CSV', () => {
  it('has one line per row, and no formula', async () => {
    const { stdout } = await run(['dump', demo, '-t', 'csv', '--type', 'obj_client_info']);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(1 + 2 * hostile.length);
    expect(rows.find((row) => row.includes('1+1'))).toContain(',\\u{3d}1+1,');
    expect(rows.some((row) => /,"?[=+@]/.test(row))).toBe(false);
  });
});

describe('extract', () => {
  it('writes to the stated path, whatever the name of the map is', async () => {
    const bytes = hostileDemo();
    const map = [1, 2, 3, 4];
    const start = 176 + 4 + 4 * 64;
    const withMap = Uint8Array.from([...bytes.subarray(0, start), ...map, ...bytes.subarray(start)]);
    withMap[139] = map.length;
    const { status, files: after } = await run(['extract', 'm.demo', '--map', '-o', 'out.map'], {
      files: { 'm.demo': withMap },
    });
    expect(status).toBe(0);
    expect([...after.keys()]).toEqual(['m.demo', 'out.map']);
    expect([...after.get('out.map')!]).toEqual(map);
  });
});
