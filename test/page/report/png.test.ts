import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackZlib as inflate } from '../../../src/input/decompress/decompress.ts';
import { readPng, writePng } from '../../../src/page/report/png.ts';

const deflate = async (data: Uint8Array) => new Uint8Array(deflateSync(data));

interface Head {
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly depth?: number;
  readonly interlace?: number;
}

/** An image as the PNG specification describes it. Checksums of chunks are not read. */
function png(
  { width, height, colour, depth = 8, interlace = 0 }: Head,
  rows: number[],
  chunks: [string, number[]][] = [],
) {
  const chunk = (type: string, data: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4);
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, interlace], 8);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', head),
      ...chunks.map(([type, data]) => chunk(type, Uint8Array.from(data))),
      chunk('IDAT', deflateSync(Uint8Array.from(rows))),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}
const pixelsOf = async (...made: Parameters<typeof png>) => [...(await readPng(png(...made), inflate))!.pixels];

describe('an image', () => {
  it('of each kind of colour becomes red, green, blue and alpha', async () => {
    const size = { width: 2, height: 1 };
    expect(await pixelsOf({ ...size, colour: 0 }, [0, 7, 200])).toEqual([7, 7, 7, 255, 200, 200, 200, 255]);
    expect(await pixelsOf({ ...size, colour: 2 }, [0, 1, 2, 3, 4, 5, 6])).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
    expect(await pixelsOf({ ...size, colour: 4 }, [0, 7, 1, 200, 0])).toEqual([7, 7, 7, 1, 200, 200, 200, 0]);
    expect(await pixelsOf({ ...size, colour: 6 }, [0, 1, 2, 3, 4, 5, 6, 7, 8])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const palette: [string, number[]][] = [
      ['PLTE', [10, 11, 12, 20, 21, 22]],
      ['tRNS', [99]],
    ];
    expect(await pixelsOf({ ...size, colour: 3 }, [0, 1, 0], palette)).toEqual([20, 21, 22, 255, 10, 11, 12, 99]);
  });

  it('has rows that are less than what is to their left, above, both, or the nearest', async () => {
    const size = { width: 3, height: 2, colour: 0 };
    const greys = async (rows: number[]) => (await pixelsOf(size, rows)).filter((_, i) => i % 4 === 0);
    // The first row is 10 20 30; the second one, 12 24 40, is written with each filter.
    const first = [0, 10, 20, 30];
    expect(await greys([...first, 0, 12, 24, 40])).toEqual([10, 20, 30, 12, 24, 40]);
    expect(await greys([...first, 1, 12, 12, 16])).toEqual([10, 20, 30, 12, 24, 40]);
    expect(await greys([...first, 2, 2, 4, 10])).toEqual([10, 20, 30, 12, 24, 40]);
    // The means of left and above: (0 + 10) / 2, (12 + 20) / 2, (24 + 30) / 2.
    expect(await greys([...first, 3, 7, 8, 13])).toEqual([10, 20, 30, 12, 24, 40]);
    // Nearest to left + above − corner: 10 → above; 22 → above (20); 34 → above (30).
    expect(await greys([...first, 4, 2, 4, 10])).toEqual([10, 20, 30, 12, 24, 40]);
    // Bytes are sums modulo 256.
    expect(await greys([...first, 1, 250, 10, 0])).toEqual([10, 20, 30, 250, 4, 4]);
  });

  it('that is written is read again, by this reader and its rows by the specification', async () => {
    const [width, height] = [5, 4];
    const pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => (i * i * 31) & 255);
    const written = await writePng({ width, height, pixels }, deflate);
    expect(await readPng(written, inflate)).toEqual({ width, height, pixels });
    // After the magic and a head of 25 bytes, chunks: length, type, data, checksum.
    const chunks = new Map<string, Uint8Array>();
    const buffer = Buffer.from(written);
    for (let at = 33; at < buffer.length; at += 12 + buffer.readUInt32BE(at))
      chunks.set(buffer.toString('latin1', at + 4, at + 8), buffer.subarray(at + 8, at + 8 + buffer.readUInt32BE(at)));
    expect([...chunks.keys()]).toEqual(['PLTE', 'tRNS', 'IDAT', 'IEND']);
    const [palette, rows] = [chunks.get('PLTE')!, inflateSync(chunks.get('IDAT')!)];
    expect(chunks.get('tRNS')).toHaveLength(palette.length / 3);
    expect(rows).toHaveLength(height * (1 + width));
    for (let y = 0; y < height; y++) expect(rows[y * (1 + width)]).toBe(0);
    const last = rows.at(-1)!;
    expect([...palette.subarray(3 * last, 3 * last + 3), chunks.get('tRNS')![last]]).toEqual([...pixels.subarray(-4)]);
  });

  it('has no room for 257 colours', async () => {
    const pixels = new Uint8Array(4 * 257).map((_, i) => [i >> 2, i >> 10, 0, 255][i % 4]!);
    await expect(writePng({ width: 257, height: 1, pixels }, deflate)).rejects.toThrow('257 colours');
    expect(await writePng({ width: 256, height: 1, pixels: pixels.subarray(0, 1024) }, deflate)).toBeDefined();
  });
});

describe('what is no image of the games is not read', () => {
  const read = async (...made: Parameters<typeof png>) => readPng(png(...made), inflate);
  const small = { width: 1, height: 1, colour: 6 };
  const row = [0, 1, 2, 3, 4];

  it('other depths, interlacing, unknown colours, and sizes that are not possible', async () => {
    expect(await read(small, row)).toBeDefined();
    expect(await read({ ...small, depth: 16 }, row)).toBeUndefined();
    expect(await read({ ...small, interlace: 1 }, row)).toBeUndefined();
    expect(await read({ ...small, colour: 5 }, row)).toBeUndefined();
    expect(await read({ ...small, width: 0 }, row)).toBeUndefined();
    expect(await read({ ...small, height: 4097 }, row)).toBeUndefined();
    expect(await read({ ...small, width: 0xffffffff }, row)).toBeUndefined();
  });

  it('more or fewer rows than its size says', async () => {
    expect(await read(small, [...row, ...row])).toBeUndefined();
    expect(await read(small, row.slice(1))).toBeUndefined();
  });

  it('one that is cut or changed anywhere causes no error', async () => {
    const whole = png({ width: 2, height: 2, colour: 3 }, [0, 0, 1, 4, 1, 0], [['PLTE', [1, 2, 3]]]);
    for (let length = 0; length < whole.length - 16; length++)
      expect(await readPng(whole.slice(0, length), inflate)).toBeUndefined();
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice();
      changed[at]! ^= 0xff;
      const image = await readPng(changed, inflate);
      if (image) expect(image.pixels).toHaveLength(4 * image.width * image.height);
    }
  });
});
