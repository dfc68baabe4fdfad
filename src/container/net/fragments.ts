import { getOr } from '../../bytes/get-or.ts';
import type { IpPacket } from './ip.ts';

/**
 * The payload of an IP packet, as far as its fragments were captured. All fragments but the last have a multiple of
 * eight bytes.
 */
class Reassembly {
  bytes = new Uint8Array(2048);
  /** The absolute offset of the record with the first captured fragment, and its time. */
  readonly offset: number;
  readonly seconds: number;
  /** The protocol in the fragment at offset 0, -1 before that; other fragments may contain a different one. */
  protocol = -1;
  /** The payload's length; -1 before the last fragment. */
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

  /** Adds a fragment; returns false if it contradicts earlier ones, which take precedence. */
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

/**
 * The maximum payload of an IP packet, the maximum number of incomplete packets, and the seconds after which one is
 * dropped.
 */
const maxLength = 0xffff;
const maxPending = 64;
const patience = 30;

/** Reassembles fragmented IP packets. Fragments may arrive in any order, repeatedly, or not at all. */
export class Fragments {
  /** By the key that identifies a packet, oldest first. */
  readonly #all = new Map<string, Reassembly>();

  /**
   * Adds a fragment. Returns the completed packet, or whether more fragments are needed or the fragment contradicts
   * others.
   */
  add(key: string, bytes: Uint8Array, ip: IpPacket, offset: number, seconds: number): Reassembly | 'waiting' | 'bad' {
    const reassembly = getOr(this.#all, key, () => new Reassembly(offset, seconds));
    const wasWhole = reassembly.isWhole;
    if (!reassembly.add(bytes, ip)) return 'bad';
    return reassembly.isWhole && !wasWhole ? reassembly : 'waiting';
  }

  /**
   * Removes the oldest packet if there are too many or it is too old, and returns it if it is incomplete. Complete ones
   * stay as long, since their fragments may be repeated.
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
