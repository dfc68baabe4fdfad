import { describe, expect, it } from 'vitest';
import { maxLinkBytes, readPayloadLink, writePayloadLink } from '../../src/page/link.ts';

describe('links that contain a payload', () => {
  it('are read, written and read back', () => {
    const link = { bytes: Uint8Array.of(0, 3, 0, 0xff), version: '0.7' } as const;
    expect(writePayloadLink(link)).toBe('#hex=000300ff&p=0.7');
    expect(readPayloadLink('#hex=000300FF&p=0.7')).toEqual(link);
    expect(readPayloadLink('#hex=00 03&p=9')).toEqual({ bytes: Uint8Array.of(0, 3), version: undefined });
  });

  it.each(['', '#', '#hex=', '#hex=0', '#hex=0g', '#tick=5', '#hex=<b>'])('%s has no link', (hash) => {
    expect(readPayloadLink(hash)).toBeUndefined();
  });

  it('a long payload has no link', () => {
    expect(writePayloadLink({ bytes: new Uint8Array(maxLinkBytes + 1), version: '0.6' })).toBeUndefined();
  });
});
