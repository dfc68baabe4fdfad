import type { IpPacket } from './ip.ts';

/** What an IP packet carried, as far as its fragments came. Filled in eights. */
export class Reassembly {
  bytes = new Uint8Array(2048);
  /** Absolute offset of the record that brought the first fragment, and its time. */
  readonly offset: number;
  readonly seconds: number;
  /** Of its first fragment in place, -1 before that came; the others may say something else. */
  protocol = -1;
  /** Its length, -1 before the last fragment came. */
  length = -1;
  received = 0;
  #filled = new Uint8Array(2048 / 8);
  #farthest = 0;

  constructor(offset: number, seconds: number) {
    this.offset = offset;
    this.seconds = seconds;
  }

  get isWhole(): boolean {
    return this.received === this.length;
  }

  /** Takes a fragment; false when it contradicts the ones before. What came first counts. */
  add(bytes: Uint8Array, ip: IpPacket): boolean {
    const size = ip.end - ip.start;
    const from = ip.fragmentOffset;
    const to = from + size;
    if (size === 0 || to > maxLength || (!ip.isLastFragment && size % 8 !== 0)) return false;
    if (this.length >= 0 && (to > this.length || (ip.isLastFragment && to !== this.length))) return false;
    if (ip.isLastFragment && to < this.#farthest) return false;
    this.#reserve(to);
    for (let at = from; at < to; at += 8) {
      if (this.#filled[at / 8]) continue;
      this.#filled[at / 8] = 1;
      const until = Math.min(at + 8, to);
      this.bytes.set(bytes.subarray(ip.start + at - from, ip.start + until - from), at);
      this.received += until - at;
    }
    this.#farthest = Math.max(this.#farthest, to);
    if (from === 0) this.protocol = ip.protocol;
    if (ip.isLastFragment) this.length = to;
    return true;
  }

  #reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const [bytes, filled] = [this.bytes, this.#filled];
    const capacity = 2 ** Math.ceil(Math.log2(length));
    this.bytes = new Uint8Array(capacity);
    this.bytes.set(bytes);
    this.#filled = new Uint8Array(capacity / 8);
    this.#filled.set(filled);
  }
}

/** Bytes that an IP packet carries at most; packets that are put together at once; seconds to wait for the rest of one. */
const maxLength = 0xffff;
const maxPending = 64;
const patience = 30;

/** Puts the fragments of IP packets together. They may come in any order, more than once, and not all. */
export class Fragments {
  /** By what tells packets apart, the oldest first. */
  readonly #all = new Map<string, Reassembly>();

  /**
   * Takes a fragment. Gives the packet that is whole now, or says that it waits for more, or that the fragment contradicts others.
   */
  add(key: string, bytes: Uint8Array, ip: IpPacket, offset: number, seconds: number): Reassembly | 'waiting' | 'bad' {
    const known = this.#all.get(key);
    const reassembly = known ?? new Reassembly(offset, seconds);
    if (!known) this.#all.set(key, reassembly);
    const wasWhole = reassembly.isWhole;
    if (!reassembly.add(bytes, ip)) return 'bad';
    return reassembly.isWhole && !wasWhole ? reassembly : 'waiting';
  }

  /**
   * Drops the oldest when there are more than to be kept, or when it is too old, and gives it. Whole ones stay as long, for their
   * fragments may come again, but are not given.
   */
  drop(now: number, kept = maxPending): Reassembly | undefined {
    for (const [key, reassembly] of this.#all) {
      if (this.#all.size <= kept && !(Math.abs(now - reassembly.seconds) > patience)) return undefined;
      this.#all.delete(key);
      if (!reassembly.isWhole) return reassembly;
    }
    return undefined;
  }
}
