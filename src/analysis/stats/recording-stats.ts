import type { DemoFrame } from '../../recording/container/demo/demo-reader.ts';
import { Players } from '../../recording/events/players.ts';
import type { ChunkEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Replay } from '../../recording/replay/replay.ts';
import { noBytes } from '../../wire/bytes/buffers.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { MessageFields } from '../../wire/packet/message.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { ClientTally } from './client-tallies.ts';
import { countGhost, countSnapshot } from './count-snapshot.ts';
import { type ModeTally, PacketStats } from './packet-stats.ts';
import { countEnd, eofBits, PayloadInts } from './payload-ints.ts';
import { type PartName, type StatsOptions, Tally } from './tally.ts';

/** Counts the bytes of a demo's chunks. The data of a chunk is counted when the record decoded from it is added. */
class ChunkStats {
  readonly names = new Players();
  bytes = 0;
  firstTick = -1;
  lastTick = -1;
  readonly #tally: Tally;
  readonly #range: TickRange | undefined;
  readonly payload = new PayloadInts();
  /** A chunk with data. The record decoded from it follows, unless the data cannot be read. */
  readonly #waiting = { offset: 0, headBytes: 0, bytes: noBytes, start: 0, end: 0 };
  #isWaiting = false;
  /** The offset up to which the file has been counted, and the tick there. */
  #at = 0;
  #tick = -1;

  /** @param range the selected ticks; header and map are then left out */
  constructor(tally: Tally, range: TickRange | undefined) {
    this.#tally = tally;
    this.#range = range;
  }

