import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../src/wire/codec/crc32.ts';
import { samplePath } from '../../support/program.ts';
import { run as runLine } from '../../support/run.ts';
import { shortDemo } from '../../support/samples.ts';

const sample = (name: string) => new Uint8Array(readFileSync(samplePath(name)));
const first = sample('first.huff');
const demo = shortDemo();

const run = (input: Uint8Array, line: string) => runLine(`${line} input`, { input });

type ZipFile = readonly [name: string, data: Uint8Array, stored?: boolean];

/** A zip as its specification (APPNOTE.TXT) says: the files, the directory, its end. */
function zip(files: readonly ZipFile[], comment = '', flags = 0): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, data, stored = false] of files) {
    const packed = stored ? Buffer.from(data) : zlib.deflateRawSync(data);
    // From the version needed up to the extra field, which both records have.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, tail, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(comment.length, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]));
}

describe('a zip', () => {
  it.each([
    ['deflated', zip([['match.demo', demo]])],
    ['stored', zip([['match.demo', demo, true]])],
    ['with a comment', zip([['match.demo', demo]], 'a comment PK')],
    [
      'with a folder',
      zip([
        ['demos/', new Uint8Array(), true],
        ['demos/match.demo', demo],
      ]),
    ],
    [
      'with what macOS adds',
      zip([
        ['match.demo', demo],
        ['__MACOSX/._match.demo', Uint8Array.of(0)],
      ]),
    ],
  ])('%s is read as the file in it', async (_, bytes) => {
    const plain = await run(demo, 'dump -t ndjson');
    expect(await run(bytes, 'dump -t ndjson')).toEqual(plain);
  });

  it('may have a single payload, too', async () => {
    const { status, stdout } = await run(zip([['first.huff', first]]), 'decode -t json');
    expect([status, JSON.parse(stdout).items.length]).toEqual([0, 3]);
  });

  const whole = zip([['match.demo', demo]]);
  const outside = whole.slice();
  outside.fill(0xff, whole.length - 22 - 14, whole.length - 22 - 10);
  it.each([
    [
      'of several files',
      zip([
        ['a.demo', demo],
        ['b.demo', demo],
      ]),
      'a zip of 2 files: a.demo, b.demo; unpack one',
    ],
    [
      'of no file',
      zip([
        ['demos/', new Uint8Array(), true],
        ['more/', new Uint8Array(), true],
      ]),
      'has no file in it',
    ],
    ['that ends early', whole.subarray(0, 1000), 'the zip file ends early: its directory is missing'],
    ['that is encrypted', zip([['match.demo', demo]], '', 1), 'match.demo in the zip file is encrypted'],
    ['with a damaged directory', outside, 'is outside of it'],
  ])('%s is refused', async (_, bytes, reason) => {
    const { status, stdout, stderr } = await run(bytes, 'info');
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toContain(reason);
  });

  it('with damaged contents is refused with the reason', async () => {
    const damaged = whole.slice();
    damaged.fill(0xff, 2000, 2100);
    const { status, stderr } = await run(damaged, 'info');
    expect([status, stderr]).toEqual([3, expect.stringContaining('the deflate data is damaged')]);
  });
});

describe('zstd', () => {
  /** first.huff, by `zstd` 1.5. */
  const packed = new Uint8Array(Buffer.from('KLUv/SQZyQAALdqM9XWlyqSciheIK21SDuutr8f7JytuAOjY+fk=', 'base64'));
  const isKnown = 'createZstdDecompress' in zlib;

  it.skipIf(!isKnown)('is read (needs Node 22.15)', async () => {
    const { status, stdout } = await run(packed, 'decode -t json');
    expect([status, JSON.parse(stdout).items.length]).toEqual([0, 3]);
  });

  it.skipIf(isKnown)('is named with a hint where Node does not support zstd (needs Node before 22.15)', async () => {
    const { status, stderr } = await run(packed, 'decode');
    expect([status, stderr]).toEqual([3, expect.stringMatching(/zstd data needs Node 22\.15 .* zstd -dc FILE/)]);
  });
});

describe('a file that is something else is named', () => {
  const file = (...start: (number | string)[]) =>
    new Uint8Array(
      Buffer.concat([...start.map((part) => Buffer.from(typeof part === 'string' ? part : [part])), Buffer.alloc(80)]),
    );
  it.each([
    ['xz', file(0xfd, '7zXZ', 0), 'xz -dc FILE'],
    ['bzip2', file('BZh9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59), 'bzip2 -dc FILE'],
    [
      'teehistorian',
      new Uint8Array(Buffer.from('699db17b8efb34ffb1d8da6f60c15dd17b7d00', 'hex')),
      'a teehistorian file',
    ],
    ['a map', file('DATA', 4, 0, 0, 0), 'a map'],
    ['a map of a big-endian machine', file('ATAD', 4, 0, 0, 0), 'a map'],
    ['PNG', file(0x89, 'PNG\r\n', 0x1a, '\n'), 'a picture (PNG)'],
    ['a web page', file('<!doctype html>\n<p>00 00 00 12'), 'a web page'],
  ])('%s', async (_, bytes, text) => {
    for (const command of ['decode', 'info', 'dump', 'checksum']) {
      const { status, stdout, stderr } = await run(bytes, `${command}`);
      expect([status, stdout], command).toEqual([3, '']);
      expect(stderr).toContain(`tw-snap: input: this is ${text.includes('-dc') ? 'a file compressed with' : text}`);
      expect(stderr).toContain(text);
    }
  });

  it('is read in the stated format', async () => {
    const { stderr } = await run(file('DATA', 4, 0, 0, 0), 'decode -f ints');
    expect(stderr).not.toContain('a map');
  });
});
