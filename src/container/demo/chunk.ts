import type { Window } from '../../bytes/window.ts';
import { endsWithEof } from '../../codec/huffman.ts';
import { draftVersion } from './header.ts';

/** The head of a tick marker or of a chunk with data. The object is reused. */
export class ChunkHead {
  kind: 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' = 'tick';
  /** The size of the head in bytes. */
  headSize = 0;
  /** The size of the data after it in bytes. */
  size = 0;
  /** For tick markers: whether a full snapshot follows, and the tick or the step to it. */
  keyframe = false;
  absolute = false;
  tick = 0;

  /**
   * Reads the head at `bytes[at]`; returns false if it does not end before `end`.
   * ```
   * version ≥ 5:  1K1S SSSS  tick += S             version 3, 4:  1KSS SSSS  tick += S, where S is not 0
   *               1K0. ....  tick i32be                           1K00 0000  tick i32be
   * data:         0TTL LLLL  T 1 snapshot, 2 message, 3 delta · L size; 30: u8 follows, 31: u16 little-endian follows,
   *                          in version 7 three bytes
   * ```
   */
  read(bytes: Uint8Array, at: number, end: number, version: number): boolean {
    if (at >= end) return false;
    const first = bytes[at]!;
    if (first & 0x80) return this.#readTick(bytes, at, end, first, version);
    this.kind = kinds[first >> 5]!;
    const length = first & 0x1f;
    const isDraft = version === draftVersion;
    this.headSize = length === 30 ? 2 : length === 31 ? (isDraft ? 4 : 3) : 1;
    if (at + this.headSize > end) return false;
    this.size = length === 30 ? bytes[at + 1]! : length === 31 ? bytes[at + 1]! | (bytes[at + 2]! << 8) : length;
    if (isDraft && length === 31) this.size |= bytes[at + 3]! << 16;
    return true;
  }

  #readTick(bytes: Uint8Array, at: number, end: number, first: number, version: number): boolean {
    this.kind = 'tick';
    this.size = 0;
    this.keyframe = (first & 0x40) !== 0;
    const step = first & (version >= 5 ? 0x1f : 0x3f);
    this.absolute = version >= 5 ? (first & 0x20) === 0 : step === 0;
    this.headSize = this.absolute ? 5 : 1;
    if (at + this.headSize > end) return false;
    this.tick = this.absolute
      ? (bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!
      : step;
    return true;
  }
}

const kinds = ['unknown', 'snapshot', 'message', 'delta'] as const;

/** The first tick that no game writes. */
const ticksEnd = 0x6fffffff;

export function isTick(tick: number): boolean {
  return tick >= 0 && tick < ticksEnd;
}

/**
 * Moves the start of the window over messages that need no further check. Most chunks of a server's demo are messages, so this loop
 * does nothing else.
 * @param lastOffset where it has to stop
 */
export function skipMessages(window: Window, head: ChunkHead, version: number, lastOffset: number): void {
  const { bytes, end } = window;
  const last = window.index(lastOffset);
  let at = window.start;
  while (at !== last && head.read(bytes, at, end, version) && head.kind === 'message') {
    const start = at + head.headSize;
    const next = start + head.size;
    if (next > end || !endsWithEof(bytes, start, next)) break;
    at = next;
  }
  window.start = at;
}
