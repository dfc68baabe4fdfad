import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, file } from '../../../support/bytes.ts';
import {
  extension,
  fragment6,
  ipv4,
  ipv6,
  pcap,
  pcapHeader,
  pcapRecord,
  someTime,
  udp,
} from '../../../support/capture-builder.ts';
import { captureFrames, captureLines } from '../../../support/capture-frames.ts';

const payload = Array.from({ length: 50 }, (_, i) => i);
const datagram = udp(payload);
const line4 = `127.0.0.1 8303 > 127.0.0.1 50000: ${payload.join(' ')}`;
const line6 = `::1 8303 > ::1 50000: ${payload.join(' ')}`;

const read = (...packets: Bytes[]) => captureLines(pcap(packets, { linkType: 101 }));
const withoutOther = (lines: readonly string[]) => lines.filter((line) => line !== 'other');

/** The bytes from one offset to another of the data that packets contain together. */
const part4 = (from: number, to: number, whole = datagram, id = 7, more = to < whole.length) =>
  ipv4(whole.slice(from, to), { id, offset: from, more });
const part6 = (from: number, to: number, whole = datagram, next = 17, id = 0xdeadbeef) =>
  ipv6(fragment6(next, from, to < whole.length, id, whole.slice(from, to)), { next: 44 });

