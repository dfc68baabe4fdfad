import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import {
  CaptureWriter,
  hasOptions,
  maxOptionBytes,
} from '../../../../src/recording/container/capture/capture-writer.ts';
import { type Bytes, be32, file, text, u32, zeros } from '../../../support/bytes.ts';
import {
  block,
  description,
  enhanced,
  ethernet,
  ipv4,
  obsolete,
  option,
  pcapHeader,
  pcapRecord,
  section,
  simple,
  udp,
  v4,
} from '../../../support/capture-builder.ts';
import { captureFrames } from '../../../support/capture-frames.ts';
import { samplePcap } from '../../../support/corpus.ts';
import { blocksOf, commentsOf } from '../../../support/pcapng-blocks.ts';

const packet = (...payload: number[]) => ethernet(v4, ipv4(udp(payload)));

/** A file written anew, with comments on each packet that can have them. */
function written(bytes: Uint8Array, comments: readonly string[], pieceSize = 50): Uint8Array {
  const reader = new CaptureReader(true);
  const writer = new CaptureWriter('a program');
  const out: Uint8Array[] = [];
  const add = (frames: ReturnType<CaptureReader['feed']>) => {
    for (const { kind } of frames) {
      if (kind === 'diagnostic') continue;
      const { block } = reader;
      const all = hasOptions(block) ? comments.map((comment) => new TextEncoder().encode(comment)) : [];
      out.push(writer.write(block, all));
    }
  };
  for (let at = 0; at < bytes.length; at += pieceSize) add(reader.feed(bytes.slice(at, at + pieceSize)));
  add(reader.finish());
  return new Uint8Array(Buffer.concat(out));
}

/** The frames of a capture without their offsets in the file. */
const contents = (bytes: Uint8Array) =>
  captureFrames(bytes).map((frame) => ({ ...frame, offset: undefined, dataOffset: undefined }));

describe('a pcap as pcapng', () => {
  it.each([
    { little: true, nano: false },
    { little: false, nano: false },
    { little: true, nano: true },
    { little: false, nano: true },
  ])('keeps packets and times, %o', ({ little, nano }) => {
    const fraction = nano ? 123_456_789 : 123_456;
    const records = [
      pcapRecord(packet(1, 2, 3), { little, fraction }),
      pcapRecord(packet(4), { little, seconds: 0xffffffff, fraction: nano ? 999_999_999 : 999_999, original: 900 }),
    ];
    const bytes = file(pcapHeader({ little, nano }), ...records);
    const pcapng = written(bytes, ['hello']);
    expect(contents(pcapng)).toEqual(contents(bytes));
    expect(commentsOf(pcapng)).toEqual([['hello'], ['hello']]);
    const [first, second, third] = blocksOf(pcapng);
    expect(first!.options).toEqual([
      [4, Uint8Array.from(text('a program'))],
      [0, new Uint8Array(0)],
    ]);
    // Interface: resolution of times in option 9.
    expect(second!.options[0]).toEqual([9, Uint8Array.of(nano ? 9 : 6)]);
    expect(third!.options.map(([code]) => code)).toEqual([1, 0]);
  });

  it('keeps link type, snap length and the checksums at the end of frames', () => {
    // FCS of 4 bytes: two units of 16 bits, and the flag that says so.
    const header = pcapHeader({ snapLength: 1234, linkType: 0x2400_0000 + 276 });
    const [, description] = blocksOf(written(file(header), []));
    expect([...description!.bytes.subarray(8, 16)]).toEqual([...u32(276, true), ...u32(1234, true)]);
    expect(description!.options.slice(0, 2)).toEqual([
      [9, Uint8Array.of(6)],
      [13, Uint8Array.of(32)],
    ]);
  });

  it('has packets without comments without options', () => {
    const pcapng = written(file(pcapHeader(), pcapRecord(packet(1, 2))), []);
    expect(blocksOf(pcapng)[2]!.options).toEqual([]);
    expect(contents(pcapng)).toEqual(contents(file(pcapHeader(), pcapRecord(packet(1, 2)))));
  });

  it('keeps the frames of a recorded capture', () => {
    expect(contents(written(samplePcap(), ['x'], 10_000))).toEqual(contents(samplePcap()));
  });
});

