import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decompress } from '../../../src/api/codec.ts';
import { recognisePart } from '../../../src/input/source/recognise.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { hexText } from '../../../src/wire/bytes/to-hex.ts';
import { readPacket } from '../../../src/wire/packet/packet.ts';
import { firstHuffman, firstInts, firstPacked } from '../../support/first.ts';
import { samplePath } from '../../support/program.ts';
import { littleEndian } from '../../support/readers.ts';
import { seeded } from '../../support/seeded.ts';

/** `packet 0.7`, `huffman delta 0.6` */
function reading(bytes: Uint8Array): string {
  const found = recognisePart({ bytes: bytes }, {});
  if (found.kind === 'contents') return `${found.contents.kind} ${found.contents.protocol.version}`;
  const { layers, kind, types } = found.payload;
  return `${layers.encoding} ${kind} ${types.protocol.version}`;
}

interface Sent {
  readonly bytes: Uint8Array;
  readonly expected: string;
}

/** The packets of a capture's connections. */
function packetsOf(name: string): Sent[] {
  const replay = new CaptureReplay({ parts: true, messages: false });
  const found: Sent[] = [];
  for (const records of [replay.feed(new Uint8Array(readFileSync(samplePath(name)))), replay.finish()]) {
    for (const entry of records) {
      if (entry.record !== 'packet' || !entry.stream) continue;
      found.push({ bytes: entry.bytes.slice(), expected: `packet ${entry.stream.version}` });
    }
  }
  return found;
}

const all = [...packetsOf('ddnet-ipv6.pcap'), ...packetsOf('vanilla-ctf-timeout.pcap')];
const some = (count: number) => all.filter((_, i) => i % Math.floor(all.length / count) === 0).slice(0, count);
const headerSize = ({ bytes, expected }: Sent) =>
  readPacket(bytes, expected.endsWith('0.7') ? '0.7' : '0.6', () => {}).headSize;

/** A packet with one flipped bit after its header. */
function flipped(packet: Sent, random: () => number): Uint8Array {
  const header = 8 * headerSize(packet);
  const bit = header + (random() % (8 * packet.bytes.length - header));
  return packet.bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

/** A packet with one flipped bit in its header. */
function flippedInHeader(packet: Sent, random: () => number): Uint8Array {
  const bit = random() % (8 * headerSize(packet));
  return packet.bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

/** The share of packets that are recognised as packets of their version. */
function shareOf(packets: readonly Sent[], change: (packet: Sent) => Uint8Array): number {
  return packets.filter((packet) => reading(change(packet)) === packet.expected).length / packets.length;
}

describe('packets of captures', () => {
  it('whole: all are recognised as packets of their version', () => {
    expect(shareOf(some(300), ({ bytes }) => bytes)).toBe(1);
  });

  const random = seeded(1);
  it.each(some(30).map((packet) => [hexText(flipped(packet, random)), packet.expected]))(
    'with a flipped bit: %s is a %s',
    (hex, expected) => expect(reading(Uint8Array.from(Buffer.from(hex, 'hex')))).toBe(expected),
  );

  it('with a flipped bit after the header: 99 of 100 at least are recognised', () => {
    expect(shareOf(some(200), (packet) => flipped(packet, random))).toBeGreaterThanOrEqual(0.99);
  });

  it('with a flipped bit in the header: 9 of 10 at least are recognised', () => {
    expect(shareOf(some(200), (packet) => flippedInHeader(packet, random))).toBeGreaterThanOrEqual(0.9);
  });

  it('cut four bytes after the header or later: 99 of 100 at least are recognised', () => {
    const long = some(300).filter((packet) => packet.bytes.length > headerSize(packet) + 4);
    const share = shareOf(long, (packet) => {
      const least = headerSize(packet) + 4;
      return packet.bytes.subarray(0, least + (random() % (packet.bytes.length - least)));
    });
    expect(share).toBeGreaterThanOrEqual(0.99);
  });
});

describe('snapshots and deltas', () => {
  it.each([
    ['huffman delta 0.7', firstHuffman],
    ['packed delta 0.7', firstPacked],
    ['ints delta 0.7', littleEndian(firstInts)],
  ])('%s keeps its kind when cut in its second half', (expected, bytes) => {
    for (let length = bytes.length; length > bytes.length / 2 + 2; length--) {
      expect(reading(bytes.subarray(0, length)), `${length} of ${bytes.length}`).toContain(expected.slice(0, -4));
    }
  });

  const samples = [
    'ddnet-dm1-tick2786.snapshot.huff',
    'ddnet-dm1-tick2788.delta.huff',
    'vanilla-dm1-tick9324.snapshot.packed',
    'ddnet-race-tick958.delta.packed',
    'ddnet-tutorial-tick3948.snapshot.ints',
    'vanilla-dm1-join-tick34210.delta.ints',
  ];
  it.each(samples)('%s keeps its kind with a flipped bit in its second half', (name) => {
    const [, kind, extension] = /\.(\w+)\.(\w+)$/.exec(name)!;
    const encoding = extension === 'huff' ? 'huffman' : extension;
    const whole = new Uint8Array(readFileSync(samplePath(name)));
    const random = seeded(3);
    for (let i = 0; i < 20; i++) {
      const at = (whole.length >> 1) + (random() % (whole.length >> 1));
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (random() & 7);
      expect(reading(bytes), `byte ${at}`).toContain(`${encoding} ${kind}`);
    }
  });

  it('a damaged delta whose first byte is that of map_data, which may be any bytes, stays a delta', () => {
    const huffman = new Uint8Array(readFileSync(samplePath('vanilla-dm1-tick9326.delta.huff')));
    const whole = decompress(huffman);
    // It removes 7 items, and in 0.7 7 is the head of the system message 3.
    expect(whole[0]).toBe(7);
    const changed = { cut: whole.slice(0, -1), longer: Uint8Array.of(...whole, 5), 'third int': whole.with(2, 9) };
    for (const [how, bytes] of Object.entries(changed)) expect(reading(bytes), how).toBe('packed delta 0.7');
  });
});
