import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { token } from '../../../src/output/hexdump/hexdump.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import type { Span } from '../../../src/wire/annotate/span.ts';
import {
  type PacketContents,
  readMessageContents,
  readPacketContents,
} from '../../../src/wire/packet/packet-contents.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { text, zeros } from '../../support/bytes.ts';
import { firstPacked, firstRows } from '../../support/first.ts';
import {
  chunk06,
  chunk07,
  control06,
  control07,
  ints,
  packet06,
  packet07,
  snapPart,
  snapSingle,
  someToken,
} from '../../support/packet-builder.ts';
import { expectPartition } from '../../support/partition.ts';
import { bytes } from '../../support/readers.ts';
import { seeded } from '../../support/seeded.ts';

const packet = (src: Uint8Array, version: Version) => readPacketContents(src, protocolOf(version));
const message = (hex: string, version: Version) => readMessageContents(bytes(hex), protocolOf(version));

/** The spans, which cover all bytes. */
function partitionOf(contents: PacketContents): Span[] {
  const spans = annotateContents(contents);
  expectPartition(spans, contents.layers.bytes.length);
  return spans;
}

const words = (contents: PacketContents) => partitionOf(contents).map((span) => token(span, false));
const codes = ({ diagnostics }: PacketContents) => diagnostics.all.map(({ severity, code }) => `${severity}: ${code}`);

const first = [...firstPacked];
const firstWords = annotate(readPayload(unwrap(firstPacked, 'packed'), 'delta', protocolOf('0.7'))).map((span) =>
  token(span, false),
);
/** The same on the empty base, where differences are values. A value that extends over two rows is listed once. */
const firstValues = firstRows
  .flatMap(([, row]) => row.split(/ (?=\w+=)/))
  .filter((text, i, all) => text !== all[i - 1]);
/** The example of docs/formats/varint.md in a packet. */
const firstMessage = snapSingle(8, 1243, 5, 77, first);

describe('a packet of 0.7', () => {
  const head = ['ack=5', 'num_chunks=1', 'token=12345678', 'chunk_flags=0', `chunk_size=${firstMessage.length}`];
  const snap = ['msg=17 snap_single (system 8)', 'tick=1243', 'delta=5 (on tick 1238)', 'crc=77', 'size=43'];

  it('has a header, chunks and messages, and the same rows for the delta as the delta alone', () => {
    const contents = packet(packet07([chunk07(firstMessage)], { ack: 5 }), '0.7');
    expect(words(contents)).toEqual(['flags=0', ...head, ...snap, ...firstWords]);
    expect(codes(contents)).toEqual([]);
  });

  it('has the same rows when compressed, with bit positions in the file', () => {
    const contents = packet(packet07([chunk07(firstMessage)], { ack: 5, compressed: true }), '0.7');
    expect(words(contents)).toEqual(['flags=compressed', ...head, ...snap, ...firstWords]);
    expect(contents.layers.bits?.slice(0, 8)).toEqual(Uint32Array.from([0, 8, 16, 24, 32, 40, 48, 56]));
  });

  it('has chunks with flags and sequence', () => {
    const chat = chunk07([...ints(6, 1, 3, -1), ...text('hi\0')], { vital: true, resend: true, sequence: 0x2a5 });
    const contents = packet(packet07([chat, chunk07(ints(21, 100, -2))], { resend: true, ack: 0x3ff }), '0.7');
    expect(words(contents)).toEqual([
      ...['flags=resend', 'ack=1023', 'num_chunks=2', 'token=12345678'],
      ...['chunk_flags=vital|resend', 'chunk_size=7', 'sequence=677'],
      ...['msg=6 sv_chat (game 3)', 'mode=1 (all)', 'client_id=3', 'target_id=-1', 'message="hi"'],
      ...['chunk_flags=0', 'chunk_size=4', 'msg=21 input_timing (system 10)', 'input_pred_tick=100', 'time_left=-2'],
    ]);
  });

  it('may request a resend and have no chunks', () => {
    expect(words(packet(packet07([], { resend: true, ack: 300 }), '0.7'))).toEqual([
      ...['flags=resend', 'ack=300', 'num_chunks=0', 'token=12345678'],
    ]);
  });
});