describe('fragments', () => {
  it('of IPv4 are reassembled', () => {
    expect(read(part4(0, 24), part4(24, 48), part4(48, 58))).toEqual(['other', 'other', line4]);
  });

  it('of IPv6 are reassembled', () => {
    expect(read(part6(0, 24), part6(24, 48), part6(48, 58))).toEqual(['other', 'other', line6]);
  });

  it('are reassembled at the position of the last one that arrived', () => {
    const bytes = pcap([part4(0, 24), part4(24, 58)], { linkType: 101 });
    expect(captureFrames(bytes)[1]).toMatchObject({
      kind: 'datagram',
      number: 2,
      offset: 24 + 16 + 44,
      seconds: someTime + 1,
      dataOffset: -1,
      data: payload,
    });
  });

  it('may have extension headers', () => {
    const whole = extension(60, 8, extension(17, 16, datagram));
    expect(withoutOther(read(part6(24, 82, whole, 0), part6(0, 8, whole, 0), part6(8, 24, whole, 60)))).toEqual([
      line6,
    ]);
  });

  it('may arrive in any order, and more than once', () => {
    const cuts = [0, 8, 16, 32, 40, 56, 58];
    const parts = cuts.slice(1).map((to, i) => [cuts[i]!, to] as const);
    const some = fc.array(fc.constantFrom(...parts), { maxLength: 10 });
    const orders = fc.tuple(some, fc.shuffledSubarray(parts, { minLength: parts.length }), some);
    fc.assert(
      fc.property(orders, ([before, all, after]) => {
        const order = [...before, ...all, ...after];
        expect(withoutOther(read(...order.map(([from, to]) => part4(from, to))))).toEqual([line4]);
        expect(withoutOther(read(...order.map(([from, to]) => part6(from, to))))).toEqual([line6]);
      }),
    );
  });

  it('may overlap: the bytes that arrived first count', () => {
    const others = ipv4(new Array(32).fill(0xff), { id: 7, offset: 8, more: true });
    expect(withoutOther(read(part4(0, 24), others, part4(40, 58)))).toEqual([
      `127.0.0.1 8303 > 127.0.0.1 50000: ${payload.map((byte) => (byte >= 16 && byte < 32 ? 255 : byte)).join(' ')}`,
    ]);
  });

  it('of several datagrams are distinguished', () => {
    const other = udp(payload.toReversed());
    const line = `127.0.0.1 8303 > 127.0.0.1 50000: ${payload.toReversed().join(' ')}`;
    const packets = [part4(0, 24), part4(24, 58, other, 8), part6(0, 24), part4(0, 24, other, 8), part6(24, 58)];
    expect(withoutOther(read(...packets, part4(24, 58)))).toEqual([line, line6, line4]);
    const elsewhere = { id: 7, source: [1, 2, 3, 4] };
    expect(withoutOther(read(ipv4(datagram.slice(0, 24), { ...elsewhere, more: true }), part4(24, 58)))).toEqual([
      'warning: missing_fragments 24',
      'warning: missing_fragments 84',
    ]);
  });

  it('without UDP are ignored', () => {
    expect(read(ipv4(datagram, { protocol: 6, more: true }), part6(0, 24, datagram, 6))).toEqual(['other', 'other']);
  });

  it('that are missing are reported at the end', () => {
    expect(read(part4(0, 24), part4(48, 58))).toEqual(['other', 'other', 'warning: missing_fragments 24']);
    const frames = captureFrames(pcap([part4(0, 24), part4(48, 58)], { linkType: 101 }));
    expect(frames[2]).toMatchObject({ args: { found: 34 } });
  });

  it('are kept for at most half a minute', () => {
    const at = (seconds: number, packet: Bytes) => pcapRecord(packet, { seconds: someTime + seconds });
    const bytes = (wait: number) =>
      file(
        pcapHeader({ linkType: 101 }),
        at(0, part4(0, 24)),
        at(wait, part4(0, 24, datagram, 8)),
        at(wait, part4(24, 58)),
      );
    expect(withoutOther(captureLines(bytes(30)))).toEqual([line4, 'warning: missing_fragments 84']);
    expect(withoutOther(captureLines(bytes(31)))).toEqual([
      'warning: missing_fragments 24',
      'warning: missing_fragments 84',
      'warning: missing_fragments 144',
    ]);
  });

  it('are kept for at most 64 packets', () => {
    const firsts = Array.from({ length: 65 }, (_, i) => part4(0, 24, datagram, i));
    const at = (packets: Bytes[]) =>
      file(pcapHeader({ linkType: 101 }), ...packets.map((packet) => pcapRecord(packet)));
    const lasts = [0, 1].map((i) => part4(24, 58, datagram, i));
    expect(withoutOther(captureLines(at([...firsts.slice(1), ...lasts.slice(1)])))[0]).toBe(line4);
    expect(withoutOther(captureLines(at([...firsts, lasts[1]!]))).slice(0, 2)).toEqual([
      'warning: missing_fragments 24',
      line4,
    ]);
  });

  it.each([
    ['not in eights', part4(0, 23)],
    ['empty', ipv4([], { id: 7, more: true })],
    ['beyond the longest packet', ipv4(datagram.slice(0, 16), { id: 7, offset: 65528 })],
    ['beyond the last one', part4(56, 64, [...datagram, ...payload])],
    ['a second last one', ipv4([1], { id: 7, offset: 56 })],
    ['a last one before others', ipv4([1], { id: 7, offset: 24 })],
  ])('that are invalid, %s, are left out', (_, packet) => {
    const bytes = pcap([part4(8, 58), packet, part4(0, 8)], { linkType: 101 });
    expect(captureLines(bytes)).toEqual(['other', 'other', expect.stringMatching('bad_ip'), line4]);
    expect(captureFrames(bytes)[2]).toMatchObject({ args: { what: 'fragment' } });
  });

  it('inside fragments are invalid', () => {
    const whole = extension(44, 8, fragment6(17, 0, true, 1, datagram));
    const lines = read(part6(0, 24, whole, 60), part6(24, whole.length, whole, 60));
    expect(lines).toEqual(['other', 'other', expect.stringMatching('bad_ip')]);
    expect(read(part6(0, 24, whole, 44), part6(24, whole.length, whole, 44))).toEqual(['other', 'other']);
  });

  it('of the longest packet are reassembled', () => {
    const long = udp(new Array(65535 - 8).fill(3), 1, 2, 65535);
    const packets = Array.from({ length: 24 }, (_, i) => part4(2736 * i, Math.min(2736 * (i + 1), 65535), long));
    const lines = withoutOther(read(...packets.toReversed()));
    expect(lines.map((line) => line.length)).toEqual([2 * 65527 + '127.0.0.1 1 > 127.0.0.1 2: '.length - 1]);
  });

  it('that were cut are not reassembled', () => {
    const cut = pcapRecord(part4(0, 24).slice(0, -1), { original: 44 });
    expect(captureLines(file(pcapHeader({ linkType: 101 }), cut, pcapRecord(part4(24, 58))))).toEqual([
      ...['other', 'error: cut_packet 24', 'other', 'warning: missing_fragments 83'],
    ]);
  });
});
