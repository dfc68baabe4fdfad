import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { columnsOf } from '../../src/view/text/line-wrapping.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read } from '../support/samples.ts';

const names = [
  'vanilla-dm1.demo',
  'ddnet-ipv6.pcap',
  'duplicate-key.pcap',
  'first.huff',
  'vanilla-dm1-tick9892.packet',
];
const files = Object.fromEntries(names.map((name) => [name, read(name)]));

async function run(args: string, stdin?: string) {
  const io = fakeIo({ files: { ...files, ...(stdin === undefined ? {} : { text: stdin }) } });
  await main(args.split(' '), io);
  return io.stdout.text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours and links
const codes = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;

describe.each([40, 60, 80, 120, 160])('on %i columns no line is longer', (width) => {
  it.each([
    'decode first.huff',
    'decode first.huff -t table',
    'decode vanilla-dm1-tick9892.packet',
    'decode vanilla-dm1-tick9892.packet -t table',
    'diff vanilla-dm1.demo@first vanilla-dm1.demo@last -v',
    'stats vanilla-dm1.demo',
    'stats vanilla-dm1.demo --by second',
    'stats ddnet-ipv6.pcap',
    'checksum ddnet-ipv6.pcap duplicate-key.pcap',
    'explain duplicate-key.pcap',
    'schema',
    'schema obj_character',
    'schema sv_killmsg',
  ])('%s', async (args) => {
    const lines = (await run(`${args} --width ${width} --color always`)).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.map((line) => line.replace(codes, '')).filter((line) => columnsOf(line) > width)).toEqual([]);
  });

  it('the hexdump can still be read back', async () => {
    const text = await run(`decode first.huff --width ${width}`);
    const { items } = JSON.parse(await run('decode text -t json', text));
    expect(items).toEqual(JSON.parse(await run('decode first.huff -t json')).items);
  });
});
