import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands as allCommands, main } from '../../commands/index.ts';
import { common } from '../../commands/lib/options/options.ts';
import { topics } from '../../commands/topics.ts';
import { exampleFiles } from '../support/examples.ts';
import { type FakeIo, fakeIo } from '../support/fake-io.ts';
import { run } from '../support/run.ts';

const help = (...argv: string[]) => helpOn(fakeIo(), ...argv);

async function helpOn(io: FakeIo, ...argv: string[]): Promise<string> {
  expect(await main([...argv, '--help'], io), io.stderr.text).toBe(0);
  return io.stdout.text;
}

const commands = allCommands.map(({ name }) => name);

describe('the first screen', () => {
  it.each(['', '--help', '-h', 'help', 'help --all', 'help help'])('is that of tw-snap %s', async (words) => {
    const io = fakeIo({ terminal: true, columns: 80, env: { NO_COLOR: '1' } });
    expect(await main(words.split(' ').filter(Boolean), io)).toBe(0);
    expect(io.stdout.text).toBe(await help());
  });

  it('has all commands, those for snapshots and deltas first', async () => {
    const listed = [...(await help()).matchAll(/^ {2}(\w+) {2,}\w/gm)].map(([, name]) => name);
    expect(listed).toEqual(commands);
    expect(listed.slice(0, 5)).toEqual(['decode', 'dump', 'diff', 'apply', 'checksum']);
    expect(commands).toHaveLength(20);
  });

  it.each([80, 60])('fits in 48 lines of a terminal of %i columns, none broken', async (columns) => {
    const text = await helpOn(fakeIo({ terminal: true, columns, env: { NO_COLOR: '1' } }));
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(48);
    expect(text).toBe(await help());
  });

  it('names what tw-snap help has', async () => {
    const listed = [...(await help()).matchAll(/^ {2}tw-snap help (\S+)/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(topics));
  });
});

describe.each(Object.keys(topics))('tw-snap help %s', (topic) => {
  it.each([80, 60])('fits into %i columns, but for the examples', async (columns) => {
    const io = fakeIo({ terminal: true, columns, env: { NO_COLOR: '1' } });
    expect(await main(['help', topic], io)).toBe(0);
    const [text = '', examples = ''] = io.stdout.text.split(/^Examples:$/m);
    expect(text.split('\n').filter((line) => line.length > columns)).toEqual([]);
    expect(examples.trim()).not.toBe('');
  });
});

it('tw-snap help formats names every value of -f, -k and -p', () => {
  const terms = topics.formats.parts.flatMap((part) =>
    'rows' in part ? part.rows.flatMap(([term]) => term.split(', ')) : [],
  );
  const { from, kind, protocol } = common;
  const choices = [from, kind, protocol].flatMap(({ choices = [] }) => choices).filter((choice) => choice !== 'auto');
  expect([...new Set(terms)].toSorted()).toEqual([...new Set(choices)].toSorted());
});

it.each([
  ...[
    'obj_character/0',
    'killmsg',
    'kill',
    'x>800',
    '"good game"',
    'changed weapon',
    'x>0 and not (y>0 or message~gg)',
  ],
])('tw-snap help queries speaks of what is read: %s', async (query) => {
  const { status, stderr } = await run(['dump', 'match.demo', '--where', query], exampleFiles());
  expect([status, stderr]).toEqual([expect.any(Number), expect.not.stringContaining('--where:')]);
  expect([0, 1]).toContain(status);
});

describe('tw-snap COMMAND -h', () => {
  it.each(commands)('%s: ten options at most, and three examples', async (command) => {
    const { status, stdout } = await run(`${command} -h`);
    const [, options = '', examples = ''] =
      /^Options:\n([\s\S]*?)^Examples:\n([\s\S]*?)\n\nAll options: /m.exec(stdout) ?? [];
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: /);
    expect(options.match(/^ {2,6}-/gm)?.length ?? 0).toBeLessThanOrEqual(10);
    expect(examples.split('\n').length).toBeLessThanOrEqual(3);
    expect(stdout.split('\n').length).toBeLessThan(30);
  });

  it('has the format and the output first, then what only this command has', async () => {
    const { stdout } = await run('dump -h');
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, | {4})?--([\w-]+)/gm)].map(([, flag]) => flag);
    expect(flags).toEqual([
      'to',
      'output',
      'changes',
      'events',
      'no-messages',
      'player',
      'ticks',
      'type',
      'where',
      'protocol',
    ]);
  });

  it('reads the options before it', async () => {
    expect((await run("dump --where 'x>8' --jobs 2 -h")).status).toBe(0);
  });
});

