import { describe, expect, it } from 'vitest';
import { recognisePart } from '../../../src/input/source/recognise.ts';
import type { PacketReading } from '../../../src/input/stated.ts';
import { packetJson } from '../../../src/output/json/packet-json.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import {
  type PacketContents,
  readMessageContents,
  readPacketContents,
} from '../../../src/wire/packet/packet-contents.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { text, zeros } from '../../support/bytes.ts';
import { packetsOf } from '../../support/capture-frames.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../../support/corpus.ts';
import { firstPacked } from '../../support/first.ts';
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
import { bytes, snapshotOf } from '../../support/readers.ts';
import { seeded } from '../../support/seeded.ts';

const first = [...firstPacked];
const packet = (src: Uint8Array, version: Version, unpacked = false) =>
  readPacketContents(src, protocolOf(version), { unpacked });
const reported = ({ diagnostics }: PacketContents) =>
  diagnostics.all.map(({ severity, code, offset, bit, unpacked }) => {
    const place = [offset, ...(bit === undefined ? [] : [bit]), ...(unpacked === undefined ? [] : [unpacked])];
    return `${severity} ${code} ${place.join('.')}`;
  });
const recognised = (bytes: Uint8Array, version?: Version) =>
  recognisePart({ bytes }, { kind: 'packet', version }) as PacketReading;
/** Reads a packet in the same way as `decode`. */
const isPacket = (bytes: Uint8Array) => {
  const found = recognisePart({ bytes }, {});
  return found.kind === 'contents' && found.contents.kind === 'packet';
};

describe('a complete packet', () => {
  const timing = chunk07(ints(21, 100, 5));

  it('has its messages beside their chunks', () => {
    const chat = chunk07([...ints(6, 1, 3, -1), ...text('hi\0')], { vital: true, sequence: 7 });
    const { chunks, messages, values } = packet(packet07([chat, timing]), '0.7');
    expect(chunks.map(({ vital, sequence }) => [vital, sequence])).toEqual([
      [true, 7],
      [false, 0],
    ]);
    expect(messages.map(({ message }) => message.type?.name)).toEqual(['sv_chat', 'input_timing']);
    expect(messages.map(({ message }) => [message.start, message.end])).toEqual([
      [10, 17],
      [19, 23],
    ]);
    expect(values).toEqual([]);
  });

  it('has diagnostics with offsets in bytes of the packet', () => {
    // An overlong tick, and the delta's third int set.
    const snap = [0x11, 0x80, 0x00, ...ints(1, 0, 3), 0, 0, 5];
    expect(reported(packet(packet07([timing, chunk07(snap)]), '0.7'))).toEqual([
      'warning overlong_varint 16',
      'warning nonzero_zero 23',
    ]);
  });

  it('has diagnostics with offsets in bits when it is compressed', () => {
    const snap = [0x11, 0x80, 0x00, ...ints(1, 0, 3), 0, 0, 5];
    const contents = packet(packet07([timing, chunk07(snap)], { compressed: true }), '0.7');
    const place = (byte: number) => `${contents.layers.bits![byte]! >> 3}.${contents.layers.bits![byte]! & 7}.${byte}`;
    expect(reported(contents)).toEqual([`warning overlong_varint ${place(16)}`, `warning nonzero_zero ${place(23)}`]);
  });

  it('reports an error of each message', () => {
    const contents = packet(packet07([chunk07([0x06, 1]), timing, chunk07([0x06, 1, 2])]), '0.7');
    expect(reported(contents)).toEqual(['error truncated_message 11', 'error truncated_message 22']);
    expect(contents.messages[1]!.message.diagnostics.all).toEqual([]);
  });

  it('is reported as cut once, where its bytes end', () => {
    const whole = packet07([timing, chunk07(snapSingle(8, 9, 2, 0, first))]);
    const contents = packet(whole.subarray(0, 40), '0.7');
    expect(reported(contents)).toEqual(['error truncated_packet_chunk 40']);
    expect(contents.messages[1]).toMatchObject({ isCut: true, isContinued: true });
    expect(reported(packet(whole.subarray(0, 13), '0.7'))).toEqual(['error missing_chunks 13']);
    expect(reported(packet(whole.subarray(0, 6), '0.7'))).toEqual(['error truncated_packet 6']);
    expect(reported(packet(new Uint8Array(), '0.6'))).toEqual(['error truncated_packet 0']);
  });

  it('contains the bytes that were decompressed before an error', () => {
    const whole = packet07([timing, chunk07(snapSingle(8, 9, 2, 0, first))], { compressed: true });
    const contents = packet(whole.subarray(0, 30), '0.7');
    expect(reported(contents)).toEqual([`error huffman_no_eof 30.${contents.layers.bytes.length}`]);
    expect(contents.messages.map(({ message }) => message.type?.name)).toEqual(['input_timing', 'snap_single']);
    expect(contents.messages[1]!.delta?.payload.body.count).toBeGreaterThan(0);
  });

  it('has warnings for contents that no game sends', () => {
    expect(reported(packet(packet07([timing], { excess: [1, 2] }), '0.7'))).toEqual(['warning packet_excess 13']);
    const padded = packet07([timing]);
    padded[0]! |= 0x80;
    expect(reported(packet(padded, '0.7'))).toEqual(['warning packet_padding 0']);
    const excess = Uint8Array.from([...packet07([timing], { compressed: true }), 0, 0, 9]);
    expect(reported(packet(excess, '0.7')).join()).toMatch(/^warning huffman_after_eof \d+\.13$/);
  });

  it('may be decompressed already, whatever its flags are', () => {
    const chunks = [timing, chunk07(snapSingle(8, 9, 2, 0, first))];
    const compressed = packet(packet07(chunks, { compressed: true }), '0.7');
    const again = packet(compressed.layers.bytes, '0.7', true);
    expect(again.layers.bits).toBeUndefined();
    const { flags, chunks: read } = packetJson(again) as Record<string, unknown>;
    expect([flags, read]).toEqual([['compressed'], (packetJson(compressed) as Record<string, unknown>).chunks]);
  });
});

