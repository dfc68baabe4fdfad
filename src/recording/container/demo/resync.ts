import { ByteBuffer, IntBuffer } from '../../../wire/bytes/buffers.ts';
import { ignore } from '../../../wire/bytes/diagnostic.ts';
import { type Answer, type Window, yesIf } from '../../../wire/bytes/window.ts';
import { decompress, endsWithEof } from '../../../wire/codec/huffman.ts';
import { unpackInts } from '../../../wire/codec/varint.ts';
import { ChunkHead, isTick } from './chunk.ts';
import { draftVersion } from './header.ts';

/*
 * Where do chunks begin? The reader asks when one makes no sense, and again for each candidate while it searches.
 *
 *   … 5a 9f │ c0 00 00 12 34 │ 3e 80 …  │ a2 │ …
 *             marker, tick     snapshot   a tick, 2 later      in version 5 and above
 *
 * Proof is what random bytes rarely have: data that decompress to exactly the end of their chunk. Tick markers are one
 * byte or five and anything looks like one, so they prove little. A keyframe is believed if its tick is possible, its
 * data are one stream that is laid out as a snapshot, and a chunk or the end of the file follows. A size is believed if
 * two chunks with data follow it, and what the chunk contains does not look like further chunks.
 *
 * Each answer is yes, no, or 'more' where the bytes at hand end first. Trying costs decompression, and a file can be
 * made that looks like chunks everywhere: so the work is bounded by the bytes read so far (`effortPerByte`).
 */

/** The number of valid chunks with data after which framing is trusted again. Tick markers alone prove little. */
const trustedChunks = 2;
/** The number of tick markers that prove the framing of a demo without events. */
const trustedTicks = 32;
/** If a chunk's size is too small by at most this many bytes, its data may be damaged instead. */
const nearBytes = 4;
/** The heads from which it is no coincidence that they follow each other: random bytes do in 1 of 110 cases. */
const enoughHeads = 10;
/** How far sizes are followed, and the ticks by which a marker may be ahead of the one before. */
const farBytes = 1 << 16;
const farTicks = 3000;
/** A snapshot has at most 64 KiB, in version 7 256 KiB, and little more when it is packed. */
const maxUnpackedBytes = 1 << 17;
const maxDraftUnpackedBytes = 1 << 19;
/**
 * The number of bytes that may be decompressed per byte of the file. It bounds the work on input that looks like chunks
 * everywhere.
 */
const effortPerByte = 8;
const effortAtFirst = 1 << 20;
const absoluteTickBytes = 5;
/** The number of bytes in which the ticks after a missing first marker are counted: games write a tick every 5 s. */
const maxCountedBytes = 1 << 20;

/**
 * Checks the framing of the chunks after the reader's position. Only the data of chunks shows whether their heads are
 * right: each is one compressed stream that ends where its chunk does. All positions are indexes into the window.
 */
export class FramingCheck {
  readonly #window: Window;
  readonly #version: number;
  readonly #maxUnpackedBytes: number;
  readonly #head = new ChunkHead();
  readonly #bytes = new ByteBuffer();
  readonly #ints = new IntBuffer();
  /** The number of decompressed bytes and its limit. Beyond that, nothing counts as a stream. */
  #effort = 0;
  #allowedEffort = 0;
  /** The offset up to which sizes lead from chunk to chunk. */
  #followed = -1;

  constructor(window: Window, version: number) {
    this.#window = window;
    this.#version = version;
    this.#maxUnpackedBytes = version === draftVersion ? maxDraftUnpackedBytes : maxUnpackedBytes;
  }

