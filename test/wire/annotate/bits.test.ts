import { describe, expect, it } from 'vitest';
import { type BitSource, bitGroups, bitsOfSpan, formsOf } from '../../../src/wire/annotate/bits.ts';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import type { Span } from '../../../src/wire/annotate/span.ts';
import { readPacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { firstHuffman } from '../../support/first.ts';
import { read } from '../../support/samples.ts';

const payload = readPayload(unwrap(firstHuffman, 'huffman'), 'delta', protocolOf('0.7'));
const ofPayload: BitSource = { spans: annotate(payload), layers: payload.layers, forms: formsOf(payload) };
const packet = readPacketContents(read('vanilla-dm1-tick9892.packet'), protocolOf('0.7'));
const ofPacket: BitSource = { spans: annotateContents(packet), layers: packet.layers, forms: formsOf(packet) };

/** The bits of a byte array from the lowest of each byte up, as the Huffman coder reads them. */
const streamOf = (file: Uint8Array) =>
  Array.from(file, (byte) => [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (byte >> i) & 1))
    .flat()
    .join('');

/** The value of packed bytes, by the picture of the format: E S and six bits, then E and seven, the low bits first. */
function packedValue(parts: readonly (readonly string[])[]): number {
  const [[, sign, low] = [], ...more] = parts;
  const magnitude = more.reduce(
    (sum, [, bits], i) => sum | (Number.parseInt(bits!, 2) << (6 + 7 * i)),
    Number.parseInt(low!, 2),
  );
  return sign === '1' ? ~magnitude : magnitude;
}

describe('the bits of spans', () => {
  it('the codes of all bytes, one after the other, are the bits of the file up to the end symbol', () => {
    const codes = ofPayload.spans.flatMap((span) => bitsOfSpan(ofPayload, span).bytes.map(({ code }) => code!));
    const stream = streamOf(firstHuffman);
    expect(stream.startsWith(codes.join(''))).toBe(true);
    // docs/decode.md: the end symbol begins at 16.2.
    expect(codes.join('').length).toBe(8 * 0x16 + 2);
    // The shortest code is that of the byte 0.
    expect(codes[0]).toBe('1');
  });

  it('the codes of a packet are in its bits after the header', () => {
    const first = packet.layers.bits!.findIndex((bit, i) => bit !== 8 * i);
    const codes = ofPacket.spans.flatMap((span) => bitsOfSpan(ofPacket, span).bytes.map(({ code }) => code!));
    expect(first).toBeGreaterThan(0);
    expect(streamOf(packet.layers.file).startsWith(codes.join(''))).toBe(true);
  });

  it('the parts of the bytes of an int give its value', () => {
    let compared = 0;
    for (const source of [ofPayload, ofPacket])
      for (const span of source.spans) {
        const { bytes } = bitsOfSpan(source, span);
        // One byte of these is a flag or size in a header of the network.
        if (bytes[0]!.form !== 'first' || typeof span.value !== 'number') continue;
        compared++;
        const { change, value } = span;
        expect(packedValue(bytes.map(({ parts }) => parts)), span.label).toBe(change ? undefined : value);
      }
    expect(compared).toBeGreaterThan(70);
  });

  it('bytes of a header are not ints', () => {
    const formsOfLabel = (label: string) =>
      bitsOfSpan(ofPacket, ofPacket.spans.find((span) => span.label === label)!).bytes.map(({ form, parts }) => [
        form,
        parts.length,
      ]);
    expect(formsOfLabel('chunk_size')).toEqual([['raw', 1]]);
    expect(formsOfLabel('token')).toEqual(new Array(4).fill(['raw', 1]));
    expect(formsOfLabel('msg')).toEqual([['first', 3]]);
    expect(formsOfLabel('crc')).toEqual([
      ['first', 3],
      ['more', 2],
      ['more', 2],
    ]);
  });
});

describe('unchanged values', () => {
  const span = (value: number, item = 0): Span => ({
    start: 0,
    end: 1,
    role: 'number',
    label: 'x',
    value,
    item,
    isDifference: true,
  });

  it('are folded from three on, in one item', () => {
    const values = [5, 0, 0, 7, 0, 0, 0, 1];
    expect(bitGroups(values.map((value) => span(value)))).toEqual([
      { from: 0, to: 4, isFolded: false },
      { from: 4, to: 7, isFolded: true },
      { from: 7, to: 8, isFolded: false },
    ]);
    expect(bitGroups([span(0, 0), span(0, 0), span(0, 1), span(0, 1)])).toEqual([{ from: 0, to: 4, isFolded: false }]);
  });

  it('in a delta with its base are those that are the same after it', () => {
    const change = { old: 4, new: 4 };
    expect(bitGroups(new Array(3).fill({ ...span(0), isDifference: undefined, change }))).toEqual([
      { from: 0, to: 3, isFolded: true },
    ]);
  });
});
