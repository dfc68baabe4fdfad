/** Arrays that still have to be made: an empty one takes V8 as long to make as a small one. */
export const noBytes = new Uint8Array(0);
export const noInts = new Int32Array(0);

/** A reusable byte array: `length` bytes of `bytes` are filled. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 0) {
    this.bytes = capacity > 0 ? new Uint8Array(capacity) : noBytes;
  }

  /** Makes room for `capacity` bytes; the content may be lost. */
  reserve(capacity: number): void {
    if (this.bytes.length < capacity) this.bytes = new Uint8Array(capacity);
  }
}

/**
 * A reusable int array, of which `length` ints are filled. With positions, int `i` was
 * `bytes[offsets[i], offsets[i + 1])`.
 */
export class IntBuffer {
  ints: Int32Array<ArrayBuffer> = noInts;
  offsets: Uint32Array<ArrayBuffer> | undefined;
  length = 0;

  constructor(options: { positions?: boolean } = {}) {
    this.offsets = options.positions ? new Uint32Array(1) : undefined;
  }

  /** Makes room for `capacity` ints; the content may be lost. */
  reserve(capacity: number): void {
    if (this.ints.length >= capacity) return;
    this.ints = new Int32Array(capacity);
    if (this.offsets) this.offsets = new Uint32Array(capacity + 1);
  }
}

const encoder = new TextEncoder();

/** A growing byte array that is returned and emptied at once. */
export class AppendBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1 << 12) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  i32be(value: number): void {
    for (let shift = 24; shift >= 0; shift -= 8) this.byte(value >>> shift);
  }

  /** Appends a copy of `bytes[start, end)`. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = end - start;
    this.#reserve(length);
    // A call of `set` takes longer than to copy a few bytes.
    if (length > 64)
      this.#bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#length);
    else for (let i = 0; i < length; i++) this.#bytes[this.#length + i] = bytes[start + i]!;
    this.#length += length;
  }

  decimal(int: number): void {
    this.#reserve(maxDecimal);
    this.#length = writeDecimal(this.#bytes, this.#length, int);
  }

  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** The bytes since the buffer was emptied. They are valid until more are appended. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy of the bytes since the last call; the buffer is then empty. */
  flush(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

export function writeBytes(into: Uint8Array, start: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) into[start + i] = bytes[i]!;
  return start + bytes.length;
}

export const maxDecimal = 11;

/** Writes a 32-bit int as decimal digits from `start` on and returns the end. */
export function writeDecimal(into: Uint8Array, start: number, int: number): number {
  let at = start;
  let rest = int;
  if (int < 0) {
    into[at++] = 0x2d;
    rest = -int;
  }
  let end = at + 1;
  for (let limit = 10; rest >= limit; limit *= 10) end++;
  for (at = end; rest >= 10; ) {
    const tenth = (rest / 10) >>> 0;
    into[--at] = 0x30 + rest - 10 * tenth;
    rest = tenth;
  }
  into[--at] = 0x30 + rest;
  return end;
}