describe('a packet of 0.6', () => {
  const timing = chunk06(ints(19, 7, 8));
  it('has its token after the chunks, or none', () => {
    const plain = ['flags=0', 'ack=0', 'num_chunks=1', 'chunk_flags=0', 'chunk_size=3'];
    const fields = ['msg=19 input_timing (system 9)', 'input_pred_tick=7', 'time_left=8'];
    expect(words(packet(packet06([timing]), '0.6'))).toEqual([...plain, ...fields]);
    const withToken = packet(packet06([timing], { token: someToken }), '0.6');
    expect(words(withToken)).toEqual([...plain, ...fields, 'token=12345678']);
    const compressed = packet(packet06([timing], { token: someToken, compressed: true }), '0.6');
    expect(words(compressed)).toEqual(['flags=compressed', ...words(withToken).slice(1)]);
  });

  it('has chunks with flags and sequence', () => {
    const vital = chunk06(ints(44), { vital: true, sequence: 0x3c1 });
    expect(words(packet(packet06([vital]), '0.6')).slice(3)).toEqual([
      ...['chunk_flags=vital', 'chunk_size=1', 'sequence=961', 'msg=44 cl_kill (game 22)'],
    ]);
  });

  it('names messages by their UUID', () => {
    const uuid = bytes('a0 91 96 1a 95 e8 37 44 bb 60 5e ac 9b d5 63 c6');
    const known = packet(packet06([chunk06([0, ...uuid, 1])]), '0.6');
    expect(words(known).slice(5)).toEqual([
      ...['msg=0 (game 0, by UUID)', 'uuid=a091961a-95e8-3744-bb60-5eac9bd563c6 sv_teamsstate', 'teams[0]=1'],
    ]);
    const unknown = packet(packet06([chunk06([1, ...zeros(16), 5]), chunk06(ints(120, 3))]), '0.6');
    expect(words(unknown).slice(5)).toEqual([
      ...['msg=1 (system 0, by UUID)', 'uuid=00000000-0000-0000-0000-000000000000 (unknown)', 'data=05'],
      ...['chunk_flags=0', 'chunk_size=3', 'msg=120 (unknown) (game 60)', 'data=03'],
    ]);
  });

  it.each([
    [16, 16, ' (super)'],
    [64, 64, ' (super)'],
    [64, 16, ''],
    [128, 128, ' (super)'],
    [128, 64, ''],
  ])('names the super team of DDNet: of %i clients, one in team %i', (clients, team, name) => {
    const list = new Array<number>(clients).fill(0).with(1, team);
    const message = packet(packet06([chunk06(ints(60, ...list))]), '0.6');
    expect(words(message).slice(5, 9)).toEqual([
      'msg=60 sv_teamsstatelegacy (game 30)',
      'teams[0]=0',
      `teams[1]=${team}${name}`,
      'teams[2]=0',
    ]);
  });

  it('of 0.5 has the same layout, and its own messages', () => {
    expect(words(packet(packet06([chunk06(ints(17, 7, 8))]), '0.5')).slice(3)).toEqual([
      ...['chunk_flags=0', 'chunk_size=3', 'msg=17 input_timing (system 8)', 'input_pred_tick=7', 'time_left=8'],
    ]);
  });
});

describe('a snapshot', () => {
  const inPacket = (...chunks: (readonly number[])[]) => packet(packet07(chunks), '0.7');

  it('without a base is compared with the announced checksum', () => {
    // All ints of the three items.
    const sum = 1 + (1243 + 784 + 305 + 128 - 1 + 784 + 304 + 10 + 10 + 1) + 8;
    expect(words(inPacket(chunk07(snapSingle(8, 5, 6, sum, first))))).toContain(`crc=${sum} (matches)`);
    expect(words(inPacket(chunk07(snapSingle(8, 5, 6, 1, first))))).toContain(`crc=1 (rebuilt: ${sum})`);
    expect(words(inPacket(chunk07(snapSingle(8, 5, 6, 1, first))))).toContain('delta=6 (on nothing)');
  });

  it('is annotated up to the end of its first part', () => {
    // The packet ends after the first byte of `tick=1243`.
    const contents = inPacket(chunk07(snapPart(6, 9, 3, 0, first.slice(0, 11))));
    const texts = words(contents);
    expect(texts.slice(texts.indexOf('num_parts=3'))).toEqual([
      ...['num_parts=3', 'part=0 (1 of 3)', 'crc=12345', 'size=11'],
      ...firstValues.slice(0, 10),
      '(goes on in part 2 of 3)',
    ]);
    expect(codes(contents)).toEqual([]);
  });

  it('may end between two ints in its first part', () => {
    const contents = inPacket(chunk07(snapPart(6, 9, 3, 0, first.slice(0, 10))));
    expect(words(contents).at(-1)).toBe('id=0');
    expect(codes(contents)).toEqual([]);
  });

  it('is annotated whole in a single part, and as bytes in later parts', () => {
    expect(words(inPacket(chunk07(snapPart(6, 9, 1, 0, first)))).slice(-firstValues.length)).toEqual(firstValues);
    expect(words(inPacket(chunk07(snapPart(6, 9, 3, 2, first)))).at(-1)).toBe('bytes=43 bytes');
  });

  it('may have no bytes', () => {
    const contents = inPacket(chunk07(snapSingle(8, 9, 2, 0, [])));
    expect(words(contents).at(-1)).toBe('size=0');
    expect(codes(contents)).toEqual([]);
  });
});

