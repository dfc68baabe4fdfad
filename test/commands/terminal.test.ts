import { expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read } from '../support/samples.ts';

const names = ['first.huff', 'vanilla-dm1.demo', 'ddnet-ipv6.pcap'];

it.each([
  'apply empty first.huff -t huffman',
  'apply empty first.huff -t packed',
  'apply empty first.huff -t ints -o -',
  'diff vanilla-dm1.demo@first vanilla-dm1.demo@last -t packed',
  'extract vanilla-dm1.demo --map',
  'extract vanilla-dm1.demo@first',
  'extract ddnet-ipv6.pcap#1',
  'extract ddnet-ipv6.pcap --demo -o -',
  'annotate ddnet-ipv6.pcap',
  'export vanilla-dm1.demo --tables kills',
  'slice vanilla-dm1.demo --ticks 9000..9100 -o -',
  'edit vanilla-dm1.demo --strip chat -o -',
  'repair vanilla-dm1.demo -o -',
  'concat vanilla-dm1.demo -o -',
  'report vanilla-dm1.demo',
])('bytes are not written to a terminal: %s', async (line) => {
  const files = Object.fromEntries(names.map((name) => [name, read(name)]));
  const io = fakeIo({ files, terminal: true, columns: 80 });
  expect(await main([...line.split(' '), '-q'], io)).toBe(2);
  expect(io.stdout.text).toBe('');
  expect(io.stderr.text.replaceAll(/\s+/g, ' ')).toContain('not for a terminal: name a file with -o');
});
