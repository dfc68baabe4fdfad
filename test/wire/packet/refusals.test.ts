import { describe, expect, it } from 'vitest';
import { recognisePart } from '../../../src/input/source/recognise.ts';
import { packetJson } from '../../../src/output/json/packet-json.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import { type DecodedPacket, readPacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { text, zeros } from '../../support/bytes.ts';
import { chunk06, chunk07, control06, control07, ints, packet06, packet07 } from '../../support/packet-builder.ts';
import { bytes } from '../../support/readers.ts';

const read = (packet: Uint8Array, version: '0.6' | '0.7') => readPacketContents(packet, protocolOf(version));
const reported = ({ diagnostics }: DecodedPacket) => diagnostics.all.map(({ severity, code }) => `${severity} ${code}`);
const json = (packet: DecodedPacket) => JSON.parse(JSON.stringify(packetJson(packet)));

describe('compressed control packets', () => {
  // The vector of issue 14: 0x14 is compressed and control in 0.7.
  const shutdown = bytes('14 00 00 11 22 33 44 1e 9d ba 56 5b 0a 25 9c 68 8b 14 b7 ae bd e2 06');

  it('are decompressed in 0.7, with a warning', () => {
    const packet = read(shutdown, '0.7');
    expect(json(packet)).toMatchObject({ control: { code: 4, name: 'close', reason: 'shutdown' }, token: '11223344' });
    expect(reported(packet)).toEqual(['warning compressed_control']);
    const spans = annotateContents(packet);
    expect(spans.map(({ label }) => label)).toEqual(['flags', 'ack', 'num_chunks', 'token', 'code', 'reason']);
    expect(spans.at(-1)!.end).toBe(packet.layers.bytes.length);
  });

  it('are recognised', () => {
    const found = recognisePart({ bytes: shutdown }, {});
    expect(found.kind === 'contents' && found.contents.protocol.version).toBe('0.7');
  });

  it('are decompressed in 0.6', () => {
    // Compressed as the payload of a packet with chunks is.
    const compressed = packet06([[4, ...text('shutdown, good night\0')]], { compressed: true, count: 0 });
    compressed[0]! |= 0x10;
    const packet = read(compressed, '0.6');
    expect(json(packet)).toMatchObject({ control: { name: 'close', reason: 'shutdown, good night' } });
    expect(reported(packet)).toEqual(['warning compressed_control']);
  });
});

describe('packets that the games refuse', () => {
  const timing06 = chunk06(ints((9 << 1) | 1, 100, 5));
  const timing07 = chunk07(ints((10 << 1) | 1, 100, 5));
  const large = (size: number) => chunk07([...ints(6, 1, 3, -1), ...new Array(size).fill(1), 0]);

  it.each<[string, Uint8Array, '0.6' | '0.7', string[]]>([
    ['neither chunks nor the resend flag', packet06([]), '0.6', ['warning no_chunks']],
    ['neither chunks nor the resend flag', packet07([]), '0.7', ['warning no_chunks']],
    ['no chunks, but the resend flag', packet06([], { resend: true }), '0.6', []],
    ['no control code', control06(), '0.6', ['error missing_control']],
    ['no control code', control07(), '0.7', ['error missing_control']],
    ['an unknown control code', control06(5), '0.6', ['error unknown_control']],
    ['an unknown control code', control07(3), '0.7', ['error unknown_control']],
    ['a token message without a token', control07(5), '0.7', ['error missing_token']],
    [
      'a token message with three bytes',
      control07(5, 1, 2, 3),
      '0.7',
      ['warning control_excess', 'error missing_token'],
    ],
    ['a reason without its NUL', control06(4, 0x61, 0x62), '0.6', ['warning unterminated_reason']],
    [
      'a reason of four bytes without its NUL',
      control07(4, 0x61, 0x62, 0x63, 0x64),
      '0.7',
      ['warning unterminated_reason'],
    ],
    ['bytes after the reason', control07(4, 0x61, 0, 9), '0.7', ['warning control_excess']],
    ['bytes after the code', control07(0, 9, 9), '0.7', ['warning control_excess']],
    ['chunks in a control packet', Uint8Array.from([0x10, 0, 1, 0]), '0.6', ['warning chunks_in_control']],
    ['chunks in a control packet', Uint8Array.from([0x04, 0, 2, 1, 2, 3, 4, 0]), '0.7', ['warning chunks_in_control']],
    ['a chunk', packet06([timing06]), '0.6', []],
    ['a chunk', packet07([timing07]), '0.7', []],
    ['1,400 bytes', packet07([large(1386)]), '0.7', []],
    ['1,401 bytes', packet07([large(1387)]), '0.7', ['error packet_too_large']],
    ['1,397 bytes after decompression', packet07([large(1390)], { compressed: true }), '0.7', []],
    [
      '1,398 bytes after decompression',
      packet07([large(1391)], { compressed: true }),
      '0.7',
      ['error payload_too_large'],
    ],
    [
      'a connectionless version of 2',
      Uint8Array.from([0x22, ...zeros(8), 0xff, 0xff, 0xff, 0xff, ...text('gie3')]),
      '0.7',
      ['error connless_version'],
    ],
  ])('%s: %#', (_, packet, version, expected) => {
    if (_.startsWith('1,40')) expect(packet.length).toBe(Number(_.slice(0, 5).replace(',', '')));
    expect(reported(read(packet, version))).toEqual(expected);
  });
});

