import { describe, expect, it } from 'vitest';
import { anyPlatform } from '../../../src/input/decompress/decompress.ts';
import { inPieces } from '../../../src/input/decompress/pieces.ts';
import { open } from '../../../src/input/source/open.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { read } from '../../support/samples.ts';

const replace = (bytes: Uint8Array, change: (latin1: string) => string) =>
  Uint8Array.from(Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1'));

/** What programs make of a file on its way. */
const changes: readonly (readonly [change: string, made: (bytes: Uint8Array) => Uint8Array])[] = [
  ['carriage_returns', (bytes) => replace(bytes, (text) => text.replaceAll('\n', '\r\n'))],
  ['byte_order_mark', (bytes) => join([Uint8Array.of(0xef, 0xbb, 0xbf), bytes])],
  ['latin1', (bytes) => Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8'))],
  ['base64', (bytes) => Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('base64')))],
  [
    'base64',
    (bytes) => Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'))),
  ],
];

async function* pieces(bytes: Uint8Array, first: number, size: number) {
  yield bytes.subarray(0, first);
  for (let at = first; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function opened(all: AsyncIterable<Uint8Array>) {
  const source = await open({ pieces: all }, {}, anyPlatform);
  const parts: Uint8Array[] = [];
  for await (const piece of source.pieces) parts.push(piece.slice());
  return { format: source.format?.name, change: source.change, bytes: Buffer.from(join(parts)) };
}

const files = ['vanilla-dm1.demo', 'ddnet-race-player.demo', 'duplicate-key.pcap', 'ddnet-ipv6.pcap'];

describe.each(files)('%s', (file) => {
  const bytes = read(file);

  it.each(changes)('%s: the bytes are those before', async (change, made) => {
    // Where it is cut is known after the first piece: of the bytes after it a few are enough, one by one.
    for (const [size, length] of [
      [1, 20_000],
      [4096, bytes.length],
      [65_536, bytes.length],
    ] as const) {
      const before = bytes.subarray(0, length);
      const { format, ...found } = await opened(pieces(made(before), 16_384, size));
      expect(found.change).toBe(change);
      expect(Buffer.compare(found.bytes, before)).toBe(0);
      expect(format).toBe(file.endsWith('.demo') ? 'demo' : 'pcap');
    }
  });

  it('that was not changed is read as it is', async () => {
    expect(await opened(inPieces(bytes))).toMatchObject({ change: undefined, bytes: Buffer.from(bytes) });
  });
});

it('a demo that was saved as UTF-8 text is called so, and read as it is', async () => {
  const saved = Uint8Array.from(Buffer.from(Buffer.from(read('vanilla-dm1.demo')).toString('utf8')));
  expect(await opened(inPieces(saved))).toMatchObject({ change: 'replaced', bytes: Buffer.from(saved) });
});