describe('a pcapng', () => {
  /** A section with names, statistics, secrets, custom and unknown blocks, and packets with options. */
  const wholeSection = (little: boolean): Bytes => {
    const comment = (words: string) => option(1, text(words), little);
    const end = option(0, [], little);
    return [
      ...section(little),
      ...description(1, [...option(2, text('eth0'), little), ...option(9, [9], little), ...end], little),
      ...block(4, [...zeros(4), ...text('names')], little),
      ...enhanced(packet(1), { little, options: [...option(2, be32(5), little), ...comment('theirs'), ...end] }),
      ...block(5, zeros(12), little),
      ...enhanced(packet(2, 2), { little }),
      ...block(0xbad, [...be32(32473), ...text('custom')], little),
      ...obsolete(packet(3), 0, 5n, little),
      ...block(10, text('secrets!'), little),
      ...simple(packet(4), undefined, little),
      ...block(0x8000_0123, text('unknown!'), little),
    ];
  };

  it.each([[[true]], [[false]], [[true, false, true]]])('keeps all blocks and options, little-endian: %o', (orders) => {
    const bytes = file(...orders.map(wholeSection));
    const pcapng = written(bytes, ['first', 'second']);
    expect(contents(pcapng)).toEqual(contents(bytes));
    const [before, after] = [blocksOf(bytes), blocksOf(pcapng)];
    expect(after.map(({ type }) => type)).toEqual(before.map(({ type }) => type));
    for (const [i, { type, bytes: own, options }] of after.entries()) {
      const old = before[i]!;
      if (type !== 6 && type !== 2) expect(own).toEqual(old.bytes);
      else {
        const added = ['first', 'second'].map((words) => [1, Uint8Array.from(text(words))]);
        const theirs = old.options.length > 0 ? old.options : [[0, new Uint8Array(0)]];
        expect(options).toEqual([...added, ...theirs]);
      }
    }
  });

  it('has sections without a length: it has changed', () => {
    const head = section().with(16, 200).with(17, 0);
    const [first] = blocksOf(written(file(head, description(1), enhanced(packet(1))), ['x']));
    expect([...first!.bytes.subarray(16, 24)]).toEqual(new Array(8).fill(255));
  });

  it('keeps options that are not in order as they are, after the comments', () => {
    const broken = [...u32(0xfff0_0001, true), 1, 2, 3, 4];
    const [, , block] = blocksOf(
      written(file(section(), description(1), enhanced(packet(1, 2), { options: broken })), ['x']),
    );
    expect([...block!.bytes.subarray(-12, -4)]).toEqual(broken);
    expect(block!.options[0]).toEqual([1, Uint8Array.of(0x78)]);
  });

  it('has comments of the largest size that an option can have, and is read again', () => {
    const long = 'x'.repeat(maxOptionBytes);
    const pcapng = written(file(pcapHeader(), pcapRecord(packet(1))), [long, long, long, long]);
    expect(commentsOf(pcapng)).toEqual([[long, long, long, long]]);
    expect(captureFrames(pcapng).map(({ kind }) => kind)).toEqual(['datagram']);
  });

  it('has a section of its own where the first is damaged', () => {
    const parts = [section(), description(1), enhanced(packet(1))].map((bytes) => [...bytes]);
    // Another size at the end of the first block.
    const head = parts[0]!.with(-1, 9).with(-4, 9);
    const pcapng = written(file(head, parts[1]!, parts[2]!), ['x']);
    expect(captureFrames(pcapng).map(({ kind }) => kind)).toEqual(['datagram']);
    expect(blocksOf(pcapng).map(({ type }) => type)).toEqual([0x0a0d0d0a, 1, 6]);
  });

  it('is written without damaged bytes', () => {
    const parts = [section(), description(1), enhanced(packet(1)), enhanced(packet(2))].map((bytes) => [...bytes]);
    const bytes = file(...parts.slice(0, 3), zeros(40), parts[3]!);
    expect(written(bytes, [])).toEqual(file(...parts));
  });
});
