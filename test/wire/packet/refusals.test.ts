import { describe, expect, it } from 'vitest';
import { recognisePart } from '../../../src/input/source/recognise.ts';
import { packetJson } from '../../../src/output/json/packet-json.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import { type DecodedPacket, readPacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { text, zeros } from '../../support/bytes.ts';
import { chunk06, control06, ints, packet06 } from '../../support/packet-builder.ts';
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
