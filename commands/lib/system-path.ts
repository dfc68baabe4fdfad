/**
 * Names of files are bytes on some systems, and need not be UTF-8. In a string, each byte that is not part of UTF-8 is the lone
 * surrogate U+DC00 plus the byte, as in Python, so that every name has one string.
 */

/** Lone surrogates that stand for a byte: with the flag `u`, pairs are other characters. */
const byteUnits = /[\udc80-\udcff]/gu;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `caf\udce9` for the bytes of `café` in Latin-1. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return textOfInvalid(bytes);
  }
}

function textOfInvalid(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOfCharacter(bytes, at);
    parts.push(end > at ? strict.decode(bytes.subarray(at, end)) : String.fromCharCode(0xdc00 + bytes[at]!));
    at = Math.max(end, at + 1);
  }
  return parts.join('');
}

/** The end of the UTF-8 character at a byte; `at` if there is none. */
function endOfCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const end = at + (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);
  try {
    strict.decode(bytes.subarray(at, end));
    return end;
  } catch {
    return at;
  }
}

/** The name as Node's functions need it: as bytes if it is not UTF-8. */
export function systemPath(path: string): string | Buffer {
  if (path.search(byteUnits) < 0) return path;
  const parts = path.split(/([\udc80-\udcff])/u).map((part, i) => {
    return i % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - 0xdc00);
  });
  return Buffer.concat(parts);
}
