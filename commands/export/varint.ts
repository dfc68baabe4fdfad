/** Parquet's unsigned varint: seven bits a byte, lowest first. */
export function writeVarint(into: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >>> 0 > 0x7f) {
    into[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[at++] = rest;
  return at;
}

/** A signed int as a varint: 0, -1, 1, -2, … become 0, 1, 2, 3, … */
export const writeZigzag = (into: Uint8Array, at: number, value: number): number =>
  writeVarint(into, at, (value << 1) ^ (value >> 31));
