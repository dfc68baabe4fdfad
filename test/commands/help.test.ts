import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { isEndless, runExample } from '../support/examples.ts';
import { type FakeIo, fakeIo } from '../support/fake-io.ts';
import { run } from '../support/run.ts';

const help = (...argv: string[]) => helpOn(fakeIo(), ...argv);

async function helpOn(io: FakeIo, ...argv: string[]): Promise<string> {
  expect(await main([...argv, '--help'], io), io.stderr.text).toBe(0);
  return io.stdout.text;
}

const commandsIn = (text: string) =>
  [...text.slice(text.indexOf('Inspect:')).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
const examplesIn = (text: string) =>
  text
    .slice(text.indexOf('Examples:'))
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const all = fakeIo();
await main(['help', '--all'], all);
const commands = commandsIn(all.stdout.text).filter((name) => name !== 'help');

it('lists eight commands, and with --all all', async () => {
  expect(commands).toEqual(expect.arrayContaining(['decode', 'diff', 'checksum', 'schema', 'completion']));
  const most = commandsIn(await help()).filter((name) => commands.includes(name));
  expect(most).toEqual(['decode', 'dump', 'info', 'report', 'checksum', 'stats', 'export', 'slice']);
  expect(await help()).toContain(`${commands.length - most.length} more commands: tw-snap help --all\n`);
});

it.each(['', '--help', 'help'])('is printed in its order in a terminal: tw-snap %s', async (words) => {
  const argv = words.split(' ').filter(Boolean);
  const io = fakeIo({ terminal: true, columns: 80, env: { NO_COLOR: '1' } });
  expect(await main(argv, io)).toBe(0);
  expect(io.stdout.text).toMatch(
    /^Usage: [\s\S]*\n {2}slice [\s\S]*\nStart with: [^\n]*\n\n\d+ more commands: [^\n]*\n?$/,
  );
});

it.each([['--help'], ['dump', '--help']])(
  'has coloured headings where there are colours: tw-snap %s %s',
  async (...argv) => {
    const [io, plain] = [fakeIo({ terminal: true }), fakeIo({ terminal: true, env: { NO_COLOR: '1' } })];
    for (const each of [io, plain]) expect(await main(argv, each)).toBe(0);
    const headings = plain.stdout.text.match(/^(?:Usage|[A-Z]\w+(?=:$))/gm)!;
    expect(headings.length).toBeGreaterThan(4);
    const coloured = io.stdout.text.split('\u001b[1;36m').slice(1);
    expect(coloured.map((text) => text.slice(0, text.indexOf(':\u001b[22;39m')))).toEqual(headings);
    expect(io.stdout.text.replaceAll('\u001b[1;36m', '').replaceAll('\u001b[22;39m', '')).toBe(plain.stdout.text);
  },
);

describe.each(commands)('tw-snap %s --help', (command) => {
  it('has at least two examples, which do what their descriptions say', async () => {
    const examples = examplesIn(await help(command));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      if (isEndless(example)) continue;
      const { status, stdout, stderr } = await runExample(example);
      // Exit status 1: wrong checksums and their causes, and what differs.
      const isFinding = ['diff', 'explain'].includes(command) || example.includes(' --diff ');
      expect([0, ...(isFinding ? [1] : [])], `${example}\n${stderr}`).toContain(status);
      expect(stdout.length, example).toBeGreaterThan(0);
    }
  });

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