describe('a delta in a message', () => {
  const at = (tick: number, delta: number, data: readonly number[]) =>
    Uint8Array.from(snapSingle(8, tick, delta, 1, data));

  it('is a difference to the base that is given', () => {
    const base = snapshotOf([10, 0, ...new Array<number>(22).fill(1)]);
    const contents = readMessageContents(at(9, 2, first), protocolOf('0.7'), { base });
    expect(contents.messages[0]!.delta?.payload).toMatchObject({ base });
    expect(contents.messages[0]!.delta?.payload.result?.count).toBe(3);
  });

  it('without a base has the empty snapshot as its base', () => {
    const base = snapshotOf([10, 0, ...new Array<number>(22).fill(1)]);
    const { payload } = readMessageContents(at(9, 10, first), protocolOf('0.7'), { base }).messages[0]!.delta!;
    expect([payload.base?.count, payload.result?.count]).toEqual([0, 3]);
  });

  it('ends early without an error only where another part continues it', () => {
    const cut = first.slice(0, 20);
    const read = (src: readonly number[]) => readMessageContents(Uint8Array.from(src), protocolOf('0.7'));
    expect(reported(read(snapSingle(8, 9, 2, 1, cut)))).toEqual(['error truncated_delta 25']);
    expect(reported(read(snapPart(6, 9, 2, 0, cut)))).toEqual([]);
    expect(reported(read(snapPart(6, 9, 1, 0, cut)))).toEqual(['error truncated_delta 29']);
    expect(read(snapPart(6, 9, 2, 1, cut)).messages[0]!.delta).toBeUndefined();
  });
});

