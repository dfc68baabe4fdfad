import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import { isCapture } from '../../../../src/recording/container/detect.ts';
import { be32, file, text, u16, u32 } from '../../../support/bytes.ts';
import {
  block,
  description,
  enhanced,
  ethernet,
  ipv4,
  obsolete,
  option,
  section,
  simple,
  someTime,
  udp,
  v4,
} from '../../../support/capture-builder.ts';
import { captureFrames, captureLines, diagnosticsOf } from '../../../support/capture-frames.ts';

const packet = (...payload: number[]) => ethernet(v4, ipv4(udp(payload)));
const line = (...payload: number[]) => `127.0.0.1 8303 > 127.0.0.1 50000: ${payload.join(' ')}`;
const timesOf = (bytes: Uint8Array) =>
  captureFrames(bytes).map((frame) => ('seconds' in frame ? [frame.seconds, frame.nanoseconds] : frame));

describe('a packet of two interfaces', () => {
  const at = (ms: number, number: number, ...payload: number[]) =>
    enhanced(packet(...payload), { interface: number, time: BigInt(someTime) * 1_000_000n + BigInt(1000 * ms) });
  const read = (...blocks: (readonly number[])[]) =>
    captureLines(file(section(), description(1), description(1), ...blocks));

  it('is read once, also if the packets of one come after those of the other', () => {
    const inTurn = [at(0, 0, 1), at(0.2, 1, 1), at(20, 0, 2), at(20.2, 1, 2)];
    expect(read(...inTurn)).toEqual([line(1), 'other', line(2), 'other']);
    expect(read(inTurn[1]!, inTurn[3]!, inTurn[0]!, inTurn[2]!)).toEqual([line(1), line(2), 'other', 'other']);
    const reader = new CaptureReader();
    const bytes = file(section(), description(1), description(1), ...inTurn);
    expect([...reader.feed(bytes), ...reader.finish()]).toHaveLength(4);
    expect(reader.counts).toMatchObject({ packets: 4, datagrams: 2, other: 2, copies: 2 });
  });

  it('is another one a tick later, and on the same interface', () => {
    expect(read(at(0, 0, 1), at(20, 1, 1))).toEqual([line(1), line(1)]);
    expect(read(at(0, 0, 1), at(0.2, 0, 1))).toEqual([line(1), line(1)]);
    expect(read(at(0, 0, 1), at(0.2, 1, 2))).toEqual([line(1), line(2)]);
  });
});

describe('pcapng', () => {
  it.each([true, false])('is read, little-endian: %s', (little) => {
    const time = 1_700_000_000_123_456n;
    const bytes = file(section(little), description(1, [], little), enhanced(packet(1, 2), { little, time }));
    expect(isCapture(bytes)).toBe(true);
    expect(captureFrames(bytes)).toEqual([
      {
        kind: 'datagram',
        offset: 48,
        number: 1,
        time: 1_700_000_000.123456,
        seconds: someTime,
        nanoseconds: 123_456_000,
        source: '127.0.0.1',
        sourcePort: 8303,
        destination: '127.0.0.1',
        destinationPort: 50000,
        data: [1, 2],
        dataOffset: 48 + 28 + 42,
        missing: 0,
      },
    ]);
  });

  it('has several sections, each with its byte order and its interfaces', () => {
    const part = (little: boolean, linkType: number, bytes: readonly number[]) =>
      [section(little), description(linkType, [], little), enhanced(bytes, { little })].flat();
    const bytes = file(part(true, 1, packet(1)), part(false, 101, ipv4(udp([2]))), part(true, 1, packet(3)));
    expect(captureLines(bytes)).toEqual([line(1), line(2), line(3)]);
  });

  it('has several interfaces', () => {
    const bytes = file(
      section(),
      description(1),
      description(101),
      enhanced(ipv4(udp([1])), { interface: 1 }),
      enhanced(packet(2), { interface: 0 }),
    );
    const reader = new CaptureReader();
    expect([...reader.feed(bytes)].length).toBe(2);
    expect(reader.links).toMatchObject([
      { number: 0, type: 1 },
      { number: 1, type: 101 },
    ]);
    expect(captureLines(bytes)).toEqual([line(1), line(2)]);
  });

  it('has obsolete and simple packets', () => {
    const bytes = file(
      section(),
      description(1, [], true, 50),
      obsolete(packet(1), 0, 1_000_001n),
      simple(packet(1, 2, 3)),
      simple(packet(...new Array(40).fill(7)).slice(0, 50), 82),
    );
    expect(captureLines(bytes)).toEqual([
      line(1),
      line(1, 2, 3),
      `${line(...new Array(8).fill(7))} (32 missing)`,
      expect.stringMatching(/^error: cut_packet/),
    ]);
    expect(timesOf(bytes).slice(0, 2)).toEqual([
      [1, 1000],
      [Number.NaN, Number.NaN],
    ]);
  });

  it('may have unknown blocks and options, which are skipped', () => {
    const bytes = file(
      section(),
      block(4, text('names'), true),
      description(1, [...option(2, text('lo')), ...option(9, [6]), ...option(0, [])]),
      block(5, new Array(12).fill(1)),
      block(0x0bad, be32(1)),
      block(0x80001234, []),
      enhanced(packet(1), { options: [...option(1, text('a comment')), ...option(0, [])] }),
    );
    expect(captureLines(bytes)).toEqual([line(1)]);
  });
});

