import { describe, expect, it } from 'vitest';
import type { Bytes } from '../../../support/bytes.ts';
import { extension, fragment6, ipv4, ipv6, pcap, udp } from '../../../support/capture-builder.ts';
import { captureLines, diagnosticsOf } from '../../../support/capture-frames.ts';

const read = (...packets: Bytes[]) => captureLines(pcap(packets, { linkType: 101 }));
const args = (packet: Bytes) => {
  const [diagnostic] = diagnosticsOf(pcap([packet], { linkType: 101 }));
  return diagnostic && 'args' in diagnostic ? diagnostic.args : undefined;
};
const line4 = '127.0.0.1 8303 > 127.0.0.1 50000: 1 2 3';
const line6 = '::1 8303 > ::1 50000: 1 2 3';
const datagram = udp([1, 2, 3]);

describe('IPv4', () => {
  it('has addresses', () => {
    const packet = ipv4(udp([9], 1, 65535), { source: [10, 0, 0, 1], destination: [255, 254, 253, 252] });
    expect(read(packet)).toEqual(['10.0.0.1 1 > 255.254.253.252 65535: 9']);
  });

  it('has options', () => {
    expect(read(ipv4(datagram, { options: [1, 1, 1, 0] }), ipv4(datagram, { options: new Array(40).fill(1) }))).toEqual(
      [line4, line4],
    );
  });

  it('is padded after its length', () => {
    expect(read([...ipv4(datagram), ...new Array(15).fill(0xee)])).toEqual([line4]);
  });

  it('may have length 0, which the network card was to set', () => {
    expect(read(ipv4(datagram, { length: 0 }))).toEqual([line4]);
  });

  it('may contain other protocols than UDP', () => {
    expect(read(ipv4(datagram, { protocol: 6 }), ipv4(datagram, { protocol: 1 }))).toEqual(['other', 'other']);
  });

  it.each([
    ['of another version', [0x50, ...ipv4(datagram).slice(1)], 'version'],
    ['with a short header', [0x44, ...ipv4(datagram).slice(1)], 'header'],
    ['with a header beyond its end', [0x4f, ...ipv4(datagram).slice(1)], 'header'],
    ['that ends in its header', ipv4(datagram).slice(0, 19), 'header'],
    ['shorter than its header', ipv4(datagram, { length: 19 }), 'length'],
  ])('%s is damaged', (_, packet, what) => {
    expect(read(packet)).toEqual(['other', 'error: bad_ip 24']);
    expect(args(packet)).toEqual({ what });
  });

  it('that ends before its stated length is returned with the existing bytes', () => {
    const packet = ipv4(datagram).slice(0, -1);
    expect(read(packet)).toEqual(['127.0.0.1 8303 > 127.0.0.1 50000: 1 2 (1 missing)', 'error: bad_ip 24']);
    expect(args(packet)).toEqual({ what: 'length' });
  });
});

describe('IPv6', () => {
  it('is padded after its length', () => {
    expect(read([...ipv6(datagram), 1, 2, 3, 4])).toEqual([line6]);
  });

  it('may have length 0, which the network card was to set', () => {
    expect(read(ipv6(datagram, { length: 0 }))).toEqual([line6]);
  });

  it('has extensions before the datagram', () => {
    expect(
      read(
        ipv6(extension(17, 8, datagram), { next: 0 }),
        ipv6(extension(43, 16, extension(60, 8, extension(17, 24, datagram))), { next: 0 }),
        ipv6(fragment6(17, 0, false, 7, datagram), { next: 44 }),
        ipv6(extension(44, 8, fragment6(60, 0, false, 7, extension(17, 8, datagram))), { next: 43 }),
        ipv6(extension(6, 8, datagram), { next: 60 }),
        ipv6(datagram, { next: 59 }),
      ),
    ).toEqual([line6, line6, line6, line6, 'other', 'other']);
  });

  it.each([
    ['that ends in its header', ipv6(datagram).slice(0, 39), 'header'],
    ['that ends in an extension', ipv6(extension(17, 16, []).slice(0, 12), { next: 0 }), 'extension'],
    ['that ends before an extension', ipv6([], { next: 60 }), 'extension'],
    ['that ends in the head of a fragment', ipv6(fragment6(17, 0, true, 1, []).slice(0, 7), { next: 44 }), 'extension'],
  ])('%s is damaged', (_, packet, what) => {
    expect(read(packet)).toEqual(['other', 'error: bad_ip 24']);
    expect(args(packet)).toEqual({ what });
  });
});

describe('UDP', () => {
  it('ends at its stated length, before the end of the packet', () => {
    expect(read(ipv4(udp([1, 2, 3, 4, 5], 8303, 50000, 11)))).toEqual([line4]);
  });

  it('can be empty', () => {
    expect(read(ipv4(udp([])))).toEqual(['127.0.0.1 8303 > 127.0.0.1 50000: ']);
  });

  it('without a length is accepted', () => {
    expect(read(ipv4(udp([1, 2, 3], 8303, 50000, 0)))).toEqual([line4, 'warning: bad_udp_length 24']);
    expect(args(ipv4(udp([1, 2, 3], 8303, 50000, 0)))).toEqual({ found: 11, expected: 0 });
  });

  it('with a length below that of its header is accepted, too', () => {
    expect(read(ipv4(udp([1, 2, 3], 8303, 50000, 7)))).toEqual([line4, 'error: bad_udp_length 24']);
  });

  it("with a stated length beyond the packet's end lacks the rest", () => {
    const packet = ipv6(udp([1, 2, 3], 8303, 50000, 100));
    expect(read(packet)).toEqual([`${line6} (89 missing)`, 'error: bad_udp_length 24']);
    expect(args(packet)).toEqual({ found: 11, expected: 100 });
  });

  it('that ends in its header is not a datagram', () => {
    expect(read(ipv4(udp([]).slice(0, 7)))).toEqual(['other', 'error: bad_udp_length 24']);
    expect(args(ipv4([]))).toEqual({ found: 0 });
  });
});
