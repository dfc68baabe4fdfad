import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressTexts, addressText } from '../../../../src/recording/container/net/ip.ts';
import { be16 } from '../../../support/bytes.ts';

const groups = (text: string) => Uint8Array.from(text.split(' ').flatMap((group) => be16(Number.parseInt(group, 16))));

describe('the text of an address', () => {
  it.each([
    ['0 0 0 0 0 0 0 0', '::'],
    ['0 0 0 0 0 0 0 1', '::1'],
    ['fe80 0 0 0 0 0 0 0', 'fe80::'],
    ['2001 db8 0 0 0 0 2 1', '2001:db8::2:1'],
    ['2001 db8 0 1 1 1 1 1', '2001:db8:0:1:1:1:1:1'],
    ['2001 0 0 1 0 0 0 1', '2001:0:0:1::1'],
    ['2001 db8 0 0 1 0 0 1', '2001:db8::1:0:0:1'],
    ['2001 DB8 A0 B C D E F', '2001:db8:a0:b:c:d:e:f'],
    ['1 2 3 4 5 6 0 0', '1:2:3:4:5:6::'],
    ['0 0 3 4 5 6 7 8', '::3:4:5:6:7:8'],
    ['0 2 3 4 5 6 7 0', '0:2:3:4:5:6:7:0'],
    ['0 0 0 0 0 ffff c000 201', '::ffff:192.0.2.1'],
    ['0 0 0 0 0 fffe c000 201', '::fffe:c000:201'],
  ])('%s is %s', (from, text) => {
    expect(addressText(groups(from), 0, 16)).toBe(text);
  });

  it('of four bytes', () => {
    expect(addressText(Uint8Array.of(9, 192, 168, 0, 255), 1, 4)).toBe('192.168.0.255');
  });

  it('is the form that URLs have', () => {
    const group = fc.oneof(fc.constant(0), fc.constant(0), fc.nat(0xffff));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (parts) => {
        const text = addressText(Uint8Array.from(parts.flatMap(be16)), 0, 16);
        if (!text.includes('.')) expect(new URL(`http://[${text}]`).hostname).toBe(`[${text}]`);
      }),
    );
  });

  it('is cached for the same address, but not for others', () => {
    const texts = new AddressTexts();
    const address = (i: number) => Uint8Array.of(i >> 8, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i & 1, 0, i >> 8, i);
    for (const i of [...Array(5000).keys(), ...Array(5000).keys()]) {
      expect(texts.of(address(i), 0, 16)).toBe(addressText(address(i), 0, 16));
      expect(texts.of(address(i), 12, 4)).toBe(addressText(address(i), 12, 4));
    }
  });
});
