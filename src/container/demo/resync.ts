import { ByteBuffer, IntBuffer } from '../../bytes/buffers.ts';
import { ignore } from '../../bytes/diagnostic.ts';
import type { Window } from '../../bytes/window.ts';
import { decompress, endsWithEof } from '../../codec/huffman.ts';
import { unpackInts } from '../../codec/varint.ts';
import { ChunkHead, isTick } from './chunk.ts';

/** Chunks with data that have to be in order before framing is trusted again; ticks alone prove little. */
const trustedChunks = 2;
/** Of a demo in which nothing happens: so many ticks do prove it. */
const trustedTicks = 32;
/** Bytes by which a size that lies may be too small to be told from damage in the data. */
const nearBytes = 4;
/** A snapshot has 64 KiB, and takes little more when it is packed. */
const maxUnpackedBytes = 1 << 17;
/** Bytes that may be decompressed to look ahead, for each byte of the file: bytes that look like chunks everywhere are not to take forever. */
const effortPerByte = 8;
const effortAtFirst = 1 << 20;

/**
 * Looks ahead: whether chunks are what their heads say can only be told from their data, each one compressed stream that ends
 * where its chunk does. All places are indexes into the window; answers are undefined where more has to be read first.
 */
export class ChunkProbe {
  /** Of the keyframe that was found: where it begins, and its tick. */
  at = 0;
  tick = 0;
  readonly #window: Window;
  readonly #version: number;
  readonly #head = new ChunkHead();
  readonly #bytes = new ByteBuffer();
  readonly #ints = new IntBuffer();
  /** Bytes that were decompressed, and that may be: beyond that nothing is a stream. */
  #effort = 0;
  #allowed = 0;

  constructor(window: Window, version: number) {
    this.#window = window;
    this.#version = version;
  }

  /** Looks for a keyframe from `from` on; `at` is where it got. */
  find(from: number): boolean | undefined {
    const { bytes, end, ended } = this.#window;
    const [mask, marker] = this.#version >= 5 ? [0xe0, 0xc0] : [0xff, 0xc0];
    for (this.at = from; this.at < end; this.at++) {
      if ((bytes[this.at]! & mask) !== marker) continue;
      const found = this.#ask(this.at, () => this.#isKeyframe(this.at));
      if (found !== false) return found;
    }
    return ended ? false : undefined;
  }

  /** Whether the size of a chunk is right that doesn't look like one stream: its data stands from `start` to `next`. */
  sizeHolds(start: number, next: number): boolean | undefined {
    return this.#ask(next, () => this.#sizeHolds(start, next));
  }

  /** Whether a chunk in good order begins at `at`, or the file ends in it. */
  chunkFollows(at: number): boolean | undefined {
    return this.#ask(at, () => this.#chunksFollow(at, 1));
  }

  /** Whether data is one compressed stream that ends where its chunk does. */
  isStream(start: number, end: number): boolean {
    return this.#ask(end, () => this.#isStream(start, end))!;
  }

