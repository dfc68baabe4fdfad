import { DecodeError } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/reader.ts';
import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../protocol/ticks.ts';
import { PlayerNames } from '../recording/player-names.ts';
import type { RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { countDelta, countFull } from './count-snapshot.ts';
import { nameOf } from './message-name.ts';
import { endOfStream, PayloadInts } from './payload-ints.ts';
import { Tally } from './tally.ts';

/** A chunk with data whose record is still to come: what can't be read has none. */
interface Chunk {
  readonly offset: number;
  headBytes: number;
  data: Uint8Array;
}

/**
 * Counts where the bytes of a demo go.
 * ```ts
 * const stats = new DemoStats();
 * const replay = new DemoReplay({ messages: true, parts: true });
 * for (const record of replay.feed(bytes)) stats.add(record);
 * for (const record of replay.finish()) stats.add(record);
 * stats.finish(bytes.length);
 * ```
 */
export class DemoStats {
  readonly format = 'demo';
  readonly tally = new Tally();
  readonly names = new PlayerNames();
  /** Bytes that were counted: of the whole file, or of the ticks that are wanted. */
  bytes = 0;
  protocol: Protocol | undefined;
  firstTick = -1;
  lastTick = -1;
  readonly #range: TickRange | undefined;
  readonly #payload = new PayloadInts();
  #waiting: Chunk | undefined;
  /** Up to where the file was seen, and the tick there. */
  #at = 0;
  #tick = -1;

  /** @param range of the ticks that are wanted: header and map are then left out */
  constructor(range?: TickRange) {
    this.#range = range;
  }

  /** A part of the file, before the record that results from it. */
  #chunk({ kind, offset, dataOffset, bytes, start, end, tick }: DemoFrame): void {
    this.#skipTo(offset);
    const [headBytes, dataBytes] = [dataOffset - offset, end - start];
    this.#at = dataOffset + dataBytes;
    this.#tick = tick;
    if (!this.#isWanted) return;
    const { tally } = this;
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

  add(record: RecordingEntry): void {
    switch (record.record) {
      case 'chunk':
        this.#chunk(record.chunk);
        break;
      case 'header':
        this.protocol = record.stream.protocol;
        break;
      case 'snapshot':
        if (record.snapshot) this.#snapshot(record, record.snapshot);
        break;
      case 'message':
        this.#message(record.message);
        break;
    }
  }

  /** The demo has ended, after so many bytes. */
  finish(fileBytes: number): void {
    this.#skipTo(fileBytes);
  }

  get seconds(): number {
    return Math.max(0, this.lastTick - this.firstTick) / ticksPerSecond;
  }

  get #isWanted(): boolean {
    const range = this.#range;
    return !range || isInRange(this.#tick, range);
  }

  #part(name: Parameters<Tally['part']>[0], bytes: number, times = 1): void {
    this.bytes += bytes;
    this.tally.part(name, 8 * bytes, times);
  }

  /** What lies before the next chunk was no chunk; one that became no record could not be read. */
  #skipTo(offset: number): void {
    const chunk = this.#waiting;
    this.#waiting = undefined;
    if (chunk) {
      // Where its size was a lie, what follows begins inside it.
      const size = Math.min(chunk.headBytes + chunk.data.length, offset - chunk.offset);
      this.#part('unread', size);
    }
    if (offset > this.#at && this.#isWanted) this.#part('skipped', offset - this.#at);
  }

  #snapshot({ delta, before, tick }: SnapshotEntry, snapshot: Snapshot): void {
    this.names.onSnapshot(snapshot, this.protocol!);
    const chunk = this.#readable();
    if (!chunk) return;
    const { tally } = this;
    const payload = this.#payload;
    const scene = { protocol: this.protocol!, names: this.names };
    if (!delta) {
      tally.snapshots.full++;
      countFull(tally, payload, snapshot, before, scene);
    } else {
      tally.snapshots.deltas++;
      countDelta(tally, payload, delta, before!, snapshot, scene);
      tally.most.add('deltaBytes', payload.packedBytes, tick);
    }
    tally.most.add('items', snapshot.count, tick);
    tally.most.add('bytes', 4 * snapshot.intCount, tick);
    const { current } = tally.seconds;
    current.snapshots++;
    current.items = Math.max(current.items, snapshot.count);
    this.#close(chunk);
  }

  #message(message: Message): void {
    const chunk = this.#readable();
    if (!chunk) return;
    this.names.onMessage(message);
    this.tally.message(nameOf(message), this.#payload.streamBits);
    this.#close(chunk);
  }

  /** The chunk of a record, its ints read; undefined where it is not counted, or is more than one stream. */
  #readable(): Chunk | undefined {
    const chunk = this.#waiting;
    if (!chunk) return undefined;
    try {
      if (!this.#payload.readCompressed(chunk.data)) return undefined;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return undefined;
    }
    this.#waiting = undefined;
    return chunk;
  }

  #close({ headBytes, data }: Chunk): void {
    const { end, padding } = endOfStream(this.#payload.streamBits, 8 * data.length);
    this.tally.part('end_symbols', end);
    this.tally.part('padding', padding);
    this.#part('chunk_heads', headBytes);
    this.bytes += data.length;
  }
}