describe('control packets', () => {
  const head06 = ['flags=control', 'ack=0', 'num_chunks=0'];
  const head07 = [...head06, 'token=12345678'];
  it.each([
    ['keepalive', control06(0), ['code=0 (keepalive)']],
    ['keepalive with a token', control06(0, ...someToken), ['code=0 (keepalive)', 'token=12345678']],
    ['connect', control06(1), ['code=1 (connect)']],
    [
      'connect of DDNet',
      control06(1, ...text('TKEN'), 255, 255, 255, 255),
      ['code=1 (connect)', 'magic="TKEN"', 'token=ffffffff'],
    ],
    [
      'connectaccept',
      control06(2, ...text('TKEN'), ...someToken),
      ['code=2 (connectaccept)', 'magic="TKEN"', 'token=12345678'],
    ],
    ['accept', control06(3, ...someToken), ['code=3 (accept)', 'token=12345678']],
    ['close', control06(4), ['code=4 (close)']],
    ['close with a token', control06(4, ...someToken), ['code=4 (close)', 'token=12345678']],
    ['close with a reason', control06(4, ...text('bye\0')), ['code=4 (close)', 'reason="bye"']],
    [
      'close with both',
      control06(4, ...text('full\0'), ...someToken),
      ['code=4 (close)', 'reason="full"', 'token=12345678'],
    ],
    ['an unknown code', control06(9, 1, 2), ['code=9 (unknown)', 'data=0102']],
  ])('of 0.6: %s', (_, src, expected) => {
    expect(words(packet(src, '0.6'))).toEqual([...head06, ...expected]);
  });

  it.each([
    ['keepalive', control07(0), ['code=0 (keepalive)']],
    [
      'connect',
      control07(1, 1, 2, 3, 4, ...zeros(508)),
      ['code=1 (connect)', 'response_token=01020304', 'padding=508 bytes'],
    ],
    ['accept', control07(2), ['code=2 (accept)']],
    ['accept of DDNet', control07(2, 1, 2, 3, 4), ['code=2 (accept)', 'response_token=01020304']],
    ['close', control07(4, ...text('no\0')), ['code=4 (close)', 'reason="no"']],
    ['close without NUL', control07(4, ...text('nobody')), ['code=4 (close)', 'reason="nobody"']],
    ['token', control07(5, 1, 2, 3, 4), ['code=5 (token)', 'response_token=01020304']],
    ['one without a code', control07(), []],
  ])('of 0.7: %s', (_, src, expected) => {
    expect(words(packet(src, '0.7'))).toEqual([...head07, ...expected]);
  });
});

describe('packets without a connection', () => {
  const six = 'ff ff ff ff ff ff';
  it.each([
    [
      '0.6',
      `${six} ff ff ff ff 67 69 65 33 2a`,
      ['connless=ffffffffffff', 'marker=ffffffff', 'name="gie3"', 'browse_token=42'],
    ],
    ['0.6', `${six} 01 02`, ['connless=ffffffffffff', 'data=0102']],
    // A name is four printable bytes: those from 20 to 7e.
    ['0.6', `${six} ff ff ff ff 20 7e 30 5f`, ['connless=ffffffffffff', 'marker=ffffffff', 'name=" ~0_"']],
    ['0.6', `${six} ff ff ff ff 69 6e 66 7f`, ['connless=ffffffffffff', 'marker=ffffffff', 'data=696e667f']],
    ['0.6', `${six} ff ff ff ff 69 6e 1f 66`, ['connless=ffffffffffff', 'marker=ffffffff', 'data=696e1f66']],
    ['0.6', `${six} ff ff ff ff 69 6e 66`, ['connless=ffffffffffff', 'marker=ffffffff', 'data=696e66']],
    [
      '0.6',
      '78 65 2c fc 00 00 ff ff ff ff 67 69 65 33',
      ['connless=xe', 'extra=2cfc0000', 'marker=ffffffff', 'name="gie3"'],
    ],
    [
      '0.7',
      '21 01 02 03 04 05 06 07 08 ff ff ff ff 69 6e 66 33 00',
      [
        'flags=connless',
        'token=01020304',
        'response_token=05060708',
        'marker=ffffffff',
        'name="inf3"',
        'browse_token=0',
      ],
    ],
  ] as const)('of %s: %s', (version, hex, expected) => {
    expect(words(packet(bytes(hex), version))).toEqual(expected);
  });
});

