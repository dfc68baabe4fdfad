/** The text in bytes: UTF-8, or UTF-16 as written by PowerShell; undefined if they are not text. */
export function textOf(bytes: Uint8Array): string | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16) {
    const text = new TextDecoder(utf16).decode(bytes);
    if (looksLikeText(new TextEncoder().encode(text.slice(0, textWindow)))) return text;
  }
  return looksLikeText(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

/** Fewer characters without a byte order mark may be a packet. */
const shortestUnmarked = 8;

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length < 2 * shortestUnmarked) return undefined;
  const window = bytes.subarray(0, textWindow);
  if (window.every((byte, i) => (i % 2 === 0 ? isTextAscii(byte) : byte === 0))) return 'utf-16le';
  return window.every((byte, i) => (i % 2 === 1 ? isTextAscii(byte) : byte === 0)) ? 'utf-16be' : undefined;
}

const textWindow = 4096;

/** Whether bytes can be text, judged by their beginning: ASCII with line ends, tabs and terminal colours, or UTF-8. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, textWindow);
  for (let at = 0; at < end; ) {
    const length = characterLength(bytes, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** The size of the UTF-8 character at `at` in bytes; 0 if it is invalid or does not occur in text. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return isTextAscii(first) ? 1 : 0;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1]!;
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isNoCharacter = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return isOverlong || isNoCharacter ? 0 : length;
}

function isTextAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b;
}
