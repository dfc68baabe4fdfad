import { noBytes } from '../../../wire/bytes/buffers.ts';
import type { Diagnostic } from '../../../wire/bytes/diagnostic.ts';
import type { Window } from '../../../wire/bytes/window.ts';
import { endsWithEof } from '../../../wire/codec/huffman.ts';
import { draftVersion } from './header.ts';

/** The head of a tick marker or of a chunk with data. The object is reused. */
export class ChunkHead {
  kind: 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' = 'tick';
  headSize = 0;
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
    this.headSize = headSizeOf(first, version);
    if (at + this.headSize > end) return false;
    this.size = dataSizeOf(bytes, at, this.headSize);
    return true;
  }

  #readTick(bytes: Uint8Array, at: number, end: number, first: number, version: number): boolean {
    this.kind = 'tick';
    this.size = 0;
    this.keyframe = (first & 0x40) !== 0;
    const step = stepOf(first, version);
    this.absolute = step < 0;
    this.headSize = this.absolute ? 5 : 1;
    if (at + this.headSize > end) return false;
    this.tick = this.absolute
      ? (bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!
      : step;
    return true;
  }
}

const kinds = ['unknown', 'snapshot', 'message', 'delta'] as const;
const messageKind = kinds.indexOf('message');

/** The size of the head of a chunk with data, by its first byte. */
function headSizeOf(first: number, version: number): number {
  const length = first & 0x1f;
  if (length < 30) return 1;
  if (length === 30) return 2;
  return version === draftVersion ? 4 : 3;
}

/** The bytes of the longest head, that of an absolute tick. */
const maxHeadBytes = 5;

function dataSizeOf(bytes: Uint8Array, at: number, headSize: number): number {
  if (headSize === 1) return bytes[at]! & 0x1f;
  let size = bytes[at + 1]!;
  if (headSize > 2) size |= bytes[at + 2]! << 8;
  if (headSize > 3) size |= bytes[at + 3]! << 16;
  return size;
}

/** The step of a tick marker by its first byte; -1 if the marker has the tick itself. */
function stepOf(first: number, version: number): number {
  if (version >= 5) return first & 0x20 ? first & 0x1f : -1;
  return first & 0x3f || -1;
}

const ticksEnd = 0x6fffffff;

export function isTick(tick: number): boolean {
  return tick >= 0 && tick < ticksEnd;
}

/** Bytes of a cache line, and the most of a message after which the next head is fetched soon enough anyway. */
const lineBytes = 64;
const longBytes = 256;

/** The chunks that are not needed. */
interface Skipped {
  readonly skipsMessages: boolean;
  /** Whether tick markers are skipped after which no full snapshot follows. */
  readonly skipsTicks: boolean;
}

/**
 * Moves the start of the window over skipped chunks that need no further check, and returns the tick. Most chunks of a
 * server's demo are messages, so this loop does nothing else.
 * @param firstTick the tick so far, -1 if it is not known
 */
export function skipChunks(
  window: Window,
  { skipsMessages, skipsTicks }: Skipped,
  version: number,
  firstTick: number,
): number {
  const { bytes, end } = window;
  let at = window.start;
  let tick = firstTick;
  let loaded = 0;
  while (at + maxHeadBytes <= end) {
    const first = bytes[at]!;
    if (first & 0x80) {
      const step = stepOf(first, version);
      if (!skipsTicks || first & 0x40 || step < 0 || tick < 0 || !isTick(tick + step)) break;
      tick += step;
      at++;
      continue;
    }
    if (!skipsMessages || first >> 5 !== messageKind) break;
    const headSize = headSizeOf(first, version);
    const start = at + headSize;
    const next = start + dataSizeOf(bytes, at, headSize);
    if (next > end || !endsWithEof(bytes, start, next)) break;
    // The processor fetches what follows a long message ahead of time only if each cache line of it is read; otherwise
    // its head waits.
    if (next - start > longBytes) for (let line = start; line < next; line += lineBytes) loaded |= bytes[line]!;
    at = next;
  }
  window.start = at;
  window.loaded = loaded;
  return tick;
}

/**
 * One part of a demo with its position in the file. The object is reused, so it is valid only until the next frame is
 * read.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 */
export class DemoFrame {
  /** `unknown` is a chunk of type 0 or a chunk without data, which are skipped; `ghost` a chunk of a ghost. */
  kind: 'header' | 'map' | 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' | 'ghost' | 'diagnostic' = 'header';
  /** The absolute offset of its first byte, including the head. */
  offset = 0;
  /** The absolute offset of its data. */
  dataOffset = 0;
  /** The data, `bytes[start]` up to `bytes[end]`; for a map, a piece of it. */
  bytes: Uint8Array = noBytes;
  start = 0;
  end = 0;
  /** The current tick, -1 before the first. */
  tick = -1;
  /** For ticks: whether a full snapshot follows. */
  keyframe = false;
  diagnostic: Diagnostic | undefined;
}