describe('time', () => {
  const at = (options: readonly number[], time: bigint, little = true) =>
    timesOf(file(section(little), description(1, options, little), enhanced(packet(1), { time, little })))[0];
  const resolution = (value: number) => option(9, [value]);

  it.each([
    ['microseconds', [], 1_700_000_000_999_999n, [someTime, 999_999_000]],
    ['microseconds, said', resolution(6), 1_700_000_000_000_001n, [someTime, 1000]],
    ['nanoseconds', resolution(9), 1_700_000_000_123_456_789n, [someTime, 123_456_789]],
    ['seconds', resolution(0), 1_700_000_000n, [someTime, 0]],
    ['milliseconds', resolution(3), 1_700_000_000_007n, [someTime, 7_000_000]],
    ['picoseconds', resolution(12), 1_700_000_000_123_456_789n, [1_700_000, 123_456]],
    ['halves', resolution(0x81), 3n, [1, 500_000_000]],
    ['2 to the minus 32', resolution(0xa0), (1_700_000_000n << 32n) | 0x80000001n, [someTime, 500_000_000]],
    ['2 to the minus 127', resolution(0xff), 1n, [0, 0]],
    ['10 to the minus 127', resolution(0x7f), 1n, [0, 0]],
  ] as const)('in %s', (_, options, time, expected) => {
    expect(at(options, time)).toEqual(expected);
  });

  it('has an offset in seconds, also a negative one', () => {
    const i64 = (value: bigint, little: boolean) => {
      const halves = [Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn)];
      return (little ? halves : halves.toReversed()).flatMap((half) => u32(half, little));
    };
    for (const little of [true, false]) {
      expect(at(option(14, i64(1_600_000_000n, little), little), 5_000_000n, little)).toEqual([1_600_000_005, 0]);
      expect(at(option(14, i64(-3600n, little), little), 7200_000_000n, little)).toEqual([3600, 0]);
    }
  });

  it('is exact for every nanosecond', () => {
    let time = 1n;
    for (let i = 0; i < 300; i++) {
      time = (time * 6364136223846793005n + 1442695040888963407n) & 0x7fffffffffffffffn;
      expect(at(resolution(9), time)).toEqual([Number(time / 1_000_000_000n), Number(time % 1_000_000_000n)]);
    }
  });
});

