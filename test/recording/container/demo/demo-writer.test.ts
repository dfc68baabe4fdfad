import { describe, expect, it } from 'vitest';
import { type DemoFrame, DemoReader } from '../../../../src/recording/container/demo/demo-reader.ts';
import { DemoWriter } from '../../../../src/recording/container/demo/demo-writer.ts';
import { ByteBuffer, IntBuffer } from '../../../../src/wire/bytes/buffers.ts';
import { DecodeError, ignore } from '../../../../src/wire/bytes/diagnostic.ts';
import { type LastByte, lastByteOf } from '../../../../src/wire/codec/huffman.ts';
import { unpackHuffman } from '../../../../src/wire/payload/payload-reader.ts';
import { hasCorpus } from '../../../support/corpus.ts';
import { demoChunks } from '../../../support/demo-chunks.ts';
import { readDemoFile, recordedDemos } from '../../../support/demos.ts';

/** A demo's parts after they are written again one by one. */
function rewritten(file: Uint8Array, write: (writer: DemoWriter, frame: DemoFrame, payload: Uint8Array) => void) {
  const reader = new DemoReader();
  let writer: DemoWriter | undefined;
  reader.add(file);
  reader.end();
  for (let frame = reader.next(); frame; frame = reader.next()) {
    const bytes = frame.bytes.subarray(frame.start, frame.end);
    if (frame.kind === 'header') {
      writer = new DemoWriter(reader.header!.version);
      writer.header(reader.header!);
    } else if (frame.kind === 'map') writer!.map(bytes);
    else if (frame.kind === 'tick') writer!.tick(frame.tick, frame.keyframe);
    else if (frame.kind !== 'diagnostic') write(writer!, frame, bytes);
  }
  return writer!.flush();
}

const chunkOf = ({ kind }: DemoFrame) => kind as 'snapshot' | 'message' | 'delta';

/**
 * The bytes that can be written again: all. One recording was copied while the server wrote it, and ends inside a
 * chunk; its whole chunks remain, and where the last of them ends another reader says.
 */
function wholeLength(name: string, file: Uint8Array): number {
  if (!name.includes('unfinished')) return file.length;
  const { payload } = demoChunks(file).chunks.at(-1)!;
  return payload.byteOffset + payload.length - file.byteOffset;
}

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('a recorded demo that is written again is the same, byte for byte', () => {
  const demos = recordedDemos.filter(({ name }) => !name.includes('BENCH'));
  it.each(demos)('$name: payloads copied', ({ name, path }) => {
    const file = readDemoFile(path);
    const written = rewritten(file, (writer, frame, payload) => writer.chunk(chunkOf(frame), payload));
    expect(written.length).toBe(wholeLength(name, file));
    expect(same(written, file.subarray(0, written.length))).toBe(true);
  });

  it.each(demos)('$name: payloads unpacked and encoded again', ({ name, path }) => {
    const file = readDemoFile(path);
    const [bytes, ints] = [new ByteBuffer(), new IntBuffer()];
    const modes = new Set<LastByte | undefined>();
    // The first stream that ends on a byte boundary shows the mode; earlier ones are equal in both modes.
    const written = rewritten(file, (writer, frame, payload) => {
      const mode = lastByteOf(payload, 0, payload.length);
      if (mode) {
        modes.add(mode);
        writer.lastByte = mode;
      }
      unpackHuffman(payload, 0, payload.length, bytes, ints, ignore, 1 << 20);
      writer.chunk(chunkOf(frame), writer.encode(ints.ints, ints.length));
    });
    expect(same(written, file.subarray(0, written.length))).toBe(true);
    expect(written.length).toBe(wholeLength(name, file));
    // Older software writes one more byte, DDNet 20 does not.
    expect([...modes]).toEqual([name.includes('ddnet20') ? 'none' : 'extra']);
  });

  if (!hasCorpus) it.todo('recordings besides the samples (needs ../shared)');
});

/** The bytes after the header of a demo that is written part by part. */
function bytesOf(version: number, write: (writer: DemoWriter) => void): string {
  const writer = new DemoWriter(version);
  write(writer);
  return Buffer.from(writer.flush()).toString('hex');
}