  /** Only effort that led to an answer is counted, so that all comes out the same in whatever pieces the file is read. */
  #ask(at: number, look: () => boolean | undefined): boolean | undefined {
    const before = this.#effort;
    this.#allowed = effortAtFirst + effortPerByte * this.#window.offset(at);
    const answer = look();
    if (answer === undefined) this.#effort = before;
    return answer;
  }

  #sizeHolds(start: number, next: number): boolean | undefined {
    const follow = this.#chunksFollow(next, trustedChunks);
    if (!follow || start === next) return follow;
    const streamEnd = this.#streamEnd(start, Math.min(next + nearBytes, this.#window.end));
    if (streamEnd >= next) return streamEnd === next;
    // Behind a head that was a tick, chunks begin at once.
    const swallowed = this.#isSwallowed(streamEnd < 0 ? start : streamEnd, next);
    return swallowed === undefined ? undefined : !swallowed;
  }

  /** Whether the absolute tick at `at` has a full snapshot behind it, and that a chunk. */
  #isKeyframe(at: number): boolean | undefined {
    const { bytes, end, ended } = this.#window;
    const head = this.#head;
    if (!head.read(bytes, at, end, this.#version)) return ended ? false : undefined;
    const { tick } = head;
    if (!isTick(tick)) return false;
    const whole = head.read(bytes, at + head.headSize, end, this.#version);
    if (!whole) return ended ? false : undefined;
    if (head.kind !== 'snapshot') return false;
    const start = at + tickBytes + head.headSize;
    const next = start + head.size;
    if (next > end) return ended ? false : undefined;
    if (!this.#isStream(start, next) || !this.#isSnapshot()) return false;
    this.tick = tick;
    return this.#chunksFollow(next, 1);
  }

  /** Whether the stream that was read last holds `data_size num_items offset[num_items] data`. */
  #isSnapshot(): boolean {
    try {
      unpackInts(this.#bytes.bytes, 0, this.#bytes.length, this.#ints, ignore);
    } catch {
      return false;
    }
    const { ints, length } = this.#ints;
    return length >= 2 && ints[0]! >= 0 && ints[1]! >= 0 && length === 2 + ints[1]! + ints[0]! / 4;
  }

  /** Whether so many chunks with data follow, or the file ends before. */
  #chunksFollow(at: number, chunks: number): boolean | undefined {
    const { end, ended } = this.#window;
    let [seen, ticks] = [0, 0];
    while (seen < chunks && ticks < trustedTicks) {
      if (at === end) return ended ? true : undefined;
      const next = this.#nextChunk(at);
      // The file may end inside a chunk, but that one proves nothing.
      if (next === undefined) return ended ? seen > 0 || chunks === 1 : undefined;
      if (next < 0) return false;
      if (this.#head.kind === 'tick') ticks++;
      else seen++;
      at = next;
    }
    return true;
  }

  /** Whether a chunk begins at `at`, or behind ticks there, which is swallowed by one that goes on to `next`. */
  #isSwallowed(at: number, next: number): boolean | undefined {
    while (at <= next) {
      const end = this.#nextChunk(at);
      if (end === undefined) return this.#window.ended ? false : undefined;
      if (end < 0) return false;
      // Bytes that were only added look like ticks as often as not: then no chunk follows that has to have a tick.
      if (this.#head.kind !== 'tick') return at < next || this.#head.kind !== 'message';
      if (at === next) return false;
      at = end;
    }
    return this.#chunksFollow(at, 1);
  }

  /** Where the chunk at `at` ends; undefined where the window ends first, -1 where it is in no good order. */
  #nextChunk(at: number): number | undefined {
    const { bytes, end } = this.#window;
    const head = this.#head;
    if (!head.read(bytes, at, end, this.#version)) return undefined;
    const start = at + head.headSize;
    const next = start + head.size;
    if (head.kind === 'tick') return !head.absolute || isTick(head.tick) ? next : -1;
    if (head.kind === 'unknown') return -1;
    if (next > end) return undefined;
    return this.#isStream(start, next) ? next : -1;
  }

  #isStream(start: number, end: number): boolean {
    return endsWithEof(this.#window.bytes, start, end) && this.#streamEnd(start, end) === end;
  }

  /** Where the stream ends that begins at `start`, with the zero byte that may follow it; -1 where it doesn't by `end`. */
  #streamEnd(start: number, end: number): number {
    const { bytes } = this.#window;
    this.#effort += end - start;
    if (this.#effort > this.#allowed) return -1;
    try {
      const bit = decompress(bytes, start, end, this.#bytes, ignore, maxUnpackedBytes);
      const last = (bit + 7) >>> 3;
      return bit % 8 === 0 && last < end && bytes[last] === 0 ? last + 1 : last;
    } catch {
      return -1;
    }
  }
}

/** Of an absolute tick. */
const tickBytes = 5;