it('a refusal has one place, in the file and unpacked', () => {
  // Compressed without an end symbol: a control packet with the code 8.
  const places = (hex: string, version: '0.6' | '0.7') => {
    const { error, otherErrors } = read(bytes(hex), version).diagnostics;
    return [error, ...otherErrors].map((diagnostic) => [diagnostic!.code, diagnostic!.offset, diagnostic!.unpacked]);
  };
  expect(places('90 00 00 04 62 79 65 00', '0.6')).toEqual([
    ['huffman_no_eof', 8, 9],
    ['unknown_control', 3, 3],
  ]);
});

it.each<[string, string, '0.6' | '0.7', string]>([
  // The vectors of libtw2: `ControlFlags`, `ControlNumChunks` and `ControlTokenRequestTooShort` in net/src/protocol.rs
  // and protocol7.rs.
  ['compressed', '90 00 00 15 37', '0.6', 'compressed_control'],
  ['compressed, with a token', '90 00 00 b9 3c d2 85 6b 53 dc 00', '0.6', 'compressed_control'],
  ['compressed', '14 00 00 00 00 00 00 15 37', '0.7', 'compressed_control'],
  ['with the resend flag', '50 00 00 00', '0.6', 'resend_in_control'],
  ['with the resend flag and a token', '50 00 00 00 12 34 56 78', '0.6', 'resend_in_control'],
  ['with the resend flag', '0c 00 00 00 00 00 00 00', '0.7', 'resend_in_control'],
  ['with chunks', '10 00 ff 00', '0.6', 'chunks_in_control'],
  ['with chunks and a token', '10 00 ff 00 12 34 56 78', '0.6', 'chunks_in_control'],
  ['with chunks', '04 00 ff 00 00 00 00 00', '0.7', 'chunks_in_control'],
  ['a short token request', '04 00 00 ff ff ff ff 05 00 00 00 00', '0.7', 'short_token_request'],
  ['a close with one chunk', '10 00 01 04 62 79 65 00', '0.6', 'chunks_in_control'],
])('a control packet %s is read with a warning: %s (%s)', (_, hex, version, code) => {
  const packet = read(bytes(hex), version);
  expect(reported(packet)).toEqual([`warning ${code}`]);
  expect(packet.packet?.kind).toBe('control');
});

it('a token request of the usual size is read without a warning', () => {
  const request = Uint8Array.from([0x04, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 1, 2, 3, 4, ...zeros(507)]);
  expect(reported(read(request, '0.7'))).toEqual([]);
});

describe('connectionless packets', () => {
  const info = [0xff, 0xff, 0xff, 0xff, ...text('gie3'), 7];

  it('are recognised by the flag, whatever the other bytes of a 0.6 header are', () => {
    const packet = read(Uint8Array.from([0x20, 1, 2, 3, 4, 5, ...info]), '0.6');
    expect(packet.packet?.kind).toBe('connless');
    expect(json(packet)).toMatchObject({ connless: { name: 'gie3', browse_token: 7 } });
  });

  it('are 0.7 packets with the flag and version 1', () => {
    const packet = read(Uint8Array.from([0xa5, 1, 2, 3, 4, 5, 6, 7, 8, ...info]), '0.7');
    expect(packet.packet?.kind).toBe('connless');
    expect(json(packet)).toMatchObject({ connless: { name: 'gie3', browse_token: 7 }, token: '01020304' });
  });

  it('are cut where they end inside their header', () => {
    expect(reported(read(Uint8Array.from([0x21, 1, 2, 3]), '0.7'))).toEqual(['error truncated_packet']);
    expect(reported(read(Uint8Array.from([0xff, 0xff, 0xff]), '0.6'))).toEqual(['error truncated_packet']);
  });
});

describe('tokens of 0.6.5', () => {
  const token = [0xde, 0xad, 0xbe, 0xef];

  it('are after the header, before the compressed payload', () => {
    const plain = packet06([chunk06(ints((9 << 1) | 1, 100, 5))]);
    const packet = read(
      Uint8Array.from([plain[0]! | 0x08, plain[1]!, plain[2]!, ...token, ...plain.subarray(3)]),
      '0.6',
    );
    expect(packet.messages.map(({ message }) => message.type?.name)).toEqual(['input_timing']);
    expect(json(packet)).toMatchObject({ token: 'deadbeef' });
    expect(reported(packet)).toEqual(['warning header_token']);
    const labels = annotateContents(packet).map(({ label }) => label);
    expect(labels.slice(0, 5)).toEqual(['flags', 'ack', 'num_chunks', 'token', 'chunk_flags']);
  });

  it('are at byte 4 of the data of a connect', () => {
    const packet = read(control06(1, 0, 0, 0, 0, ...token, ...zeros(504)), '0.6');
    expect(json(packet)).toMatchObject({ control: { name: 'connect' }, token: 'deadbeef' });
    expect(reported(packet)).toEqual([]);
  });
});