describe('tick markers', () => {
  const ticks = (version: number, ...ticks: number[]) =>
    bytesOf(version, (writer) => {
      for (const tick of ticks) writer.tick(tick, false);
    });

  it('of version 5 and 6 take one byte for a step of 0 to 31, else five', () => {
    for (const version of [5, 6]) {
      expect(ticks(version, 258, 258, 259, 290, 322)).toBe('8000000102' + 'a0' + 'a1' + 'bf' + '8000000142');
    }
  });

  it('of version 3 and 4 take one byte for a step of 1 to 63; a step of 0 is an absolute tick', () => {
    for (const version of [3, 4]) {
      expect(ticks(version, 258, 258, 259, 322, 386)).toBe('8000000102' + '8000000102' + '81' + 'bf' + '8000000182');
    }
  });

  it('of keyframes are absolute, and so are steps back', () => {
    const written = bytesOf(6, (writer) => {
      writer.tick(10, true);
      writer.tick(11, true);
      writer.tick(9, false);
    });
    expect(written).toBe('c00000000a' + 'c00000000b' + '8000000009');
  });

  it('refuse ticks that no game writes', () => {
    const writer = new DemoWriter(6);
    for (const tick of [-1, 0x6fffffff]) expect(() => writer.tick(tick, false)).toThrow(DecodeError);
    writer.tick(0x6ffffffe, false);
    expect([writer.length, writer.firstTick, writer.lastTick]).toEqual([5, 0x6ffffffe, 0x6ffffffe]);
  });
});

describe('chunks', () => {
  it('carry their size in 5 bits, one byte or two bytes', () => {
    const head = (size: number) => bytesOf(6, (writer) => writer.chunk('delta', new Uint8Array(size))).slice(0, 6);
    expect(head(29)).toBe('7d0000');
    expect(head(30)).toBe('7e1e00');
    expect(head(255)).toBe('7eff00');
    expect(head(256)).toBe('7f0001');
    expect(head(65_535)).toBe('7fffff');
  });

  it('of more than 65,535 bytes are refused', () => {
    const writer = new DemoWriter(6);
    expect(() => writer.chunk('message', new Uint8Array(65_536))).toThrow(/chunk too large/);
    expect(writer.length).toBe(0);
  });

  it('whose packed ints are more than the 64 KiB that the games read are refused', () => {
    const writer = new DemoWriter(6);
    expect(() => writer.encode(new Int32Array(16_384).fill(0x7fffffff))).toThrow(/chunk too large/);
  });
});

describe('a header', () => {
  const fields = {
    version: 6,
    netVersion: '0.6 626fce9a778df4d4',
    mapName: 'dm1',
    mapSize: 0,
    mapCrc: 0x64548818,
    type: 'client',
    length: 7,
    timestamp: '2026-11-20_11-08-13',
    markers: [50, 100],
    sha256: 'ab'.repeat(32),
  };
  const read = (written: Uint8Array) => {
    const reader = new DemoReader();
    const codes: string[] = [];
    const add = ({ kind, diagnostic }: DemoFrame) => codes.push(kind === 'diagnostic' ? diagnostic!.code : kind);
    for (const frame of reader.feed(written)) add(frame);
    for (const frame of reader.finish()) add(frame);
    return { codes, header: reader.header };
  };
  const write = (version: number, more = {}) => {
    const writer = new DemoWriter(version);
    writer.header({ ...fields, ...more });
    return writer.flush();
  };

  it.each([
    [3, 176],
    [4, 436],
    [5, 436],
    [6, 484],
  ])('of version %i takes %i bytes and reads as it was written', (version, size) => {
    const written = write(version);
    expect(written.length).toBe(size);
    const { codes, header } = read(written);
    // There is nothing after the header.
    expect(codes).toEqual(['header', 'empty_demo', 'no_keyframe']);
    const { sha256, ...rest } = fields;
    const markers = version === 3 ? [] : fields.markers;
    expect(header).toMatchObject({ ...rest, version, markers, ...(version === 6 ? { sha256 } : {}) });
  });

  it('of version 6 without a sha256 has no field for the sha256', () => {
    const written = write(6, { sha256: undefined });
    expect(written.length).toBe(436);
  });

  it('cuts texts that are too long, at a character', () => {
    const { header } = read(write(5, { mapName: 'é'.repeat(40), type: 'servers of all' }));
    expect([header!.mapName, header!.type]).toEqual(['é'.repeat(31), 'servers']);
  });

  it('refuses more than 64 markers', () => {
    expect(() => write(5, { markers: new Array(65).fill(1) })).toThrow(RangeError);
  });
});
