/** A growing buffer of bytes. */
export class ByteSink {
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  push(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1);
    this.#bytes[this.length++] = byte;
  }

  /** Appends a little-endian word of `size` bytes. */
  pushLittleEndian(word: bigint, size: number): void {
    for (let i = 0; i < size; i++) this.push(Number((word >> BigInt(8 * i)) & 0xffn));
  }

  /** Appends the last `count` bytes again, `times` times. */
  repeat(count: number, times: number): void {
    const end = this.length + count * times;
    if (end > this.#bytes.length) this.#grow(end);
    for (let at = this.length; at < end; at += count) this.#bytes.copyWithin(at, this.length - count, this.length);
    this.length = end;
  }

  /** Removes the last `count` bytes. */
  drop(count: number): void {
    this.length -= count;
  }

  result(start = 0, end = this.length): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(start, end);
  }

  #grow(least: number): void {
    const bytes = new Uint8Array(Math.max(least, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