describe('damage', () => {
  const packets = Array.from({ length: 8 }, (_, i) => enhanced(packet(i)));
  const lines = packets.map((_, i) => line(i));
  const size = packets[0]!.length;
  const head = [...section(), ...description(1)];
  const start = (i: number) => head.length + i * size;
  function damaged(offset: number, ...bytes: readonly number[]) {
    const whole = file(head, ...packets);
    whole.set(bytes, offset);
    return whole;
  }

  it.each([
    ['wild', [0xff, 0xff, 0xff, 0x7f]],
    ['no multiple of four', [0x45, 0, 0, 0]],
    ['too small', [4, 0, 0, 0]],
    ['that of two', u32(2 * size, true)],
    ['beyond the file', [0, 0, 2, 0]],
  ])('of a size, %s, costs one packet', (name, found) => {
    const bytes = damaged(start(3) + 4, ...found);
    const expected = [...lines.slice(0, 3), `error: records_lost ${start(3)}`, ...lines.slice(4)];
    // The end of the block that was consumed last has another size.
    expect(captureLines(bytes), name).toEqual(expected);
    expect(diagnosticsOf(bytes)).toMatchObject([{ args: { skipped: size, number: 4 } }]);
  });

  it('of a size at the end of a block costs that one', () => {
    const bytes = damaged(start(4) - 4, 1);
    expect(captureLines(bytes)).toEqual([...lines.slice(0, 3), `error: records_lost ${start(3)}`, ...lines.slice(4)]);
  });

  it('of a packet that does not fit its block costs nothing else', () => {
    const bytes = damaged(start(3) + 8 + 12, 200);
    expect(captureLines(bytes)).toEqual([...lines.slice(0, 3), `error: bad_block ${start(3)}`, ...lines.slice(4)]);
    expect(diagnosticsOf(bytes)).toMatchObject([{ args: { found: size - 12, expected: 220 } }]);
  });

  it('of blocks that are too small for what they are', () => {
    const bytes = file(section(), block(1, be32(1)), block(6, be32(1)), block(3, []), block(2, be32(1)));
    expect(captureFrames(bytes)).toMatchObject(
      [8, 20, 4, 20].map((expected) => ({ kind: 'diagnostic', code: 'bad_block', args: { expected } })),
    );
  });

  it('with nothing after it is found', () => {
    const bytes = (tail: number[]) => file(head, ...packets, tail);
    expect(captureLines(bytes(new Array(100).fill(0)))).toEqual([...lines, `error: records_lost ${start(8)}`]);
    expect(captureLines(bytes([6, 0, 0, 0, 100, 0, 0, 0, 1, 2, 3, 4]))).toEqual([
      ...lines,
      `error: truncated_record ${start(8)}`,
    ]);
  });

  it('of a section: the next one is found, in its own byte order', () => {
    const next = [...section(false), ...description(1, [], false), ...enhanced(packet(9), { little: false })];
    const bytes = file(head, ...packets, new Array(50).fill(9), next);
    expect(captureLines(bytes)).toEqual([...lines, `error: records_lost ${start(8)}`, line(9)]);
  });

  it('of an interface is reported once per section', () => {
    const lost = [...enhanced(packet(1), { interface: 5 }), ...enhanced(packet(2), { interface: 6 })];
    const bytes = file(head, lost, packets[0]!, section(), lost);
    const at = [head.length, head.length + 2 * size + size + section().length];
    expect(captureLines(bytes)).toEqual([
      ...['other', `error: unknown_interface ${at[0]}`, 'other', line(0)],
      ...['other', `error: unknown_interface ${at[1]}`, 'other', `error: unread_packets ${at[0]}`],
    ]);
  });

  it('of an interface beyond 4,096 is as one that is not described', () => {
    const maxInterfaces = 4096;
    const many = Array.from({ length: maxInterfaces + 1 }, () => description(1)).flat();
    const of = (number: number) => enhanced(packet(1), { interface: number });
    const lines = captureLines(file(section(), many, of(maxInterfaces - 1), of(maxInterfaces)));
    expect(lines).toEqual([line(1), 'other', expect.stringContaining('unknown_interface'), expect.anything()]);
  });

  it('of options ends them', () => {
    const options = [...u16(2, true), ...u16(60_000, true), 1, 2, 3, 4, ...option(9, [9])];
    expect(captureLines(file(section(), description(1, options), enhanced(packet(1))))).toEqual([line(1)]);
  });
});
