/** Bytes in the order of the file or the packet. */
export type Bytes = readonly number[];

export const be16 = (value: number): Bytes => [(value >>> 8) & 0xff, value & 0xff];
export const be32 = (value: number): Bytes => [...be16(value >>> 16), ...be16(value)];
const ordered = (bytes: Bytes, little: boolean): Bytes => (little ? bytes.toReversed() : bytes);
export const u16 = (value: number, little: boolean): Bytes => ordered(be16(value), little);
export const u32 = (value: number, little: boolean): Bytes => ordered(be32(value), little);
export const zeros = (count: number): Bytes => new Array<number>(count).fill(0);
export const text = (words: string): Bytes => [...new TextEncoder().encode(words)];

/** Concatenates parts. */
export function file(...parts: Bytes[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
