/** Readers of ints with a fixed width, at any offset. The caller has checked the length. */
export function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function u16(bytes: Uint8Array, at: number, little: boolean): number {
  return little ? bytes[at]! | (bytes[at + 1]! << 8) : u16be(bytes, at);
}

export function u32(bytes: Uint8Array, at: number, little: boolean): number {
  return i32(bytes, at, little) >>> 0;
}

// A function of its own: V8 returns small signed ints without an allocation, but not large unsigned ones.
export function i32(bytes: Uint8Array, at: number, little: boolean): number {
  return little
    ? bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    : (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
