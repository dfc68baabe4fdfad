import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anyPlatform, unpack } from '../../../src/input/decompress/decompress.ts';
import { samplePath } from '../../support/program.ts';

const sample = readFileSync(samplePath('ddnet-ipv6.pcap'));
const zipped = gzipSync(sample);

async function read(data: Uint8Array, pieceBytes = 65_536) {
  async function* pieces() {
    for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
  }
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of unpack({ first: data, pieces: pieces() }, anyPlatform)) chunks.push(chunk);
  } catch (error) {
    return [Buffer.concat(chunks).equals(sample), (error as Error).message];
  }
  return [Buffer.concat(chunks).equals(sample), 'fine'];
}

describe('gzip data', () => {
  it.each([1, 7, 1000, 65_536])('is read in pieces of %d bytes', async (size) => {
    expect(await read(zipped, size)).toEqual([true, 'fine']);
  });

  it('of several members is read as one', async () => {
    const half = sample.length >> 1;
    expect(await read(Buffer.concat([gzipSync(sample.subarray(0, half)), gzipSync(sample.subarray(half))]))).toEqual([
      true,
      'fine',
    ]);
  });

  it('with a name and other fields in its header is read', async () => {
    const head = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 0x61, 0, 0x62, 0, 7, 7]);
    expect(await read(Buffer.concat([head, zipped.subarray(10)]))).toEqual([true, 'fine']);
  });

  it('padded with zeros is read', async () => {
    expect(await read(Buffer.concat([zipped, Buffer.alloc(100_000)]))).toEqual([true, 'fine']);
  });

  it('with other bytes after its end is read whole, and these bytes are reported', async () => {
    expect(await read(Buffer.concat([zipped, Buffer.from('garbage, more garbage')]))).toEqual([
      true,
      'there are other bytes after the gzip data',
    ]);
  });

  it('with a wrong checksum is read whole, and the checksum is reported', async () => {
    const wrong = Buffer.from(zipped);
    wrong[wrong.length - 8]! ^= 1;
    expect(await read(wrong)).toEqual([true, 'the gzip data is damaged: its checksum is wrong']);
  });

  it('without its last bytes is read whole, and the early end is reported', async () => {
    expect(await read(zipped.subarray(0, -3))).toEqual([true, 'the gzip data ends early']);
  });

  it('with a name that has no end is refused after 64 KiB of it', async () => {
    let pieces = 0;
    async function* endless() {
      yield Uint8Array.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3);
      for (; pieces < 1000; pieces++) yield new Uint8Array(1024).fill(0x61);
    }
    const read = async () => {
      for await (const _ of unpack({ first: zipped, pieces: endless() }, anyPlatform));
    };
    await expect(read()).rejects.toThrow(
      new Error('the gzip data is damaged: a name or comment of more than 64 KiB in a header'),
    );
    expect(pieces).toBe(64);
  });

  it('with a name of 64 KiB is read, whatever the pieces', async () => {
    const head = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    const named = Buffer.concat([head, Buffer.alloc((64 << 10) - 1, 0x61), Buffer.of(0), zipped.subarray(10)]);
    expect(await read(named)).toEqual([true, 'fine']);
    expect(await read(named, 1000)).toEqual([true, 'fine']);
  });

  it('of more than 1,000 members with next to no contents is refused, with what they contain', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const members = (count: number) => Buffer.concat([zipped, ...Array.from({ length: count }, () => empty)]);
    const most = 1000 + Math.ceil(sample.length / 1024) - 1;
    expect(await read(members(most))).toEqual([true, 'fine']);
    expect(await read(members(most + 100))).toEqual([
      true,
      `the gzip data has more than ${most + 1} members in ${sample.length} bytes; expected fewer and larger ones`,
    ]);
  });
});