describe('recognition', () => {
  const chunks06 = [chunk06(ints(19, 7, 8)), chunk06(snapSingle(7, 9, 2, 0, ints(0, 1, 0, 14, 0, 100, 200)))];
  const chunks07 = [chunk07(ints(21, 7, 8)), chunk07(snapSingle(8, 9, 2, 0, first))];
  it.each([
    ['0.6', packet06(chunks06)],
    ['0.6', packet06(chunks06, { token: someToken })],
    ['0.6', packet06(chunks06, { compressed: true })],
    ['0.6', packet06(chunks06, { compressed: true, token: someToken, resend: true, ack: 700 })],
    ['0.6', packet06([], { resend: true, token: someToken })],
    ['0.6', control06(1)],
    ['0.6', control06(1, ...text('TKEN'), 255, 255, 255, 255)],
    ['0.6', control06(4, ...text('full\0'))],
    ['0.6', bytes('ff ff ff ff ff ff ff ff ff ff 67 69 65 33 2a')],
    ['0.7', packet07(chunks07)],
    ['0.7', packet07(chunks07, { compressed: true, ack: 1023 })],
    ['0.7', packet07([], { resend: true })],
    ['0.7', control07(5, 1, 2, 3, 4, ...zeros(508))],
    ['0.7', control07(4, ...text('full\0'))],
    ['0.7', bytes('21 01 02 03 04 05 06 07 08 ff ff ff ff 69 6e 66 33 00')],
  ] as const)('of %s, number %#', (version, src) => {
    const { contents, isFlawless, otherReadings } = recognised(src);
    expect([contents.protocol.version, isFlawless, otherReadings.length]).toEqual([version, true, 0]);
    expect(isPacket(src)).toBe(true);
  });

  it('does not read a plausible snapshot or delta as a packet', () => {
    for (const hex of ['00 00 00', '00 00', '00 01 00', '00 00 00 00 00 00 00 00 00 00 00 00', '01 00 00 2a']) {
      expect(isPacket(bytes(hex)), hex).toBe(false);
    }
    for (let length = 1; length <= first.length; length++) {
      expect(isPacket(firstPacked.subarray(0, length)), `${length}`).toBe(false);
    }
  });

  it('accepts a packet with a message of a mod, or one that was cut after a whole message', () => {
    const mod = packet07([chunk07(ints(21, 7, 8)), chunk07([0x6e, 1, 2, 3])], { compressed: true });
    expect(isPacket(mod)).toBe(true);
    expect(isPacket(packet07(chunks07).subarray(0, 40))).toBe(true);
  });
});

const captures = corpusFiles(/\.pcap$/);
/** The number of packets per capture, evenly spread; all of the first ones are used, since they are handshakes. */
const taken = 150;
const handshakes = 30;

describe.skipIf(!hasCorpus)('recorded packets (needs ../shared)', () => {
  /** Bytes that are valid in both versions: no chunks, and no resend request. */
  const isBlank = (src: Uint8Array) => src.length === 7 && src[0] === 0 && src[2] === 0;
  const recorded = (name: string) => packetsOf(corpusFile(name)).filter((src) => src.length > 0 && !isBlank(src));
  const sampled = (name: string) => {
    const all = recorded(name);
    const step = Math.ceil(all.length / taken);
    return all.filter((_, i) => i < handshakes || i % step === 0);
  };

  const expectCovered = (contents: PacketContents) => {
    expectPartition(annotateContents(contents), contents.layers.bytes.length);
    JSON.parse(JSON.stringify(packetJson(contents)));
  };

  it.each(captures)('%s: are recognised in their version without a flaw', (name) => {
    for (const src of recorded(name)) {
      const { contents, isFlawless } = recognised(src);
      expect([contents.protocol.version, isFlawless]).toEqual([versionOf(name, src), true]);
    }
  });

  it.each(captures)('%s: are recognised, and every byte is covered', (name) => {
    for (const src of sampled(name)) {
      expect(isPacket(src)).toBe(true);
      const { contents } = recognised(src);
      expectCovered(contents);
      expect(contents.diagnostics.all.filter(({ code }) => code !== 'missing_registration')).toEqual([]);
    }
  });

  it.each(captures)('%s: are read up to the error when they are damaged', (name) => {
    const random = seeded(0xbad);
    for (const src of sampled(name)) {
      const version = versionOf(name, src);
      expectCovered(packet(src.subarray(0, random() % src.length), version));
      const flipped = src.slice();
      flipped[random() % src.length]! ^= 1 + (random() % 255);
      expectCovered(packet(flipped, version));
    }
  });

  /** DDNet's captures begin with a client that first asks in 0.7. */
  function versionOf(name: string, src: Uint8Array): Version {
    if (name.startsWith('07')) return '0.7';
    return src[0] === 0x04 ? '0.7' : '0.6';
  }
});