  /** Counts a part of the file. It must be called before the record decoded from this part is added. */
  add({ kind, offset, dataOffset, bytes, start, end, tick }: DemoFrame): void {
    this.#skipTo(offset);
    const headBytes = dataOffset - offset;
    const dataBytes = end - start;
    this.#at = dataOffset + dataBytes;
    this.#tick = tick;
    if (!this.#isCounted) return;
    const tally = this.#tally;
    const size = headBytes + dataBytes;
    if (this.firstTick < 0) this.firstTick = tick;
    if (kind === 'tick') {
      this.lastTick = tick;
      tally.seconds.at((tick - this.firstTick) / ticksPerSecond);
      this.#part('tick_markers', size);
    } else if (kind === 'header') this.#part('file_header', size);
    else if (kind === 'map') this.#part('map', size, tally.parts.has('map') ? 0 : 1);
    else if (kind === 'unknown') this.#part('unknown_chunks', size);
    else {
      this.#isWaiting = true;
      Object.assign(this.#waiting, { offset, headBytes, bytes, start, end });
    }
  }

  /** Whether there is a chunk whose ints {@link payload} has now; one with data after their end remains unread. */
  readInts(): boolean {
    if (!this.#isWaiting) return false;
    const { bytes, start, end } = this.#waiting;
    // Not by `attempt`, which takes a new function for each chunk.
    try {
      return this.payload.readCompressed(bytes, start, end);
    } catch (error) {
      if (error instanceof DecodeError) return false;
      throw error;
    }
  }

  /** Whether the chunk of the next record counts. */
  get hasChunk(): boolean {
    return this.#isWaiting;
  }

  /** Counts what is around the data of the chunk, after its data. */
  endChunk(streamBits: number): void {
    this.#isWaiting = false;
    const { headBytes, start, end } = this.#waiting;
    countEnd(this.#tally, streamBits, 8 * (end - start));
    this.#part('chunk_heads', headBytes);
    this.bytes += end - start;
  }

  finish(fileBytes: number): void {
    this.#skipTo(fileBytes);
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
    if (this.#isWaiting) {
      this.#isWaiting = false;
      const { offset: from, headBytes, start, end } = this.#waiting;
      // If its size is invalid, the next chunk begins inside it.
      this.#part('unread', Math.min(headBytes + end - start, offset - from));
    }
    if (offset > this.#at && this.#isCounted) this.#part('skipped', offset - this.#at);
  }
}

/**
 * Counts how the bytes of a recording are used: all bytes of a demo file, or the payloads of all UDP datagrams of a
 * capture. Sizes in bits refer to the file: in a compressed stream, the size of a byte is the length of its Huffman
 * code.
 *
 * `tally.bits` is exactly `8 * bytes` and is the sum over
 * - `tally.items.all`: an `ItemTally` for each kind of item, with the times it was sent (`full`, `new`, `updated`), `changed`
 *   and `removed`, the compressed size in `bits`, and the sizes of `fields`;
 * - `tally.messages`: times and bits by name;
 * - `tally.parts`: everything else in the file, by `PartName`.
 *
 * The same bits are in other groups: `tally.players.all` (items by client) and `tally.seconds.all` (everything over
 * time). `tally.peaks` are the largest snapshots and their ticks, `modes` the rates at which servers sent snapshots in
 * a capture.
 */
export class RecordingStats {
  readonly tally: Tally;
  /** Whether the recording consists of packets, which have no tick markers. */
  readonly hasPackets: boolean;
  readonly #chunks: ChunkStats;
  readonly #packets: PacketStats;

  constructor(replay: Pick<Replay, 'datagrams'>, options: StatsOptions = {}) {
    this.tally = new Tally(options);
    this.hasPackets = replay.datagrams !== undefined;
    this.#chunks = new ChunkStats(this.tally, options.range);
    this.#packets = new PacketStats(this.tally, options, replay.datagrams);
  }

  get bytes(): number {
    return this.#chunks.bytes + this.#packets.bytes;
  }

  /** Seconds from the first tick marker or packet to the last. */
  get seconds(): number {
    return Math.max(this.#chunks.seconds, this.#packets.seconds);
  }

  get firstTick(): number {
    return this.#chunks.firstTick;
  }

  get lastTick(): number {
    return this.#chunks.lastTick;
  }

  /** The number of packets and their bytes by direction; `other` counts datagrams outside any connection. */
  get packets(): PacketStats['counts'] {
    return this.#packets.counts;
  }

  /** The packets of a capture by client; empty for demos. */
  get clients(): readonly ClientTally[] {
    return this.#packets.clients.all;
  }

  get modes(): ModeTally[] {
    return this.#packets.modes;
  }

  /** Adds the next record of a replay that was opened with `parts`. */
  add(record: RecordingEntry): void {
    if (record.record === 'chunk') {
      this.#chunks.add(record.chunk);
      if (record.chunk.kind === 'ghost') this.#ghostChunk(record);
    } else if (record.record === 'packet') this.#packets.add(record);
    else if (record.record === 'message') this.#message(record);
    else if (record.record === 'snapshot') this.#snapshot(record);
    else if (record.record === 'drop') this.#packets.drop(record.stream);
  }

  finish(fileBytes: number): void {
    if (!this.hasPackets) this.#chunks.finish(fileBytes);
  }

  /** Counts a message in a chunk. Messages in packets are counted with the packet. */
  #message(entry: MessageEntry): void {
    const { head, stream, endBit } = entry;
    if (this.hasPackets && head.type?.name === 'cl_startinfo') {
      const name = new MessageFields(entry.message).texts.get('name');
      if (name !== undefined && this.#packets.connection(stream)) this.#packets.clients.name(stream.client, name);
    }
    const chunks = this.#chunks;
    if (endBit === undefined ? !chunks.readInts() : !chunks.hasChunk) return;
    const streamBits = endBit === undefined ? chunks.payload.streamBits : endBit - eofBits;
    if (head.type?.name === 'sv_clientinfo') chunks.names.onMessage(entry.message);
    this.tally.message(head, streamBits);
    chunks.endChunk(streamBits);
  }

  #ghostChunk({ chunk: { bytes, start }, stream }: ChunkEntry): void {
    const type = bytes[start - 4]!;
    const count = bytes[start - 3]!;
    const { payload } = this.#chunks;
    if (!this.#chunks.readInts()) return;
    countGhost(this.tally, payload, type, count, stream);
    this.#chunks.endChunk(payload.streamBits);
  }

  #snapshot(entry: SnapshotEntry): void {
    const { stream, snapshot } = entry;
    const connection = this.#packets.connection(stream);
    const { names } = connection ?? this.#chunks;
    if (snapshot) names.onSnapshot(snapshot, stream.protocol);
    const chunks = this.#chunks;
    if (connection) {
      const payload = this.#packets.payloadOf(entry, connection);
      if (payload) countSnapshot(this.tally, payload, entry, snapshot!, names);
    } else if (snapshot && chunks.readInts()) {
      countSnapshot(this.tally, chunks.payload, entry, snapshot, names);
      chunks.endChunk(chunks.payload.streamBits);
    }
  }
}
