import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import { isCapture } from '../../../../src/recording/container/detect.ts';
import { be32, file, u32 } from '../../../support/bytes.ts';
import {
  cooked,
  cooked2,
  ethernet,
  ipv4,
  pcap,
  pcapHeader,
  pcapRecord,
  someTime,
  udp,
  v4,
} from '../../../support/capture-builder.ts';
import { captureFrames, captureLines, diagnosticsOf } from '../../../support/capture-frames.ts';

const packet = (...payload: number[]) => ethernet(v4, ipv4(udp(payload)));
const line = (...payload: number[]) => `127.0.0.1 8303 > 127.0.0.1 50000: ${payload.join(' ')}`;
/** Bytes of a record with one byte of payload. */
const recordSize = 16 + packet(1).length;

describe('libpcap', () => {
  it.each([
    { little: true, nano: false },
    { little: false, nano: false },
    { little: true, nano: true },
    { little: false, nano: true },
  ])('is read with $little little-endian, $nano nanoseconds', (options) => {
    const fraction = options.nano ? 123456789 : 123456;
    const record = pcapRecord(packet(1, 2, 3), { ...options, fraction });
    const bytes = file(pcapHeader(options), record);
    expect(isCapture(bytes)).toBe(true);
    expect(captureFrames(bytes)).toEqual([
      {
        kind: 'datagram',
        offset: 24,
        number: 1,
        time: someTime + (options.nano ? 0.123456789 : 0.123456),
        seconds: someTime,
        nanoseconds: options.nano ? 123456789 : 123456000,
        source: '127.0.0.1',
        sourcePort: 8303,
        destination: '127.0.0.1',
        destinationPort: 50000,
        data: [1, 2, 3],
        dataOffset: 24 + 16 + 14 + 20 + 8,
        missing: 0,
      },
    ]);
  });

  it('has microseconds even in its last year', () => {
    const frames = captureFrames(file(pcapHeader(), pcapRecord(packet(1), { seconds: 0xffffffff, fraction: 999999 })));
    expect(frames[0]).toMatchObject({ seconds: 0xffffffff, nanoseconds: 999999000 });
    expect((frames[0] as { time: number }).time.toFixed(6)).toBe('4294967295.999999');
  });

  it('carries a fraction of a second and more', () => {
    const frames = captureFrames(file(pcapHeader(), pcapRecord(packet(1), { fraction: 2_500_000 })));
    expect(frames[0]).toMatchObject({ seconds: someTime + 2, nanoseconds: 500_000_000 });
  });

  it('ignores the bits above the link type', () => {
    expect(captureLines(pcap([packet(1)], { linkType: 0x24000001 }))).toEqual([line(1)]);
  });

  // As `editcap -F nokiapcap` and `-F rh6_1pcap` write it.
  it.each([
    ['Nokia', 4],
    ['Red Hat 6.1', 8],
  ])('is read with the larger heads of %s', (_, more) => {
    const records = [1, 2, 3].map((payload) => {
      const record = pcapRecord(packet(payload));
      return [...record.slice(0, 16), ...new Array<number>(more).fill(0), ...record.slice(16)];
    });
    const read = (...rest: number[]) => captureLines(file(pcapHeader(), ...records, rest));
    expect(read()).toEqual([line(1), line(2), line(3)]);
    expect(read(...records[2]!.slice(0, -1))).toEqual([line(1), line(2), line(3), expect.stringMatching('truncated')]);
  });

  it('has a packet of two interfaces once, which Linux numbers in each packet of `any`', () => {
    const of = (index: number) => {
      const whole = cooked2(v4, ipv4(udp([1])));
      return pcapRecord([...whole.slice(0, 4), ...be32(index), ...whole.slice(8)]);
    };
    const read = (...records: (readonly number[])[]) => captureLines(file(pcapHeader({ linkType: 276 }), ...records));
    expect(read(of(2), of(3))).toEqual([line(1), 'other']);
    expect(read(of(2), of(2))).toEqual([line(1), line(1)]);
  });

  it('has a packet of version 1 once that is received and sent on, but again what comes twice', () => {
    // `packet_type`: 0 to this host, 3 to another one, 4 sent by this one.
    const of = (type: number, fraction = 0) =>
      pcapRecord([0, type, ...cooked(v4, ipv4(udp([1]))).slice(2)], { fraction });
    const read = (...records: (readonly number[])[]) => captureLines(file(pcapHeader({ linkType: 113 }), ...records));
    expect(read(of(0), of(4, 30))).toEqual([line(1), 'other']);
    expect(read(of(3), of(0, 30), of(4, 60))).toEqual([line(1), 'other', 'other']);
    expect(read(of(0), of(0, 30), of(4), of(4, 20_000))).toEqual([line(1), line(1), 'other', line(1)]);
  });

  it('may have no packets', () => {
    const reader = new CaptureReader();
    expect([...reader.feed(pcap([])), ...reader.finish()]).toEqual([]);
    expect(reader.format).toBe('pcap');
    expect(reader.links).toEqual([{ number: 0, type: 1, snapLength: 262144 }]);
  });

  it('counts', () => {
    const reader = new CaptureReader();
    const bytes = file(
      pcapHeader(),
      pcapRecord(packet(1)),
      pcapRecord(ethernet(0x0806, [0, 1])),
      pcapRecord(packet(1, 2, 3).slice(0, -2), { original: packet(1, 2, 3).length }),
    );
    for (const frame of [reader.feed(bytes), reader.finish()]) for (const _ of frame);
    expect(reader.counts).toEqual({ packets: 3, datagrams: 2, other: 1, cut: 1, copies: 0 });
  });

  it('is distinguished from other files', () => {
    expect([[], [1, 2, 3], [0xa1, 0xb2, 0xc3, 0xd5], [0x0a, 0x0d, 0x0d, 0x0a]].map((b) => isCapture(file(b)))).toEqual(
      new Array(4).fill(false),
    );
    expect(captureLines(file([]))).toEqual(['error: not_a_capture 0']);
    expect(captureLines(file(new Array(100).fill(7)), 1)).toEqual(['error: not_a_capture 0']);
    expect(captureLines(file(pcapHeader().slice(0, 20)), 1)).toEqual(['error: truncated_header 20']);
  });
});

