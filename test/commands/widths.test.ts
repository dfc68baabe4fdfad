import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { widthOf } from '../../src/output/text/layout.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read, shortCapture, shortDemo } from '../support/samples.ts';

const names = [
  'vanilla-dm1.demo',
  'ddnet-ipv6.pcap',
  'duplicate-key.pcap',
  'first.huff',
  'vanilla-dm1-tick9892.packet',
];
const files = {
  ...Object.fromEntries(names.map((name) => [name, read(name)])),
  'vanilla-dm1.demo': shortDemo(),
  'ddnet-ipv6.pcap': shortCapture(),
};

/** Standard error and output on a terminal of this width. */
async function onTerminal(args: string, columns: number) {
  const io = fakeIo({ files, terminal: true, columns, stdin: 'hello there, this is no packet at all' });
  await main(args.split(' '), io);
  return io.stderr.text;
}

async function run(args: string, stdin?: string) {
  const io = fakeIo({ files: { ...files, ...(stdin === undefined ? {} : { text: stdin }) } });
  await main(args.split(' '), io);
  return io.stdout.text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours
const codes = /\u001b\[[0-9;]*m/g;

describe.each([40, 60, 80, 120, 160])('on %i columns no line is longer', (width) => {
  it.each([
    'decode first.huff',
    'decode first.huff -t table',
    'decode vanilla-dm1-tick9892.packet',
    'decode vanilla-dm1-tick9892.packet -t table',
    'diff vanilla-dm1.demo@first vanilla-dm1.demo@last -v',
    'stats vanilla-dm1.demo',
    'stats vanilla-dm1.demo --by field',
    'stats vanilla-dm1.demo ddnet-ipv6.pcap --by player',
    'stats vanilla-dm1.demo --by second',
    'stats vanilla-dm1.demo vanilla-dm1.demo',
    'stats ddnet-ipv6.pcap',
    'checksum ddnet-ipv6.pcap duplicate-key.pcap',
    'explain duplicate-key.pcap',
    'schema',
    'schema -p 0.7',
    'schema obj_de_client_info -p 0.7',
    'schema sv_killmsg',
    'info ddnet-ipv6.pcap',
    'info vanilla-dm1.demo ddnet-ipv6.pcap first.huff',
  ])('%s', async (args) => {
    const lines = (await run(`${args} --width ${width} --color always`)).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.map((line) => line.replace(codes, '')).filter((line) => widthOf(line) > width)).toEqual([]);
  });

  it('the hexdump can still be read back', async () => {
    const text = await run(`decode first.huff --width ${width}`);
    const { items } = JSON.parse(await run('decode text -t json', text));
    expect(items).toEqual(JSON.parse(await run('decode first.huff -t json')).items);
  });
});

describe('26 columns are enough', () => {
  it.each([
    'decode first.huff -v',
    'dump vanilla-dm1.demo',
    'dump ddnet-ipv6.pcap',
    'info ddnet-ipv6.pcap -v',
    'stats ddnet-ipv6.pcap --by player-field',
    'schema obj_character',
  ])('for %s', async (args) => {
    const lines = (await run(`${args} --width 26`)).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => widthOf(line) > 26)).toEqual([]);
  });
});

describe.each([40, 60, 80])('on a terminal of %i columns messages break between words', (columns) => {
  it.each([
    'decode vanilla-dm1-tick9892.packet',
    'decode vanilla-dm1.demo',
    'decode -',
    'decode missing.demo',
    'checksum duplicate-key.pcap -t github',
    'checksum ddnet-ipv6.pcap --ticks 1..2',
    'dump ddnet-ipv6.pcap --client 127.0.0.1:8303',
    'dump vanilla-dm1.demo --type obj_charakter',
    'info ddnet-ipv6.pcap -p 0.7',
    'decode --frobnicate',
  ])('%s', async (args) => {
    const lines = (await onTerminal(args, columns)).split('\n');
    expect(lines[0]).toMatch(/^tw-snap: /);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it.each([
    '--help',
    'help decode',
    'help export',
    'help slice',
    'slice vanilla-dm1.demo --around kill -o cut-%d.demo',
    'edit vanilla-dm1.demo --anonymise -o cut.demo',
    'annotate ddnet-ipv6.pcap -o a.pcapng',
  ])('%s', async (args) => {
    const io = fakeIo({ files, terminal: true, columns });
    await main(args.split(' '), io);
    expect(io.stdout.text).not.toBe('');
    expect(
      io.stdout.text
        .replace(codes, '')
        .split('\n')
        .filter((line) => widthOf(line) > columns),
    ).toEqual([]);
  });

  it('words are whole and in their order', async () => {
    const words = async (width: number) => (await onTerminal('decode -', width)).split(/\s+/);
    expect(await words(columns)).toEqual(await words(1000));
  });
});

describe('the columns that a table leaves out are counted below it, with the width that shows all', () => {
  const line = /^ {2}(\d+) more columns? \(--width (\d+)\)$/m;

  it.each([
    'stats vanilla-dm1.demo',
    'stats ddnet-ipv6.pcap',
    'stats vanilla-dm1.demo --by second',
    'stats vanilla-dm1.demo vanilla-dm1.demo',
    'info vanilla-dm1.demo ddnet-ipv6.pcap first.huff',
    'checksum duplicate-key.pcap',
  ])('%s', async (args) => {
    const narrow = await run(`${args} --width 42`);
    const [, , width = '0'] = line.exec(narrow) ?? [];
    expect(Number(width)).toBeGreaterThan(42);
    expect(await run(`${args} --width ${width}`)).not.toMatch(line);
    expect(await run(`${args} --width ${Number(width) - 1}`)).toMatch(line);
  });

  it('the heads that are gone are as many', async () => {
    const heads = async (width: number) => {
      const text = await run(`info vanilla-dm1.demo ddnet-ipv6.pcap --width ${width}`);
      return { heads: text.split('\n')[0]!.split(/ {2,}/).length, left: Number(line.exec(text)?.[1] ?? 0) };
    };
    // File, health, format, version, map, length, snapshots and players.
    for (const width of [40, 60, 80, 100, 120]) {
      const { heads: shown, left } = await heads(width);
      expect(shown + left).toBe(8);
    }
  });

  it('in a pipe and in markdown the list of files leaves out none', async () => {
    expect(await run('info vanilla-dm1.demo ddnet-ipv6.pcap')).not.toMatch(line);
    expect(await run('info vanilla-dm1.demo ddnet-ipv6.pcap -t markdown --width 40')).not.toMatch(line);
  });
});
