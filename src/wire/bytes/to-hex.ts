import { expects } from './expects.ts';

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `00 03 00 06`; the ends are those of `slice`. */
export function toHex(bytes: Uint8Array, start?: number, end?: number): string {
  if (!(bytes instanceof Uint8Array)) expects('toHex', 'a Uint8Array', bytes);
  return Array.from(bytes.subarray(start, end), (byte) => pairs[byte]).join(' ');
}

/** `00030006` */
export function hexText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const last = Math.min(end, bytes.length);
  const text = new Uint8Array(2 * Math.max(0, last - start));
  for (let at = start, to = 0; at < last; at++) {
    const byte = bytes[at]!;
    text[to++] = digits[byte >> 4]!;
    text[to++] = digits[byte & 15]!;
  }
  return ascii.decode(text);
}

const digits = new TextEncoder().encode('0123456789abcdef');
const ascii = new TextDecoder();

/** Marks folded rows of our own dump, which equal the row above: `… 176 bytes like the row above`. */
export const foldedRows = 'like the row above';