describe('packets cut by the snap length', () => {
  const cut = (...payload: number[]) =>
    pcapRecord(packet(...payload).slice(0, -2), { original: packet(...payload).length });

  it('are reported once', () => {
    const bytes = file(pcapHeader(), pcapRecord(packet(1)), cut(1, 2, 3), cut(4, 5, 6));
    const second = 24 + recordSize;
    expect(captureLines(bytes)).toEqual([
      line(1),
      `${line(1)} (2 missing)`,
      `error: cut_packet ${second}`,
      `${line(4)} (2 missing)`,
    ]);
    expect(diagnosticsOf(bytes)).toMatchObject([{ args: { found: 43, expected: 45, interface: 0 } }]);
  });

  it('are read up to their end', () => {
    const whole = packet(1, 2, 3);
    for (let size = 0; size < whole.length; size++) {
      const lines = captureLines(file(pcapHeader(), pcapRecord(whole.slice(0, size), { original: whole.length })));
      const payload = size - 42;
      // The link type is unknown, so it is not known whether it was a datagram.
      if (size < 14) expect(lines, `${size}`).toEqual(['other']);
      else if (payload < 0) expect(lines, `${size}`).toEqual(['other', 'error: cut_packet 24']);
      else
        expect(lines, `${size}`).toEqual([
          `${line(...[1, 2, 3].slice(0, payload))} (${3 - payload} missing)`,
          'error: cut_packet 24',
        ]);
    }
  });

  it('may lack only Ethernet padding', () => {
    const padded = [...packet(1, 2, 3), 0, 0, 0, 0];
    expect(captureLines(file(pcapHeader(), pcapRecord(padded.slice(0, -2), { original: padded.length })))).toEqual([
      line(1, 2, 3),
    ]);
  });
});

