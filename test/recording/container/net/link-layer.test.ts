import { describe, expect, it } from 'vitest';
import { findDatagram } from '../../../../src/recording/container/net/link-layer.ts';
import { type Bytes, be32, file, u32 } from '../../../support/bytes.ts';
import {
  cooked,
  cooked2,
  description,
  enhanced,
  ethernet,
  ipv4,
  ipv6,
  pcap,
  section,
  udp,
  v4,
  v6,
} from '../../../support/capture-builder.ts';
import { captureLines, diagnosticsOf } from '../../../support/capture-frames.ts';

const four = ipv4(udp([4]));
const six = ipv6(udp([6]));
const fourLine = '127.0.0.1 8303 > 127.0.0.1 50000: 4';
const sixLine = '::1 8303 > ::1 50000: 6';

const read = (linkType: number, ...packets: Bytes[]) => captureLines(pcap(packets, { linkType }));

describe('links', () => {
  it('of Ethernet', () => {
    expect(read(1, ethernet(v4, four), ethernet(v6, six), ethernet(0x0806, four))).toEqual([
      fourLine,
      sixLine,
      'other',
    ]);
  });

  it('of Ethernet, in a session of PPP', () => {
    const ppp = (protocol: Bytes, packet: Bytes) => [0x11, 0, 0, 7, 0, packet.length + 2, ...protocol, ...packet];
    const packets = [ppp([0, 0x21], four), ppp([0, 0x57], six), ppp([0xc0, 0x21], four)];
    expect(read(1, ...packets.map((packet) => ethernet(0x8864, packet)))).toEqual([fourLine, sixLine, 'other']);
    expect(read(1, ethernet(0x8864, ppp([0, 0x21], four), 0x8100))).toEqual([fourLine]);
  });

  it('of Ethernet, with labels of MPLS', () => {
    const [label, last] = [
      [0, 1, 0x20, 64],
      [0, 1, 0x21, 64],
    ];
    const packets = [
      [...last, ...four],
      [...label, ...last, ...six],
      [...label, ...label],
      [...last, 0, 0],
    ];
    expect(read(1, ...packets.map((packet) => ethernet(0x8847, packet)))).toEqual([
      ...[fourLine, sixLine, 'other', 'other', expect.stringContaining('warning: unread_packets')],
    ]);
  });

  it('of Ethernet, with LLC and SNAP', () => {
    const snap = (type: Bytes, packet: Bytes) => [0xaa, 0xaa, 3, 0, 0, 0, ...type, ...packet];
    const packets = [snap([8, 0], four), snap([0x86, 0xdd], six), [0x42, 0x42, 3, ...four]];
    expect(read(1, ...packets.map((packet) => ethernet(packet.length, packet)))).toEqual([fourLine, sixLine, 'other']);
  });

  it('of Ethernet, with tags of VLANs', () => {
    const packets = [[0x8100], [0x88a8, 0x8100], [0x9100, 0x8100], [0x8100, 0x8100, 0x8100]].map((tags) =>
      ethernet(v4, four, ...tags),
    );
    expect(read(1, ...packets)).toEqual(new Array(4).fill(fourLine));
    expect(read(1, ethernet(v6, six, 0x8100), ethernet(0x0806, four, 0x8100))).toEqual([sixLine, 'other']);
  });

  it('of Linux, cooked', () => {
    expect(read(113, cooked(v4, four), cooked(v6, six), cooked(1, four))).toEqual([fourLine, sixLine, 'other']);
    expect(read(276, cooked2(v4, four), cooked2(v6, six), cooked2(1, four))).toEqual([fourLine, sixLine, 'other']);
    expect(read(113, cooked(0x8100, [0, 5, 8, 0, ...four]))).toEqual([fourLine]);
  });

  it.each([true, false])('of BSD, with the family of the address, little-endian: %s', (little) => {
    const packets = [10, 23, 24, 28, 30].map((family) => [...u32(family, little), ...six]);
    expect(read(0, [...u32(2, little), ...four], ...packets)).toEqual([fourLine, ...packets.map(() => sixLine)]);
    expect(read(0, [...u32(7, little), ...four])).toEqual(['other']);
  });

  it('of OpenBSD', () => {
    expect(read(108, [...be32(2), ...four], [...be32(24), ...six])).toEqual([fourLine, sixLine]);
  });

  it.each([101, 12, 14, 228, 229])('of type %i: IP without a link header', (type) => {
    expect(read(type, four, six)).toEqual([fourLine, sixLine]);
  });

  it('with layers that are not read are counted by layer: an error where more are not read than are', () => {
    const macSec = ethernet(0x88e5, four);
    const gre = ethernet(v4, ipv4([0, 0, 8, 0, ...four], { protocol: 47 }));
    // RFC 4302: protocol, length in words without two, reserved, SPI, sequence, check value.
    const authenticated = ethernet(v4, ipv4([17, 4, ...new Array(22).fill(0), ...four.slice(20)], { protocol: 51 }));
    const arp = ethernet(0x0806, new Array(28).fill(0));
    const found = (...packets: Bytes[]) =>
      diagnosticsOf(pcap(packets)).map(
        (entry) => 'severity' in entry && { severity: entry.severity, args: entry.args },
      );
    expect(found(arp, arp)).toEqual([]);
    expect(found(ethernet(v4, four), macSec, ethernet(v4, four), arp)).toEqual([
      { severity: 'warning', args: { what: 'EtherType 0x88e5', count: 1 } },
    ]);
    expect(found(authenticated)).toEqual([{ severity: 'error', args: { what: 'IP protocol 51', count: 1 } }]);
    expect(found(macSec, gre, macSec, gre, gre, ethernet(v4, four))).toEqual([
      { severity: 'error', args: { what: 'EtherType 0x88e5', count: 2 } },
      { severity: 'error', args: { what: 'IP protocol 47', count: 3 } },
    ]);
  });

  it('that are not known are reported once per interface', () => {
    expect(read(147, four, six)).toEqual([
      ...['other', 'error: unknown_link_type 24', 'other', 'error: unread_packets 24'],
    ]);
    const bytes = file(
      section(),
      description(147),
      description(148),
      description(101),
      ...[0, 1, 2, 0, 1].map((number) => enhanced(four, { interface: number })),
    );
    expect(captureLines(bytes).map((line) => line.split(' ')[1] ?? line)).toEqual([
      ...['other', 'unknown_link_type', 'other', 'unknown_link_type', '8303', 'other', 'other'],
      ...['unread_packets', 'unread_packets'],
    ]);
    expect(diagnosticsOf(bytes)).toMatchObject([
      { args: { found: 147, interface: 0 } },
      { args: { found: 148, interface: 1 } },
      { code: 'unread_packets', severity: 'error', args: { what: 'link type 147', count: 2 } },
      { code: 'unread_packets', severity: 'error', args: { what: 'link type 148', count: 2 } },
    ]);
  });

  it('that end early', () => {
    for (const [type, packet] of [
      [1, ethernet(v4, four, 0x8100)],
      [113, cooked(v4, four)],
      [276, cooked2(v4, four)],
      [0, [2, 0, 0, 0, ...four]],
    ] as const) {
      for (let size = 1; size < packet.length - four.length; size++) {
        expect(read(type, packet.slice(0, size))).toEqual(['other']);
      }
    }
    expect(read(101, [])).toEqual(['error: records_lost 24']);
  });
});

it('a frame that is cut has a datagram that lacks bytes', () => {
  const whole = Uint8Array.from(ethernet(v4, ipv4(udp(new Array(60).fill(7)))));
  const cut = whole.subarray(0, -4);
  // Ethernet 14, IPv4 20, UDP 8.
  expect(findDatagram(cut)).toEqual({
    source: '127.0.0.1:8303',
    destination: '127.0.0.1:50000',
    start: 42,
    end: cut.length,
    missing: 4,
  });
});
