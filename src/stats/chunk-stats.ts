import { attempt } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/reader.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../protocol/ticks.ts';
import { Players } from '../recording/players.ts';
import { countEnd, eofBits, PayloadInts } from './payload-ints.ts';
import type { PartName, StatsOptions, Tally } from './tally.ts';

/** A chunk with data. The record decoded from it follows, unless the data cannot be read. */
interface DataChunk {
  readonly offset: number;
  readonly headBytes: number;
  readonly data: Uint8Array;
}

export type ChunkCounts = Pick<ChunkStats, 'bytes' | 'firstTick' | 'lastTick'>;

/** Counts the bytes of a demo's chunks. The data of a chunk is counted when the record decoded from it is added. */
export class ChunkStats {
  readonly names = new Players();
  /** The bytes counted so far, in the whole file or in the selected ticks. */
  bytes = 0;
  firstTick = -1;
  lastTick = -1;
  readonly #tally: Tally;
  readonly #range: TickRange | undefined;
  readonly #payload = new PayloadInts();
  /** The chunk whose record has not been added yet. */
  #waiting: DataChunk | undefined;
  /** The offset up to which the file has been counted, and the tick there. */
  #at = 0;
  #tick = -1;

  /**
   * @param range the selected ticks; header and map are then left out
   * @param start the beginning of a part of a demo, which is counted apart
   */
  constructor(tally: Tally, range: TickRange | undefined, start?: StatsOptions['start']) {
    this.#tally = tally;
    this.#range = range;
    if (!start) return;
    this.#at = start.endOffset;
    this.#tick = start.tick;
    this.firstTick = start.firstTick;
    this.lastTick = start.tick;
    tally.seconds.at((start.tick - start.firstTick) / ticksPerSecond);
  }

  /** Counts a part of the file. It must be called before the record decoded from this part is added. */
  add({ kind, offset, dataOffset, bytes, start, end, tick }: DemoFrame): void {
    this.#skipTo(offset);
    const [headBytes, dataBytes] = [dataOffset - offset, end - start];
    this.#at = dataOffset + dataBytes;
    this.#tick = tick;
    if (!this.#isCounted) return;
    const tally = this.#tally;
    const size = headBytes + dataBytes;
    switch (kind) {
      case 'header':
        this.#part('file_header', size);
        break;
      case 'map':
        this.#part('map', size, tally.parts.has('map') ? 0 : 1);
        break;
      case 'tick':
        if (this.firstTick < 0) this.firstTick = tick;
        this.lastTick = tick;
        tally.seconds.at((tick - this.firstTick) / ticksPerSecond);
        this.#part('tick_markers', size);
        break;
      case 'unknown':
        this.#part('unknown_chunks', size);
        break;
      default:
        this.#waiting = { offset, headBytes, data: bytes.subarray(start, end) };
    }
  }

  /**
   * Counts the data of the chunk of the next record: its ints, and everything around them. A chunk that is not counted is
   * passed over, one with data after the end of the stream remains unread.
   * @param endBit the bit after the end symbol; if it is not known, the ints are read
   */
  data(endBit: number | undefined, count: (payload: PayloadInts, streamBits: number) => void): void {
    const chunk = this.#waiting;
    if (!chunk) return;
    const { headBytes, data } = chunk;
    const payload = this.#payload;
    if (endBit === undefined && attempt(() => payload.readCompressed(data)) !== true) return;
    this.#waiting = undefined;
    const streamBits = endBit === undefined ? payload.streamBits : endBit - eofBits;
    count(payload, streamBits);
    countEnd(this.#tally, streamBits, 8 * data.length);
    this.#part('chunk_heads', headBytes);
    this.bytes += data.length;
  }

  finish(fileBytes: number): void {
    this.#skipTo(fileBytes);
  }

  get counts(): ChunkCounts {
    const { bytes, firstTick, lastTick } = this;
    return { bytes, firstTick, lastTick };
  }

  addCounts({ bytes, firstTick, lastTick }: ChunkCounts): void {
    this.bytes += bytes;
    if (this.firstTick < 0) this.firstTick = firstTick;
    if (lastTick >= 0) this.lastTick = lastTick;
  }

  get seconds(): number {
    return Math.max(0, this.lastTick - this.firstTick) / ticksPerSecond;
  }

  get #isCounted(): boolean {
    return !this.#range || isInRange(this.#tick, this.#range);
  }

  #part(name: PartName, bytes: number, times = 1): void {
    this.bytes += bytes;
    this.#tally.part(name, 8 * bytes, times);
  }

  /** Counts the bytes between two chunks as skipped, and a chunk without a record as unread. */
  #skipTo(offset: number): void {
    const chunk = this.#waiting;
    this.#waiting = undefined;
    if (chunk) {
      // If its size is invalid, the next chunk begins inside it.
      const size = Math.min(chunk.headBytes + chunk.data.length, offset - chunk.offset);
      this.#part('unread', size);
    }
    if (offset > this.#at && this.#isCounted) this.#part('skipped', offset - this.#at);
  }
}
