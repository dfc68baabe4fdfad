/** Bytes that are encoded at once: a multiple of three, so that no padding occurs between blocks. */
const atOnce = 3 << 13;

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += atOnce) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + atOnce))));
  }
  return parts.join('');
}

/** Decodes base64. */
export function ofBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
