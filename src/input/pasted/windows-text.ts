import { isTextAscii } from './text-encoding.ts';

/** What Windows-1252 has in place of quotes, dashes, dots and a blank: `…`, `‘’“”`, `–—`, a no-break space. */
const windowsSigns: ReadonlyMap<number, string> = new Map([
  [0x85, '…'],
  [0x91, "'"],
  [0x92, "'"],
  [0x93, '"'],
  [0x94, '"'],
  [0x96, '-'],
  [0x97, '-'],
  [0xa0, ' '],
]);

/**
 * Text of Windows-1252, from an editor that made quotes round: ASCII, and no other bytes than its signs, of which there
 * are few. Undefined for other bytes, and for a text that is short enough to be a payload by chance.
 */
export function windowsTextOf(bytes: Uint8Array): string | undefined {
  let signs = 0;
  for (const byte of bytes) {
    if (byte < 0x80 ? !isTextAscii(byte) : !windowsSigns.has(byte)) return undefined;
    if (byte >= 0x80) signs++;
  }
  if (signs === 0 || bytes.length < 16 || signs * 8 > bytes.length) return undefined;
  return Array.from(bytes, (byte) => windowsSigns.get(byte) ?? String.fromCharCode(byte)).join('');
}
