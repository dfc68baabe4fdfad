import { describe, expect, it } from 'vitest';
import { udpFrame } from '../../../../src/recording/container/net/udp-frame.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const payload = Uint8Array.of(1, 2, 3);

/** The sum of 16-bit words with its carries, which is all ones where a checksum is right (RFC 1071). */
function onesSum(...parts: Uint8Array[]): number {
  let sum = 0;
  for (const part of parts) for (const [i, byte] of part.entries()) sum += i % 2 === 0 ? byte << 8 : byte;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

describe('a datagram in an IP packet', () => {
  it('of IPv4', () => {
    const from = { address: '192.0.2.1', port: 50_000 };
    const frame = udpFrame(from, { address: '198.51.100.7', port: 8303 }, payload);
    // RFC 791: version and header length, total length 31, no fragment, 64 hops, UDP.
    expect(hex(frame.subarray(0, 10))).toBe('4500001f000000004011');
    expect(hex(frame.subarray(12, 26))).toBe(`c0000201c6336407${'c350206f000b'}`);
    expect(frame.subarray(28)).toEqual(payload);
    expect(onesSum(frame.subarray(0, 20))).toBe(0xffff);
    expect(onesSum(frame.subarray(12, 20), Uint8Array.of(0, 17, 0, 11), frame.subarray(20))).toBe(0xffff);
  });

  it.each([
    ['2001:db8::7', '20010db8000000000000000000000007'],
    ['::1', '00000000000000000000000000000001'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['192.0.2.1', '00000000000000000000ffffc0000201'],
  ])('of IPv6, from %s', (address, expected) => {
    const frame = udpFrame({ address, port: 1 }, { address: '2001:db8::1', port: 2 }, payload);
    // RFC 8200: version 6, 11 bytes of UDP, 64 hops.
    expect(hex(frame.subarray(0, 8))).toBe('60000000000b1140');
    expect(hex(frame.subarray(8, 24))).toBe(expected);
    expect(hex(frame.subarray(24, 40))).toBe('20010db8000000000000000000000001');
    expect(onesSum(frame.subarray(8, 40), Uint8Array.of(0, 17, 0, 11), frame.subarray(40))).toBe(0xffff);
  });

  it('a sum of 0 is written as all ones, since 0 says that there is none', () => {
    const [from, to] = [
      { address: '0.0.0.0', port: 0 },
      { address: '0.0.0.0', port: 0 },
    ];
    // Pseudo header and header: 17 + 2 × 10 = 37, so the payload makes up what is missing to 0xffff.
    const frame = udpFrame(from, to, Uint8Array.of((0xffff - 37) >> 8, (0xffff - 37) & 0xff));
    expect(hex(frame.subarray(26, 28))).toBe('ffff');
  });

  it('of no address is refused', () => {
    expect(() => udpFrame({ address: 'host', port: 1 }, { address: '1.2.3.4', port: 2 }, payload)).toThrow(RangeError);
  });
});
