import { describe, expect, it } from 'vitest';
import { diagnosticMessage } from '../../../../src/output/phrases/diagnostic-messages.ts';
import { CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import { type Bytes, file, text } from '../../../support/bytes.ts';
import {
  block,
  cooked2,
  description,
  enhanced,
  ethernet,
  extension,
  fragment6,
  ipv4,
  ipv6,
  obsolete,
  option,
  pcap,
  pcapHeader,
  pcapRecord,
  section,
  simple,
  udp,
  v4,
  v6,
} from '../../../support/capture-builder.ts';
import { captureFrames, captureLines, copyOf, framesOf } from '../../../support/capture-frames.ts';
import { seeded } from '../../../support/seeded.ts';

const long = udp(Array.from({ length: 64 }, (_, i) => i));

/** A capture with packets of all kinds. */
const packets: readonly Bytes[] = [
  ethernet(v4, ipv4(udp([1, 2, 3]))),
  ethernet(v6, ipv6(udp([4, 5]))),
  ethernet(0x0806, [1, 2, 3, 4]),
  ethernet(v4, ipv4(long.slice(0, 32), { more: true, id: 9 }), 0x8100),
  ethernet(v6, ipv6(fragment6(17, 0, true, 9, long.slice(0, 40)), { next: 44 })),
  ethernet(v4, ipv4(long.slice(32), { offset: 32, id: 9 })),
  ethernet(v6, ipv6(extension(44, 8, fragment6(17, 40, false, 9, long.slice(40))), { next: 0 })),
  ethernet(v4, ipv4(udp([6], 1, 2, 0))),
];

const captures: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'pcap, little-endian': pcap(packets),
  'pcap, big-endian, nanoseconds': pcap(packets, { little: false, nano: true }),
  'pcap, cut': file(
    pcapHeader(),
    ...packets.map((packet) => pcapRecord(packet.slice(0, 50), { original: packet.length })),
  ),
  pcapng: file(
    ...[section(), description(1, option(9, [9]))],
    ...packets.map((packet) => enhanced(packet, { options: option(1, text('a comment')) })),
    ...[block(5, new Array(12).fill(0)), section(false), description(1, [], false), description(276, [], false)],
    ...packets.map((packet) => enhanced(packet, { little: false })),
    ...[obsolete(cooked2(v4, ipv4(udp([7]))), 1, 77n, false), simple(packets[0]!, 45, false)],
  ),
};

describe.each(Object.entries(captures))('%s', (_, bytes) => {
  const whole = captureFrames(bytes);

  it('yields the same frames in pieces', () => {
    expect(whole.filter(({ kind }) => kind === 'datagram').length).toBeGreaterThan(1);
    for (const size of [1, 7, 100]) expect(captureFrames(bytes, size)).toEqual(whole);
  });

  it('reports the offsets of its bytes', () => {
    for (const frame of whole) {
      if (!('dataOffset' in frame) || frame.dataOffset < 0) continue;
      expect([...bytes.slice(frame.dataOffset, frame.dataOffset + frame.data.length)]).toEqual(frame.data);
    }
  });

  it('cut anywhere yields the frames before the cut', () => {
    const textsOf = (frames: typeof whole) =>
      frames.filter(({ kind }) => kind !== 'diagnostic').map((frame) => JSON.stringify(frame));
    const all = textsOf(whole);
    for (let size = 0; size < bytes.length; size++) {
      const cut = captureFrames(bytes.slice(0, size));
      const texts = textsOf(cut);
      expect(texts.join('\n')).toBe(all.slice(0, texts.length).join('\n'));
      expect(cut.some((frame) => 'code' in frame && frame.code === 'records_lost')).toBe(false);
    }
  });

  it('with changed bytes never causes an unexpected error', () => {
    const random = seeded(0x5eed);
    for (let round = 0; round < 150; round++) {
      const changed = bytes.slice();
      for (let i = 0; i <= round % 3; i++) changed[random() % bytes.length]! ^= 1 + (random() % 255);
      const frames = captureFrames(changed);
      expect(frames.length).toBeLessThan(100);
      for (const frame of frames)
        if (frame.kind === 'diagnostic') expect(diagnosticMessage(frame)).not.toMatch(/undefined|NaN|\[object/);
      if (round % 50 === 0) expect(captureFrames(changed, 1 + (random() % 50))).toEqual(frames);
    }
  });
});

describe('memory', () => {
  it('is not used for input that is not a capture', () => {
    const reader = new CaptureReader();
    const piece = new Uint8Array(1 << 20);
    const frames = Array.from({ length: 200 }, () => [...reader.feed(piece)].length);
    expect(frames.reduce((sum, count) => sum + count)).toBe(1);
    expect([...reader.finish()]).toEqual([]);
  });

  it.each([
    ['libpcap', pcap(packets), packets.length],
    ['pcapng', file(section(), description(1), ...packets.map((packet) => enhanced(packet))), packets.length],
  ])('is bounded when damage goes on and on: %s', (_, head, count) => {
    const random = seeded(7);
    const reader = new CaptureReader();
    let packetsRead = [...reader.feed(head)].length;
    const piece = new Uint8Array(1 << 16);
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 30; round++) {
      // Headers that announce large records, again and again.
      for (let i = 0; i < piece.length; i++) piece[i] = random() % 3 === 0 ? random() : 0;
      for (const frame of reader.feed(piece.slice())) if (frame.kind !== 'diagnostic') packetsRead++;
    }
    expect(packetsRead).toBeGreaterThanOrEqual(count - 1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
  });
});

describe('frames', () => {
  it('are one object that is reused', () => {
    const reader = new CaptureReader();
    const frames = [...reader.feed(pcap(packets)), ...reader.finish()];
    expect(new Set(frames).size).toBe(1);
  });

  it('of datagrams without fragments are not copied', () => {
    const bytes = pcap(packets);
    const reader = new CaptureReader();
    const buffers = new Set<Uint8Array>();
    for (const frame of reader.feed(bytes)) if (frame.dataOffset >= 0) buffers.add(frame.bytes);
    expect([buffers.size, buffers.has(bytes)]).toEqual([1, true]);
  });

  it('contain every value of a packet', () => {
    expect(captureLines(captures['pcap, little-endian']!)).toEqual([
      '127.0.0.1 8303 > 127.0.0.1 50000: 1 2 3',
      '::1 8303 > ::1 50000: 4 5',
      ...['other', 'other', 'other'],
      `127.0.0.1 8303 > 127.0.0.1 50000: ${long.slice(8).join(' ')}`,
      `::1 8303 > ::1 50000: ${long.slice(8).join(' ')}`,
      '127.0.0.1 1 > 127.0.0.1 2: 6',
      expect.stringMatching('warning: bad_udp_length'),
    ]);
    expect(framesOf(new CaptureReader(), pcap([ethernet(0x0806, [9])]), copyOf)).toMatchObject([
      { kind: 'other', data: ethernet(0x0806, [9]), dataOffset: 40, missing: 0 },
    ]);
  });
});