  /**
   * Finds the next full snapshot with its marker, whose tick is not later than the last possible one. `at` is where it
   * begins, or where the search ended.
   */
  findKeyframe(from: number, lastTick: number): { readonly found: Answer; readonly at: number; readonly tick: number } {
    const { bytes, end, ended } = this.#window;
    const [mask, marker] = this.#version >= 5 ? [0xe0, 0xc0] : [0xff, 0xc0];
    for (let at = from; at < end; at++) {
      if ((bytes[at]! & mask) !== marker) continue;
      const found = this.#isKeyframe(at, lastTick);
      if (found !== 'no') return { found, at, tick: this.#tickAt(at) };
    }
    return { found: ended ? 'no' : 'more', at: Math.max(from, end), tick: -1 };
  }

  /**
   * Whether a chunk's size is right although its data in `[start, next)` does not look like one stream.
   * @param last the tick of the chunk
   */
  isSizeRight(start: number, next: number, last: number): Answer {
    return this.#within(next, () => this.#isSizeRight(start, next, last));
  }

  /** Whether a valid chunk begins at an index, or the file ends in it. */
  doesChunkFollow(at: number): Answer {
    return this.#within(at, () => this.#doChunksFollow(at, 1));
  }

  /** Whether a keyframe begins at an index: its marker, a full snapshot, and a chunk or the end. */
  doesKeyframeFollow(at: number): Answer {
    const { bytes, end, ended } = this.#window;
    if (at >= end) return ended ? 'no' : 'more';
    return (bytes[at]! & 0xc0) === 0xc0 ? this.#isKeyframe(at, Infinity) : 'no';
  }

  /**
   * The tick of a first snapshot without a marker, which ends at an index: the next marker with a tick, less the steps
   * up to there. The step of that marker itself is taken to be like the one before. 0 if there is no such marker.
   */
  tickBefore(at: number): number | 'more' {
    const { bytes, end, ended } = this.#window;
    const head = this.#head;
    let steps = 0;
    let step = 0;
    for (let next = at; next - at < maxCountedBytes; next += head.headSize + head.size) {
      if (next > end || !head.read(bytes, next, end, this.#version)) return ended ? 0 : 'more';
      if (head.kind === 'tick' && head.absolute) return Math.max(0, isTick(head.tick) ? head.tick - steps - step : 0);
      if (head.kind === 'tick') steps += step = head.tick;
      else if (head.kind === 'unknown') break;
    }
    return 0;
  }

  #tickAt(at: number): number {
    this.#head.read(this.#window.bytes, at, this.#window.end, this.#version);
    return this.#head.tick;
  }

  /** Only effort that led to an answer counts, so that the size of the pieces does not affect the result. */
  #within(at: number, check: () => Answer): Answer {
    const before = this.#effort;
    this.#allowedEffort = effortAtFirst + effortPerByte * this.#window.offset(at);
    const answer = check();
    if (answer === 'more') this.#effort = before;
    return answer;
  }

  #isSizeRight(start: number, next: number, last: number): Answer {
    const chunks = this.#doChunksFollow(next, trustedChunks);
    const follow = chunks === 'no' ? this.#isLedTo(next, last) : chunks;
    if (follow !== 'yes' || start === next) return follow;
    const streamEnd = this.#streamEnd(start, Math.min(next + nearBytes, this.#window.end));
    if (streamEnd >= next) return yesIf(streamEnd === next);
    // If the head was in fact a tick marker, chunks begin right after it.
    const contains = this.#containsChunk(streamEnd < 0 ? start : streamEnd, next);
    return contains === 'more' ? 'more' : yesIf(contains === 'no');
  }

