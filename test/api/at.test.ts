import { expect, it } from 'vitest';
import { decode } from '../../src/api/index.ts';
import { at, foundText, missingText, NotFoundError } from '../../src/api/unstable.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const files = { 'a.pcap': read('ddnet-ipv6.pcap'), 'm.demo': read('vanilla-dm1.demo') } as const;
const run = (line: string) => runWriting(line, files);

const positions = [
  ['m.demo', '@first'],
  ['m.demo', '@first+1s'],
  ['m.demo', '@0:01'],
  ['m.demo', '@last'],
  ['m.demo', '@last-1s'],
  ['a.pcap', '@33948'],
  ['a.pcap', '@33949'],
  ['a.pcap', '@last-10'],
  ['a.pcap', '#101'],
] as const;

it.each(positions)('%s%s is the same for the library and the command line', async (file, position) => {
  const found = at(files[file], position);
  const { status, stdout, stderr } = await run(`checksum ${file}${position}`);
  expect(status).toBe(0);
  expect(found.snapshot!.checksum()).toBe(Number(stdout.trim().split(' ')[0]));
  for (const note of found.notes) expect(stderr).toContain(`: ${foundText(note)}`);
  // Of a packet, its ends are told as well.
  if ('tick' in found) expect(stderr.split('\n').length - 1).toBe(found.notes.length);
});

it.each([
  ['m.demo', '@1'],
  ['m.demo', '@900000'],
  ['a.pcap', '@1'],
  ['a.pcap', '#787'],
] as const)('%s%s is not there, in the same words', async (file, position) => {
  const { status, stderr } = await run(`checksum ${file}${position}`);
  expect(status).toBe(2);
  let error: unknown;
  try {
    at(files[file], position);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(NotFoundError);
  expect(stderr).toContain(missingText((error as NotFoundError).missing));
});

it('has the base of a packet, on which its delta has the announced checksum', () => {
  const found = at(files['a.pcap'], '#101');
  if ('tick' in found) throw new Error('a packet is expected');
  const { bytes, base, stream, snapshot } = found;
  const decoded = decode(bytes, { kind: 'packet', protocol: stream!.protocol, base: base! });
  const results = decoded.contents.messages.flatMap(({ delta }) => delta?.payload.result ?? []);
  expect(results.map((result) => result.checksum())).toEqual([snapshot!.checksum()]);
});

it.each(['9938', '@', '#x', '@0:10..0:20', ''])('refuses the position "%s"', (position) => {
  expect(() => at(files['m.demo'], position)).toThrow();
});
