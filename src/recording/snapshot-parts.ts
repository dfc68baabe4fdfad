import { join } from '../bytes/join.ts';
import type { ReceivedSnapshot } from './received-snapshot.ts';

/** The parts of one snapshot as they arrive. The object is reused. */
export class SnapshotParts {
  /** The snapshot as announced by the first part that arrived. */
  received!: ReceivedSnapshot;
  missing = 0;
  /** The error of a damaged part. */
  cause: ReceivedSnapshot['cause'];
  /** The parts in the order of their arrival, and the position of each. */
  #bytes = new Uint8Array(0);
  #length = 0;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  begin(received: ReceivedSnapshot): this {
    this.received = received;
    this.missing = received.parts;
    this.cause = undefined;
    this.#length = 0;
    this.#starts.length = 0;
    this.#ends.length = 0;
    return this;
  }

  get length(): number {
    return this.#length;
  }

  add(part: number, bytes: Uint8Array): void {
    if (part >= this.received.parts || this.#starts[part] !== undefined) return;
    const end = this.#length + bytes.length;
    if (this.#bytes.length < end) this.#grow(Math.max(end, 2 * this.#bytes.length));
    this.#bytes.set(bytes, this.#length);
    this.#starts[part] = this.#length;
    this.#ends[part] = end;
    this.#length = end;
    this.missing--;
  }

  /** All parts in their order; valid until the object is reused. */
  joined(): Uint8Array {
    const inOrder = this.#starts.every((start, i) => i === 0 || start === this.#ends[i - 1]);
    if (inOrder) return this.#bytes.subarray(0, this.#length);
    return join(this.#starts.map((start, i) => this.#bytes.subarray(start, this.#ends[i])));
  }

  /** The end of each part in the joined bytes. */
  partEnds(): number[] {
    let end = 0;
    return this.#starts.map((start, i) => {
      end += this.#ends[i]! - start;
      return end;
    });
  }

  #grow(capacity: number): void {
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
