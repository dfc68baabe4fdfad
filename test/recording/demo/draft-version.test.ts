import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { writeDemoHeader } from '../../../src/recording/container/demo/demo-writer.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import { type Bytes, be32, file } from '../../support/bytes.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { key } from '../../support/readers.ts';

/** Demo version 7 as docs/FORMATS.md describes the draft: size code 31 is followed by three bytes, little-endian. */
const header = (version: number): Bytes => {
  const fields = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', mapSize: 0, mapCrc: 0, type: 'client' };
  const rest = { length: 0, timestamp: '', markers: [], sha256: '00'.repeat(32) };
  return [...writeDemoHeader({ version: 6, ...fields, ...rest }).with(7, version)];
};

const tick = (number: number, isKeyframe: boolean): Bytes => [isKeyframe ? 0xc0 : 0x80, ...be32(number)];

function chunk(type: number, ints: Int32Array): Bytes {
  const [packed, compressed] = [new ByteBuffer(), new ByteBuffer()];
  packInts(ints, 0, ints.length, packed);
  compress(packed.bytes, 0, packed.length, compressed, 'extra');
  const data = compressed.bytes.subarray(0, compressed.length);
  const size = data.length;
  if (size < 30) return [(type << 5) | size, ...data];
  if (size < 256) return [(type << 5) | 30, size, ...data];
  return [(type << 5) | 31, size & 0xff, (size >> 8) & 0xff, size >> 16, ...data];
}

/** The ints of a snapshot of this many items of 100 ints, each of a type without an agreed size. */
function snapshot(count: number): Int32Array {
  const items = Array.from({ length: count }, (_, id) => [
    key(70, id),
    ...Array.from({ length: 100 }, (_, i) => value(id, i)),
  ]);
  const data = items.flat();
  return Int32Array.from([4 * data.length, count, ...items.map((_, i) => 4 * 101 * i), ...data]);
}

/** An irregular number that has two bytes as a varint. */
const value = (id: number, i: number) => 64 + ((id * 7919 + i * 104729) % 8000);

const sumOf = (count: number) => {
  let sum = 0;
  for (let id = 0; id < count; id++) for (let i = 0; i < 100; i++) sum = (sum + value(id, i)) | 0;
  return sum;
};

/** A delta that increases the first int of item 3 by one. */
const delta = Int32Array.from([0, 1, 0, 70, 3, 100, 1, ...new Array(99).fill(0)]);

const demo = (version: number, count: number) =>
  file(header(version), tick(10, true), chunk(1, snapshot(count)), tick(12, false), chunk(3, delta));

function replayed(bytes: Uint8Array, pieceSize = bytes.length) {
  const replay = new DemoReplay();
  const snapshots: (readonly [tick: number, count: number | undefined, crc: number | undefined])[] = [];
  const diagnostics: string[] = [];
  const add = (entries: ReturnType<DemoReplay['feed']>) => {
    for (const entry of entries) {
      if (entry.record === 'snapshot') snapshots.push([entry.tick, entry.snapshot?.count, entry.snapshot?.checksum()]);
      if (entry.record !== 'diagnostic') continue;
      const { severity, code, args } = entry.diagnostic;
      diagnostics.push([severity, code, args.limit].filter((entry) => entry !== undefined).join(' '));
    }
  };
  for (let at = 0; at < bytes.length; at += pieceSize) add(replay.feed(bytes.slice(at, at + pieceSize)));
  add(replay.finish());
  return { snapshots, diagnostics };
}

describe('demo version 7, a draft', () => {
  it.each([Infinity, 1000])(
    'has chunks of more than 65,535 bytes, read with a warning, in pieces of %s bytes',
    (piece) => {
      const bytes = demo(7, 600);
      // More than a size of two bytes can express.
      expect(chunk(1, snapshot(600)).length).toBeGreaterThan(65_536 + 4);
      expect(replayed(bytes, Math.min(piece, bytes.length))).toEqual({
        snapshots: [
          [10, 600, sumOf(600)],
          [12, 600, (sumOf(600) + 1) | 0],
        ],
        diagnostics: ['warning draft_version'],
      });
    },
  );

  it('has snapshots of at most 256 KiB', () => {
    // 4 * (2 + 642 * 102) bytes, and 4 * (2 + 643 * 102): 262,144 are allowed.
    expect(replayed(demo(7, 642)).snapshots[0]).toEqual([10, 642, sumOf(642)]);
    const { snapshots, diagnostics } = replayed(demo(7, 643));
    expect(snapshots).toEqual([]);
    expect(diagnostics).toContain('error snapshot_too_large 262144');
  });

  it('differs from version 6, whose limit is 64 KiB', () => {
    // 160 items have 65,288 bytes, 161 have 65,696.
    const small = [header(6), tick(10, true), chunk(1, snapshot(161)), tick(12, false)];
    const [, , big] = small;
    const asVersion6 = file(small[0]!, small[1]!, [big![0]!, big![1]!, big![2]!, ...big!.slice(4)], small[3]!);
    expect(replayed(asVersion6).diagnostics).toContain('error snapshot_too_large 65536');
    expect(replayed(demo(7, 161)).snapshots).toHaveLength(2);
  });

  it('is found again after damage', () => {
    const bytes = file(
      ...[header(7), tick(10, true), chunk(1, snapshot(600)), new Array<number>(40).fill(0xff)],
      ...[tick(20, true), chunk(1, snapshot(600)), tick(22, false), chunk(3, delta), tick(24, false), chunk(3, delta)],
    );
    expect(replayed(bytes).snapshots.map(([number]) => number)).toEqual([10, 20, 22, 24]);
  });

  it('is read as 6 if it is higher, as by CDemoPlayer::Load of DDNet, and written so', async () => {
    const files = { 'a.demo': demo(22, 1) };
    expect(replayed(files['a.demo'])).toEqual({
      ...replayed(demo(6, 1)),
      diagnostics: ['warning demo_version'],
    });
    const io = fakeIo({ files });
    expect(await main(['info', 'a.demo'], io)).toBe(1);
    expect(await main(['repair', 'a.demo', '-o', 'b.demo'], io)).toBe(0);
    expect(io.files.get('b.demo')![7]).toBe(6);
  });

  it('is a finding with --strict, and is written as version 6', async () => {
    const files = { 'a.demo': demo(7, 100) };
    // DDNet 20.1 reads sizes of two bytes: it does not play it.
    expect(await main(['info', 'a.demo'], fakeIo({ files }))).toBe(1);
    expect(await main(['dump', '-t', 'ndjson', '--strict', 'a.demo'], fakeIo({ files }))).toBe(1);
    const io = fakeIo({ files });
    expect(await main(['edit', 'a.demo', '--strip', 'chat', '-o', 'b.demo'], io)).toBe(0);
    const written = io.files.get('b.demo')!;
    expect(written[7]).toBe(6);
    expect(replayed(written)).toEqual({ ...replayed(files['a.demo']), diagnostics: [] });
  });
});