describe('a message alone', () => {
  it('is annotated as in a packet', () => {
    const hex = firstMessage.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    expect(words(message(hex, '0.7'))).toEqual([
      ...['msg=17 snap_single (system 8)', 'tick=1243', 'delta=5 (on tick 1238)', 'crc=77', 'size=43'],
      ...firstWords,
    ]);
  });

  it('shows cut and unknown messages', () => {
    expect(words(message('06 01 83', '0.7'))).toEqual(['msg=6 sv_chat (game 3)', 'mode=1 (all)', '(cut)']);
    expect(words(message('02 61 62', '0.7'))).toEqual(['msg=2 sv_motd (game 1)', 'message="ab"']);
    expect(words(message('12 02 07', '0.7'))).toEqual([
      'msg=18 sv_weaponpickup (game 9)',
      'weapon=2 (shotgun)',
      'rest=07',
    ]);
    expect(words(message('86', '0.7'))).toEqual(['(cut)']);
    expect(words(message('01 02 03', '0.6'))).toEqual(['msg=1 (system 0, by UUID)', '(cut)']);
  });
});

describe('damage', () => {
  const chat = chunk07([...ints(6, 1, 3, -1), ...text('hello\0')], { vital: true, sequence: 12 });
  const chat06 = chunk06([...ints(6, 0, 3), ...text('hello\0')], { vital: true, sequence: 12 });
  const samples: readonly (readonly [string, Version, Uint8Array])[] = [
    ['0.7', '0.7', packet07([chat, chunk07(firstMessage)])],
    ['0.7 compressed', '0.7', packet07([chat, chunk07(firstMessage)], { compressed: true })],
    ['0.6', '0.6', packet06([chat06, chunk06(snapPart(5, 9, 2, 0, first))], { token: someToken })],
    ['0.6 compressed', '0.6', packet06([chat06, chunk06(snapSingle(7, 9, 2, 0, first))], { compressed: true })],
    ['close', '0.6', control06(4, ...text('full\0'), ...someToken)],
    ['connect', '0.7', control07(1, 1, 2, 3, 4, ...zeros(20))],
    ['connless', '0.7', bytes('21 01 02 03 04 05 06 07 08 ff ff ff ff 69 6e 66 33 00')],
  ];

  it.each(samples)('%s cut at each length: every byte is covered', (_, version, whole) => {
    for (let length = 0; length < whole.length; length++) words(packet(whole.subarray(0, length), version));
  });

  it.each(samples)('%s with flipped bytes: every byte is covered', (_, version, whole) => {
    const random = seeded(0x5eed);
    for (let i = 0; i < 100; i++) {
      const src = whole.slice();
      for (let k = 0; k <= i % 3; k++) src[random() % src.length]! ^= 1 + (random() % 255);
      words(packet(src, version));
      words(packet(src, version === '0.7' ? '0.6' : '0.7'));
    }
  });

  it('any bytes are covered', () => {
    const src = fc.uint8Array({ maxLength: 80 });
    const version = fc.constantFrom<Version>('0.5', '0.6', '0.7');
    fc.assert(
      fc.property(src, version, (src, version) => {
        words(packet(src, version));
        words(readMessageContents(src, protocolOf(version)));
      }),
      { numRuns: 500 },
    );
  });

  it('shows the readable part of a cut chunk', () => {
    const whole = packet07([chat, chunk07(firstMessage)]);
    const contents = packet(whole.subarray(0, whole.length - 30), '0.7');
    expect(codes(contents)).toEqual(['error: truncated_packet_chunk']);
    expect(words(contents)).toContain('tick=1243');
    expect(packet(whole.subarray(0, 18), '0.7').diagnostics.error).toMatchObject({ offset: 18 });
  });

  it('has gaps for bytes after the last chunk', () => {
    const contents = packet(packet07([chat], { excess: [1, 2, 3] }), '0.7');
    expect(codes(contents)).toEqual(['warning: packet_excess']);
    expect(words(contents).at(-1)).toBe('(unclaimed)');
  });
});
