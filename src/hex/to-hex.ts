const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * `00 03 00 06`
 *
 * @example
 * ```ts
 * import { toHex } from 'tw-snap/codec';
 *
 * console.log(toHex(Uint8Array.of(0, 3, 0, 6))); // 00 03 00 06
 * ```
 */
export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const parts: string[] = [];
  for (let at = start; at < end; at++) parts.push(pairs[bytes[at]!]!);
  return parts.join(' ');
}

/** `00030006` */
export function hexText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return toHex(bytes, start, Math.min(end, bytes.length)).replaceAll(' ', '');
}
