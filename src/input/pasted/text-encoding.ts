/** The text in bytes: UTF-8, or UTF-16 as written by PowerShell; undefined if they are not text. */
export function textOf(bytes: Uint8Array): string | undefined {
  const utf16 = bytes.length % 2 === 0 && utf16Of(bytes);
  if (utf16) {
    const text = new TextDecoder(utf16).decode(bytes);
    if (looksLikeText(new TextEncoder().encode(text.slice(0, textWindow)))) return text;
  }
  return looksLikeText(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

/** By the byte order mark, as PowerShell's `>` writes it. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The bytes by which an input is judged to be text. */
export const textWindow = 4096;

/** Whether bytes can be text, judged by their beginning: ASCII with line ends, tabs and terminal colours, or UTF-8. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, textWindow);
  if (!beginning.every((byte) => byte >= 0x80 || isTextAscii(byte))) return false;
  try {
    // With `stream`, the last character may go on after the window.
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: bytes.length > textWindow });
    return true;
  } catch {
    return false;
  }
}

export function isTextAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b;
}