describe('damage', () => {
  const records = Array.from({ length: 10 }, (_, i) => pcapRecord(packet(i), { seconds: someTime + i }));
  const lines = records.map((_, i) => line(i));
  /** A capture with other bytes at offset `at` of record `i`. */
  function damaged(i: number, at: number, ...bytes: number[]) {
    const whole = file(pcapHeader(), ...records);
    whole.set(bytes, 24 + i * recordSize + at);
    return whole;
  }

  it.each([
    ['too long for a packet', [0xff, 0xff, 0xff, 0x7f]],
    ['more than there was', [100, 0, 0, 0]],
    ['a bit too long', [0x10, 0, 4, 0]],
    ['beyond the file', [0, 0, 3, 0]],
  ])('of a length, %s, costs one packet', (_, length) => {
    const bytes = damaged(3, 8, ...length);
    const at = 24 + 3 * recordSize;
    expect(captureLines(bytes)).toEqual([...lines.slice(0, 3), `error: records_lost ${at}`, ...lines.slice(4)]);
    expect(diagnosticsOf(bytes)).toMatchObject([{ args: { skipped: recordSize, number: 4 } }]);
  });

  it('with a length that covers other records does not lose them', () => {
    const bytes = damaged(3, 8, ...u32(100, true), ...u32(100, true));
    const at = 24 + 3 * recordSize;
    expect(captureLines(bytes)).toEqual([...lines.slice(0, 4), `error: records_lost ${at}`, ...lines.slice(4)]);
  });

  it('of a length that is too short is noticed after it', () => {
    const bytes = damaged(3, 8, recordSize - 16 - 1);
    const at = 24 + 4 * recordSize - 1;
    expect(captureLines(bytes)).toEqual([
      ...lines.slice(0, 3),
      `${line()} (1 missing)`,
      expect.stringMatching('cut_packet'),
      `error: records_lost ${at}`,
      ...lines.slice(4),
    ]);
    expect(diagnosticsOf(bytes)).toMatchObject([{}, { args: { skipped: 1, number: 5 } }]);
  });

  it('of the first record is found', () => {
    expect(captureLines(damaged(0, 8, 0, 0, 0, 0x10))).toEqual(['error: records_lost 24', ...lines.slice(1)]);
  });

  it('by inserted or lost bytes is found', () => {
    const whole = file(pcapHeader(), ...records);
    const at = 24 + 5 * recordSize;
    const more = file([...whole.slice(0, at)], new Array(1000).fill(0xcc), [...whole.slice(at)]);
    expect(captureLines(more)).toEqual([...lines.slice(0, 5), `error: records_lost ${at}`, ...lines.slice(5)]);
    const fewer = file([...whole.slice(0, at - 20)], [...whole.slice(at + 20)]);
    expect(captureLines(fewer)).toEqual([
      ...lines.slice(0, 4),
      'other',
      expect.stringMatching('records_lost'),
      ...lines.slice(6),
    ]);
  });

  it('near the end is found: the end counts as a record, unless it is cut', () => {
    const [at, tooLong, head] = [24 + 8 * recordSize, [0xff, 0xff, 0xff, 0x7f], [1, 2, 3]];
    expect(captureLines(damaged(8, 8, ...tooLong))).toEqual([
      ...lines.slice(0, 8),
      `error: records_lost ${at}`,
      line(9),
    ]);
    const oneBeforeCut = file([...damaged(8, 8, ...tooLong)], head);
    expect(captureLines(oneBeforeCut)).toEqual([...lines.slice(0, 8), `error: records_lost ${at}`]);
    const twoBeforeCut = file([...damaged(7, 8, ...tooLong)], head);
    expect(captureLines(twoBeforeCut)).toEqual([
      ...lines.slice(0, 7),
      `error: records_lost ${at - recordSize}`,
      ...lines.slice(8),
      `error: truncated_record ${24 + 10 * recordSize}`,
    ]);
    // The head of a record counts, too: it has a length.
    const wholeHead = captureLines(file([...damaged(8, 8, ...tooLong)], records[0]!.slice(0, 16)));
    expect(wholeHead.slice(8, 10)).toEqual([`error: records_lost ${at}`, line(9)]);
  });

  it('with nothing after it is found', () => {
    const at = 24 + 10 * recordSize;
    const tail = (bytes: number[]) => file([...file(pcapHeader(), ...records)], bytes);
    expect(captureLines(tail(new Array(5000).fill(0)))).toEqual([...lines, `error: records_lost ${at}`]);
    expect(diagnosticsOf(tail(new Array(5000).fill(0)))).toMatchObject([{ args: { skipped: 5000 } }]);
    expect(captureLines(tail([1, 2, 3]))).toEqual([...lines, `error: truncated_record ${at}`]);
    expect(diagnosticsOf(tail([1, 2, 3]))).toMatchObject([{ args: { found: 3, expected: 16 } }]);
  });

  it('does not cause the middle of a record to be read as a record', () => {
    // In cooked packets of IPv6, the sizes and the type resemble a record header and lead from the middle of one packet
    // to that of the next.
    const tricky = Array.from({ length: 10 }, (_, i) =>
      pcapRecord([0x86, 0xdd, 0, 0, ...new Array(56).fill(i)], { seconds: someTime + i, fraction: 500_000 }),
    );
    const whole = file(pcapHeader({ linkType: 276 }), ...tricky);
    whole.set([0xff, 0xff, 0x0f, 0], 24 + 2 * tricky[0]!.length + 8);
    const offsets = captureFrames(whole).map(({ kind, offset }) => [kind, (offset - 24) / tricky[0]!.length]);
    const others = [0, 1, 3, 4, 5, 6, 7, 8, 9].map((i) => ['other', i]);
    const lost = captureFrames(whole).filter(({ kind }) => kind === 'diagnostic');
    expect(offsets.filter(([kind]) => kind === 'other')).toEqual(others);
    expect(lost.filter((frame) => 'code' in frame && frame.code === 'records_lost')).toHaveLength(1);
  });

  it('is not assumed where the clock was set', () => {
    const early = [0, 1, 2].map((i) => pcapRecord(packet(i), { seconds: i }));
    expect(captureLines(file(pcapHeader(), ...early, ...records), 100)).toEqual([...lines.slice(0, 3), ...lines]);
  });

  it('is not assumed where the recorded length exceeds the original one', () => {
    const unusual = records.map((_, i) => pcapRecord(packet(i), { original: 40 }));
    for (const size of [1, 100, 10_000]) expect(captureLines(file(pcapHeader(), ...unusual), size)).toEqual(lines);
  });

  it('is judged by the announced limit where that is higher', () => {
    const large = ethernet(0x1234, new Array(300_000).fill(1));
    const bytes = (snapLength: number) => pcap([packet(1), large, packet(2), packet(3)], { snapLength });
    expect(captureLines(bytes(400_000), 65536)).toEqual([
      ...[line(1), 'other', line(2), line(3), 'warning: unread_packets 83'],
    ]);
    expect(captureLines(bytes(65536), 65536)).toEqual([line(1), 'error: records_lost 83', line(2), line(3)]);
  });
});