  /** Whether a full snapshot and a chunk follow the absolute tick at an index. */
  #isKeyframe(at: number, lastTick: number): Answer {
    const { bytes, end, ended } = this.#window;
    const head = this.#head;
    const cut: Answer = ended ? 'no' : 'more';
    if (!head.read(bytes, at, end, this.#version)) return cut;
    if (!isTick(head.tick) || head.tick > lastTick) return 'no';
    if (!head.read(bytes, at + head.headSize, end, this.#version)) return cut;
    if (head.kind !== 'snapshot') return 'no';
    const start = at + absoluteTickBytes + head.headSize;
    const next = start + head.size;
    if (next > end) return cut;
    return this.#within(at, () =>
      this.#isStream(start, next) && this.#isSnapshot() ? this.#doChunksFollow(next, 1) : 'no',
    );
  }

  /** Whether the last stream contains `data_size num_items offset[num_items] data`. */
  #isSnapshot(): boolean {
    try {
      unpackInts(this.#bytes.bytes, 0, this.#bytes.length, this.#ints, ignore);
    } catch {
      return false;
    }
    const { ints, length } = this.#ints;
    return length >= 2 && ints[0]! >= 0 && ints[1]! >= 0 && length === 2 + ints[1]! + ints[0]! / 4;
  }

  /** Whether this many chunks with data follow, or all chunks up to the end of the file are valid. */
  #doChunksFollow(at: number, chunks: number): Answer {
    const { end, ended } = this.#window;
    let validChunks = 0;
    let ticks = 0;
    while (validChunks < chunks && ticks < trustedTicks) {
      if (at === end) return ended ? 'yes' : 'more';
      const chunk = this.#readChunk(at);
      if (chunk.isValid === 'no') return 'no';
      // The file may end inside a chunk, which then proves nothing.
      if (chunk.isValid === 'more') return ended ? yesIf(validChunks > 0 || chunks === 1) : 'more';
      if (this.#head.kind === 'tick') ticks++;
      else validChunks++;
      at = chunk.end;
    }
    return 'yes';
  }

  /** Whether a chunk ends on the way that {@link #doSizesLeadOn} has followed, or follows from it. */
  #isLedTo(next: number, last: number): Answer {
    return this.#window.offset(next) <= this.#followed ? 'yes' : this.#doSizesLeadOn(next, last);
  }

  /**
   * Whether the sizes lead from chunk to chunk to the last byte of the file, or far on, whatever the chunks contain. Of
   * random bytes 3 of 8 are no head: of no kind, or of a tick that is out of line.
   */
  #doSizesLeadOn(from: number, last: number): Answer {
    const { bytes, end, ended } = this.#window;
    const head = this.#head;
    let heads = 0;
    let tick = last;
    let at = from;
    for (; at - from < farBytes; heads++) {
      if (at === end && ended) return this.#follow(at, heads);
      if (!head.read(bytes, at, end, this.#version)) return ended ? 'no' : 'more';
      if (head.kind === 'unknown') return 'no';
      if (head.kind === 'tick') {
        const next = head.absolute ? head.tick : tick + head.tick;
        if (next <= tick || next > tick + farTicks) return 'no';
        tick = next;
      }
      at += head.headSize + head.size;
      if (at > end) return ended ? 'no' : 'more';
    }
    return this.#follow(at, heads);
  }

  #follow(to: number, heads: number): Answer {
    if (heads < enoughHeads) return 'no';
    this.#followed = this.#window.offset(to);
    return 'yes';
  }

  /**
   * Whether a chunk with a wrong size, which ends at `next`, contains another chunk that begins at `at` or after ticks
   * there.
   */
  #containsChunk(at: number, next: number): Answer {
    while (at <= next) {
      const chunk = this.#readChunk(at);
      if (chunk.isValid === 'no') return 'no';
      if (chunk.isValid === 'more') return this.#window.ended ? 'no' : 'more';
      // Arbitrary bytes often look like tick markers, but no chunk follows them that requires a tick.
      if (this.#head.kind !== 'tick') return yesIf(at < next || this.#head.kind !== 'message');
      if (at === next) return 'no';
      at = chunk.end;
    }
    return this.#doChunksFollow(at, 1);
  }

  /** Reads the chunk at an index into `#head`; returns whether it is valid, and its end. */
  #readChunk(at: number): { readonly isValid: Answer; readonly end: number } {
    const { bytes, end } = this.#window;
    const head = this.#head;
    if (!head.read(bytes, at, end, this.#version)) return { isValid: 'more', end };
    const start = at + head.headSize;
    const next = start + head.size;
    if (head.kind === 'tick') return { isValid: yesIf(!head.absolute || isTick(head.tick)), end: next };
    if (head.kind === 'unknown') return { isValid: 'no', end: next };
    if (next > end) return { isValid: 'more', end: next };
    return { isValid: yesIf(this.#isStream(start, next)), end: next };
  }

  #isStream(start: number, end: number): boolean {
    return endsWithEof(this.#window.bytes, start, end) && this.#streamEnd(start, end) === end;
  }

  /** The end of the stream that begins at `start`, including the optional zero byte; -1 if it does not end by `end`. */
  #streamEnd(start: number, end: number): number {
    const { bytes } = this.#window;
    this.#effort += end - start;
    if (this.#effort > this.#allowedEffort) return -1;
    try {
      const bit = decompress(bytes, start, end, this.#bytes, ignore, this.#maxUnpackedBytes);
      const last = (bit + 7) >>> 3;
      return bit % 8 === 0 && last < end && bytes[last] === 0 ? last + 1 : last;
    } catch {
      return -1;
    }
  }
}