it.each([
  ['grep', "unknown command 'grep'; did you mean 'tw-snap dump FILE --where QUERY'?"],
  ['find x.demo', /did you mean 'tw-snap dump FILE --where QUERY', or for files 'tw-snap info FOLDER --where QUERY'\?/],
  ['show', /did you mean 'tw-snap decode FILE'/],
  ['view', /did you mean 'tw-snap report FILE -o PAGE.html'/],
  ['encode', /did you mean 'tw-snap apply FILE -t huffman' for a snapshot, or 'tw-snap diff OLD NEW -t huffman'/],
  ['queries', /did you mean 'tw-snap help queries'\?/],
  ['decod', /unknown command 'decod' \(Did you mean decode\?\)/],
  ['help formts', /no command or topic 'formts'; did you mean formats\?/],
  ['decode -f delta', /Did you mean -k delta\?/],
  ['decode -k huffman', /Did you mean -f huffman\?/],
])('%s is no command, or no value: what is meant is named', async (line, said) => {
  const { status, stderr } = await run(line);
  expect(status).toBe(2);
  expect(stderr).toMatch(said);
});

it.each([['--help'], ['dump', '--help']])(
  'has coloured headings where there are colours: tw-snap %s %s',
  async (...argv) => {
    const [io, plain] = [fakeIo({ terminal: true }), fakeIo({ terminal: true, env: { NO_COLOR: '1' } })];
    for (const each of [io, plain]) expect(await main(argv, each)).toBe(0);
    const headings = plain.stdout.text.match(/^(?:Usage|[A-Z][\w ,]+(?=:$))/gm)!;
    expect(headings.length).toBeGreaterThan(4);
    const coloured = io.stdout.text.split('\u001b[1;36m').slice(1);
    expect(coloured.map((text) => text.slice(0, text.indexOf(':\u001b[22;39m')))).toEqual(headings);
    expect(io.stdout.text.replaceAll('\u001b[1;36m', '').replaceAll('\u001b[22;39m', '')).toBe(plain.stdout.text);
  },
);

describe.each(commands)('tw-snap %s --help', (command) => {
  it('fits into 80 columns, but for the examples', async () => {
    const text = await helpOn(fakeIo({ terminal: true, columns: 80, env: { NO_COLOR: '1' } }), command);
    const lines = text.slice(0, text.indexOf('Examples:')).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has its own options first, in at most 16 lines, and then those of all commands in one order', async () => {
    const text = await help(command);
    const heads = [...text.slice(0, text.indexOf('Examples:')).matchAll(/^([A-Z]\w+):$/gm)].map(([, head]) => head!);
    const order = ['Arguments', 'Options', 'Input', 'Selection', 'Output', 'Other'];
    expect(heads).toEqual(order.filter((head) => heads.includes(head)));
    const [, own = ''] = /^Options:\n((?: .*\n)*)/m.exec(text) ?? [];
    expect(own.split('\n').length - 1).toBeLessThanOrEqual(16);
  });

  it('is equal to the output of tw-snap help', async () => {
    const io = fakeIo();
    expect(await main(['help', command], io)).toBe(0);
    expect(io.stdout.text).toBe(await help(command));
  });
});

it('every line on standard error begins with the name of the program, continues one in a terminal, or is for GitHub', () => {
  const root = join(import.meta.dirname, '../..');
  const pages = ['test/transcripts', 'docs']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((path) => path.endsWith('.md'));
  const lines = pages.flatMap((path) => readFileSync(path, 'utf8').match(/^2> .*/gm) ?? []);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => !/^2> (tw-snap: |::error | {4}\S)/.test(line))).toEqual([]);
});

it.each([
  ['dump a.demo -t json', 'Allowed choices are text, ndjson, csv, hexdump. Did you mean ndjson?'],
  ['export a.demo -t json', 'Did you mean ndjson?'],
  ['trace a.demo obj_character/0.x -t ndjson', 'Allowed choices are text, markdown, json. Did you mean json?'],
  ['dump a.demo -t xml', 'Allowed choices are text, ndjson, csv, hexdump.\n'],
])('%s: a similar format is suggested', async (line, expected) => {
  const { status, stderr } = await run(line);
  expect(status).toBe(2);
  expect(stderr).toContain(expected);
});
