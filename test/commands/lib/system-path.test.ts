import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemPath, textOfBytes } from '../../../commands/lib/system-path.ts';
import { escapeText, unescapeText } from '../../../src/view/text/escape.ts';

describe('the name of a file in a string', () => {
  it.each([
    ['café', Buffer.from('café')],
    ['caf\udce9', Buffer.from('caf\xe9', 'latin1')],
    ['\udcc3(', Buffer.of(0xc3, 0x28)],
    // U+D800 as UTF-8 is not UTF-8.
    ['\udced\udca0\udc80', Buffer.of(0xed, 0xa0, 0x80)],
    ['🐻', Buffer.from('🐻')],
  ])('%j stands for its bytes', (text, bytes) => {
    expect(textOfBytes(bytes)).toBe(text);
    expect(Buffer.from(systemPath(text))).toEqual(bytes);
  });

  it('has every byte, whatever the bytes are', () => {
    const check = (bytes: Uint8Array) => {
      expect(Buffer.from(systemPath(textOfBytes(bytes))).equals(bytes)).toBe(true);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), check));
  });

  it('is the same after it was escaped and read again', () => {
    const isSame = (text: string) => unescapeText(escapeText(text)) === text;
    const check = (bytes: Uint8Array) => isSame(textOfBytes(bytes));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), check));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), isSame));
  });
});
