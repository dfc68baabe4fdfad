import { describe, expect, it } from 'vitest';
import { restOf } from '../../../src/input/source/without-beginning.ts';
import { names, read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

describe('the rest of a recording', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('%s from its middle on is a demo', (name) => {
    const bytes = read(name);
    expect(restOf(bytes.subarray(bytes.length >> 2))).toContain('a demo without its beginning');
  });

  it.each(['duplicate-key.pcap', 'ddnet-ipv6.pcap'])('%s from its middle on is a capture', (name) => {
    const bytes = read(name);
    expect(restOf(bytes.subarray(bytes.length >> 2))).toContain('a capture without its beginning');
  });
});

it('no payload and no random bytes are the rest of a recording', () => {
  const payloads = names.filter((name) => /\.(?:huff|packed|ints|packet)$/.test(name)).map(read);
  expect(payloads.length).toBeGreaterThan(10);
  expect(payloads.filter((bytes) => restOf(bytes) !== undefined)).toEqual([]);
  for (let seed = 1; seed <= 20; seed++) {
    expect(restOf(Uint8Array.from({ length: 20_000 }, seeded(seed)))).toBeUndefined();
  }
});
