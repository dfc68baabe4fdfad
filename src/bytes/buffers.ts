/** Arrays that still have to be made: an empty one takes V8 as long to make as a small one. */
export const noBytes = new Uint8Array(0);
export const noInts = new Int32Array(0);

/**
 * A reusable byte array: `length` bytes of `bytes` are filled.
 *
 * @example
 * ```ts
 * import { ByteBuffer, packInts } from 'tw-snap/codec';
 *
 * const packed = new ByteBuffer();
 * packInts(Int32Array.of(1, -1, 64), 0, 3, packed);
 * console.log(packed.bytes.subarray(0, packed.length)); // 01 40 80 01
 * ```
 */
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
 * A reusable int array: `length` ints of `ints` are filled. With positions, int `i` was read from the bytes `offsets[i]` up to
 * `offsets[i + 1]`.
 *
 * @example
 * ```ts
 * import { IntBuffer, unpackInts } from 'tw-snap/codec';
 *
 * const ints = new IntBuffer({ positions: true });
 * unpackInts(Uint8Array.of(0x01, 0x80, 0x01), 0, 3, ints, () => {});
 * console.log(ints.ints.subarray(0, ints.length)); // 1, 64
 * console.log(ints.offsets?.subarray(0, ints.length + 1)); // 0, 1, 3
 * ```
 */
export class IntBuffer {
  ints: Int32Array<ArrayBuffer>;
  offsets: Uint32Array<ArrayBuffer> | undefined;
  length = 0;

  constructor(options: { positions?: boolean; capacity?: number } = {}) {
    this.ints = options.capacity ? new Int32Array(options.capacity) : noInts;
    this.offsets = options.positions ? new Uint32Array(this.ints.length + 1) : undefined;
  }

  /** Makes room for `capacity` ints; the content may be lost. */
  reserve(capacity: number): void {
    if (this.ints.length >= capacity) return;
    this.ints = new Int32Array(capacity);
    if (this.offsets) this.offsets = new Uint32Array(capacity + 1);
  }
}
